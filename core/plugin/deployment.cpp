// A deployment held against the plugins it names: every refusal in one sentence, before any code of them
// runs.
#include "core/plugin/deployment.hpp"

#include "core/graph/spelling.hpp"
#include "core/plugin/clash.hpp"
#include "core/plugin/file.hpp"
#include "core/plugin/library.hpp"
#include "core/plugin/version_range.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <mutex>

namespace sixrung::plugin {
namespace {

// Everything a plugin claims, as keys of [override].
std::vector<std::string> claims(const Manifest &manifest) {
  std::vector<std::string> keys = manifest.lowerings;
  for (const std::string &name : manifest.emitters)
    keys.push_back("emitter:" + name);
  for (const std::string &name : manifest.composites)
    keys.push_back("composite:" + name);
  for (const std::string &name : manifest.strategies)
    keys.push_back("strategy:" + name);
  return keys;
}

bool isLowering(std::string_view key) { return key.find(':') == key.npos || key.find("::") != key.npos; }

class Inspector {
public:
  Inspector(const Deployment &deployment, const Registry &registry, bool pins)
      : deployment_(deployment), registry_(registry), pins_(pins) {}

  Inspection run() {
    if (const ladder::Policy &policy = registry_.table().policy; !policy.deployment.empty())
      throw Error(ErrorKind::kPlugin,
                  fmt::format("deployment '{}' cannot be used beside deployment '{}' ({}): one session, one "
                              "deployment",
                              deployment_.name, policy.deployment, policy.file));
    for (const Deployment::Plugin &plugin : deployment_.plugins)
      file(plugin);
    loadedBefore();
    for (const Deployment::Override &override : deployment_.overrides)
      permission(override);
    for (size_t i = 0; i < out_.plugins.size(); ++i)
      clashes(i);
    denials();
    if (deployment_.strict && pins_ && !out_.warnings.empty())
      throw Error(ErrorKind::kPlugin, fmt::format("{} (strict: warnings are errors)", out_.warnings.front()))
          .with("file", deployment_.path);
    return std::move(out_);
  }

private:
  [[noreturn]] void fail(size_t line, const std::string &what, const std::string &hint = {}) const {
    Error error(ErrorKind::kPlugin, place(line) + what);
    error.with("file", deployment_.path);
    if (!hint.empty())
      error.with("hint", hint);
    throw error;
  }
  std::string place(size_t line) const { return fmt::format("{}:{}: ", deployment_.path, line); }
  void warn(size_t line, const std::string &what) { out_.warnings.push_back(place(line) + what); }
  const Deployment::Plugin &entry(size_t i) const { return deployment_.plugins[i]; }
  std::string named(size_t i) const {
    return fmt::format("{} {}", out_.plugins[i].manifest.id, out_.plugins[i].manifest.version);
  }

  void file(const Deployment::Plugin &plugin) {
    JudgedFile judged;
    try {
      std::lock_guard lock(loadMutex());
      judged = judgeFile(plugin.path);
    } catch (const Error &error) {
      fail(plugin.line, error.what());
    }
    const Manifest &manifest = judged.manifest;
    const std::string &written = plugin.written;
    // Before anything else of the file is believed (ABI-14).
    if (pins_ && !plugin.sha256.empty() && plugin.sha256 != judged.file.sha256)
      fail(plugin.line,
           fmt::format("'{}' is not the file that was pinned: its SHA-256 is {}, the pin is {}", written,
                       judged.file.sha256, plugin.sha256),
           fmt::format("find out who changed it; if the change is meant: sixrung deployment lock {}",
                       deployment_.path));
    if (pins_ && plugin.sha256.empty() && deployment_.strict)
      fail(plugin.line,
           fmt::format("'{}' is not pinned, and deployment '{}' is strict", written, deployment_.name),
           fmt::format("sixrung deployment lock {}", deployment_.path));
    if (!plugin.id.empty() && plugin.id != manifest.id)
      fail(plugin.line,
           fmt::format("'{}' is {} {}, not {}", written, manifest.id, manifest.version, plugin.id));
    if (!plugin.versions.empty() && !VersionRange(plugin.versions).contains(manifest.version))
      fail(plugin.line, fmt::format("'{}' is {} {}, and the deployment wants version {}", written,
                                    manifest.id, manifest.version, plugin.versions));
    for (size_t i = 0; i < out_.plugins.size(); ++i)
      if (out_.plugins[i].manifest.id == manifest.id)
        fail(plugin.line, fmt::format("'{}' has the id of '{}' (line {}), {}: one id stands for one file",
                                      written, entry(i).written, entry(i).line, manifest.id));
    for (const Deployment::Denied &denied : deployment_.deniedPlugins)
      if (denied.what == manifest.id)
        fail(plugin.line, fmt::format("'{}' is {}, which line {} denies", written, manifest.id, denied.line));
    out_.plugins.push_back({manifest, judged.file.path, judged.file.sha256});
  }

  // By SIXRUNG_PLUGIN_PATH or --plugin, before the deployment.
  void loadedBefore() {
    for (const PluginInfo &info : registry_.plugins()) {
      auto same = std::find_if(out_.plugins.begin(), out_.plugins.end(),
                               [&](const auto &plugin) { return plugin.manifest.id == info.owner.id; });
      size_t line =
          same == out_.plugins.end() ? 1 : entry(static_cast<size_t>(same - out_.plugins.begin())).line;
      if (same != out_.plugins.end() && same->file != info.owner.file)
        fail(line, fmt::format("{} is loaded already, from {}: one id stands for one file", info.owner.id,
                               info.owner.file));
      if (same == out_.plugins.end() && !info.owner.builtin && deployment_.strict)
        fail(line,
             fmt::format("{} is loaded already ({}), and deployment '{}' is strict and does not list it",
                         info.owner.id, info.owner.file, deployment_.name));
    }
  }

  // Who holds `key` when plugin `before` comes: the registry or a plugin listed earlier. Empty: nobody.
  std::string holder(const std::string &key, size_t before) const {
    for (size_t i = before; i-- > 0;)
      if (claimsKey(i, key))
        return named(i);
    std::shared_ptr<const ladder::Owner> owner;
    if (isLowering(key)) {
      const ladder::Table &table = registry_.table();
      const ladder::Entry *user = ladder::findClash(table.user, key);
      const ladder::Entry *found = user ? user : ladder::findClash(table.builtin, key);
      owner = found ? found->owner : nullptr;
    } else if (key.starts_with("emitter:")) {
      const EmitterEntry *found = registry_.emitter(std::string_view(key).substr(8));
      owner = found ? found->owner : nullptr;
    } else if (key.starts_with("composite:")) {
      const CompositeEntry *found = registry_.composite(std::string_view(key).substr(10));
      owner = found ? found->body.owner : nullptr;
    } else if (key.starts_with("strategy:")) {
      const StrategyEntry *found = registry_.strategy(std::string_view(key).substr(9));
      owner = found ? found->owner : nullptr;
    }
    // Of a plugin that is listed here and was loaded before: its own claim.
    if (!owner || (before < out_.plugins.size() && owner->id == out_.plugins[before].manifest.id))
      return {};
    return owner->version.empty() ? owner->id : owner->id + " " + owner->version;
  }

  bool claimsKey(size_t plugin, const std::string &key) const {
    for (const std::string &claimed : claims(out_.plugins[plugin].manifest))
      if (ladder::clashKey(claimed) == ladder::clashKey(key))
        return true;
    return false;
  }

  size_t listed(const std::string &id) const {
    size_t i = 0;
    while (i < out_.plugins.size() && out_.plugins[i].manifest.id != id)
      ++i;
    return i;
  }

  void permission(const Deployment::Override &override) {
    const auto &[key, id, line] = override;
    size_t winner = listed(id);
    if (winner == out_.plugins.size()) {
      std::vector<std::string> ids;
      for (const Inspection::Plugin &plugin : out_.plugins)
        ids.push_back(plugin.manifest.id);
      std::string near = graph::nearest(id, ids);
      fail(line,
           fmt::format("the override of '{}' names {}, which is no plugin of this deployment; {}", key, id,
                       !near.empty() ? fmt::format("did you mean {}?", near)
                       : ids.empty() ? std::string("it lists none")
                                     : fmt::format("it lists {}", fmt::join(ids, ", "))));
    }
    if (!claimsKey(winner, key)) {
      std::string near = graph::nearest(key, claims(out_.plugins[winner].manifest));
      fail(line,
           fmt::format("the override of '{}' names {}, which does not serve that key{}", key, named(winner),
                       near.empty() ? withOverload(key) : fmt::format("; did you mean '{}'?", near)));
    }
    for (size_t i = winner + 1; i < out_.plugins.size(); ++i)
      if (claimsKey(i, key))
        fail(line,
             fmt::format("'{}' is to be {}'s, but {} is listed after it and would take it: list {} last", key,
                         id, named(i), id));
    if (holder(key, winner).empty())
      fail(line,
           fmt::format("the override of '{}' by {} replaces nothing: nobody else serves that key", key,
                       named(winner)),
           "remove this line: a key of one's own needs no permission");
    for (const Deployment::Denied &denied : deployment_.deniedKeys)
      if (ladder::clashKey(denied.what) == ladder::clashKey(key))
        fail(line, fmt::format("'{}' is overridden here and denied in line {}", key, denied.line));
  }

  // "; with its overload it is '...'" for an ATen op written without one, which reads as a bare operator.
  std::string withOverload(const std::string &key) const {
    std::string stem = "aten::" + key + ".", found;
    auto look = [&](const std::string &other) {
      if (found.empty() && other.starts_with(stem))
        found = other;
    };
    for (const Inspection::Plugin &plugin : out_.plugins)
      for (const std::string &claimed : plugin.manifest.lowerings)
        look(claimed);
    for (const auto *entries : {&registry_.table().user, &registry_.table().builtin})
      if (auto it = entries->lower_bound(stem); it != entries->end())
        look(it->first);
    return found.empty() ? found : fmt::format("; with its overload it is '{}'", found);
  }

  const Deployment::Override *permissionFor(const std::string &key) const {
    for (const Deployment::Override &override : deployment_.overrides)
      if (ladder::clashKey(override.key) == ladder::clashKey(key))
        return &override;
    return nullptr;
  }

  void clashes(size_t plugin) {
    const Manifest &manifest = out_.plugins[plugin].manifest;
    size_t line = entry(plugin).line;
    for (const std::string &key : claims(manifest)) {
      std::string held = holder(key, plugin);
      const Deployment::Override *permitted = permissionFor(key);
      if (!held.empty() && !permitted)
        fail(line,
             fmt::format("{} claims '{}', which {} serves, and no override permits it", named(plugin), key,
                         held),
             fmt::format("to permit it, write under [override]: \"{}\" = \"{}\"", key, manifest.id));
      if (!isLowering(key))
        continue;
      bool declared = manifest.overrides.count(key) != 0;
      if (!held.empty() && !declared)
        warn(line,
             fmt::format("{} replaces '{}' of {} without declaring an override", named(plugin), key, held));
      if (held.empty() && declared)
        warn(line,
             fmt::format("{} declares an override of '{}', which nobody else serves", named(plugin), key));
    }
  }

  void denials() {
    for (const Deployment::Denied &denied : deployment_.deniedKeys)
      if (holder(denied.what, out_.plugins.size()).empty())
        warn(denied.line,
             fmt::format("'{}' is denied, and nobody serves it{}", denied.what, withOverload(denied.what)));
    for (const Deployment::Denied &denied : deployment_.deniedPlugins) {
      auto is = [&](const PluginInfo &info) { return info.owner.id == denied.what; };
      if (std::none_of(registry_.plugins().begin(), registry_.plugins().end(), is))
        warn(denied.line, fmt::format("{} is denied, and no such plugin is loaded", denied.what));
    }
  }

  const Deployment &deployment_;
  const Registry &registry_;
  bool pins_;
  Inspection out_;
};

} // namespace

Inspection inspectDeployment(const Deployment &deployment, const Registry &registry, bool pins) {
  return Inspector(deployment, registry, pins).run();
}

std::vector<std::string> applyDeployment(const Deployment &deployment, Registry &registry) {
  Inspection seen = inspectDeployment(deployment, registry);
  for (size_t i = 0; i < seen.plugins.size(); ++i) {
    const Inspection::Plugin &plugin = seen.plugins[i];
    LoadOptions options;
    options.sha256 = plugin.sha256; // the bytes inspected are the bytes opened
    // One that a later plugin replaces in turn needs the permission too; the inspection saw to the order.
    std::vector<std::string> claimed = claims(plugin.manifest);
    for (const Deployment::Override &override : deployment.overrides)
      for (const std::string &key : claimed)
        if (ladder::clashKey(key) == ladder::clashKey(override.key))
          options.allowOverride.insert(key);
    try {
      registry.load(plugin.file, options);
    } catch (const Error &error) {
      Error told(ErrorKind::kPlugin,
                 fmt::format("{}:{}: {}", deployment.path, deployment.plugins[i].line, error.what()));
      for (const auto &[key, value] : error.payload())
        told.with(key, value);
      throw told;
    }
  }
  ladder::Policy policy;
  policy.deployment = deployment.name;
  policy.file = std::filesystem::path(deployment.path).filename().string();
  policy.sha256 = deployment.sha256;
  policy.strict = deployment.strict;
  for (const Deployment::Denied &denied : deployment.deniedKeys)
    policy.deniedKeys.emplace(ladder::clashKey(denied.what), denied.what);
  for (const Deployment::Denied &denied : deployment.deniedPlugins)
    policy.deniedPlugins.insert(denied.what);
  registry.setPolicy(std::move(policy));
  return seen.warnings;
}

} // namespace sixrung::plugin
