// What plugins there are, from their manifests alone: no plugin code runs (ABI-3).
#include "core/cli/commands.hpp"

#include "core/cli/report.hpp"
#include "core/cli/table.hpp"
#include "core/graph/program.hpp"
#include "core/lower/discovery.hpp"
#include "core/lower/session.hpp"
#include "core/plugin/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace sixrung::cli {

namespace {

struct Refused {
  std::string file, message;
};

struct Listed {
  std::string file;
  bool builtin = false;
  plugin::Manifest manifest;
};

std::string abi(const plugin::Manifest &manifest) {
  return fmt::format("{}.{}", manifest.abiMajor, manifest.abiMinor);
}

Json json(const Listed &listed) {
  const plugin::Manifest &manifest = listed.manifest;
  return {{"id", manifest.id},
          {"version", manifest.version},
          {"abi", abi(manifest)},
          {"min_host", fmt::format("{}.{}", manifest.abiMajor, manifest.minHostMinor)},
          {"builtin", listed.builtin},
          {"format", manifest.format},
          {"file", listed.file},
          {"lowerings", manifest.lowerings},
          {"overrides", manifest.overrides},
          {"emitters", manifest.emitters},
          {"composites", manifest.composites},
          {"strategies", manifest.strategies}};
}

std::string table(const std::vector<Listed> &plugins, bool keys) {
  Table out({"PLUGIN", "VERSION", "ABI", "BUILT IN", "KEYS", "EMITTERS", "FILE"});
  for (const Listed &listed : plugins) {
    const plugin::Manifest &manifest = listed.manifest;
    out.row({manifest.id, manifest.version, abi(manifest), listed.builtin ? "yes" : "no",
             std::to_string(manifest.lowerings.size()),
             manifest.emitters.empty() ? "-" : fmt::format("{}", fmt::join(manifest.emitters, ",")),
             listed.file});
  }
  std::string text = out.text();
  if (keys)
    for (const Listed &listed : plugins) {
      text += fmt::format("\n{}\n", listed.manifest.id);
      for (const std::string &key : listed.manifest.lowerings)
        text += fmt::format("  {}{}\n", key, listed.manifest.overrides.count(key) ? "  (override)" : "");
      for (const std::string &name : listed.manifest.composites)
        text += fmt::format("  composite {}\n", name);
      for (const std::string &name : listed.manifest.strategies)
        text += fmt::format("  strategy {}\n", name);
    }
  return text;
}

// The keys that are overloads of an op spelled without one.
std::vector<std::string> overloadsOf(std::string_view spelling, const std::vector<Listed> &plugins) {
  if (spelling.substr(0, 10) == "torch.ops.")
    spelling.remove_prefix(10);
  size_t colons = spelling.find("::");
  std::string stem = colons == spelling.npos ? fmt::format("aten::{}", spelling) : std::string(spelling);
  std::set<std::string> found;
  for (const Listed &listed : plugins)
    for (const std::string &key : listed.manifest.lowerings)
      if (key.size() > stem.size() && key.starts_with(stem) && key[stem.size()] == '.')
        found.insert(key);
  return {found.begin(), found.end()};
}

Error unserved(const std::string &spelling, const std::string &key,
               const std::vector<std::string> &overloads) {
  if (!overloads.empty())
    return Error(ErrorKind::kUnsupported,
                 fmt::format("{} lacks the overload; lowered are {}", spelling, fmt::join(overloads, ", ")))
        .with("hint", fmt::format("write --serves {}", overloads.front()));
  Error error(ErrorKind::kUnsupported, fmt::format("no plugin listed here lowers {}", key));
  std::vector<ladder::Owner> absent = lower::absentPlugins({}, lower::builtinFolder(), key);
  return error.with("hint", absent.empty()
                                ? "give the plugin that does with --plugin FILE"
                                : fmt::format("{} {} does: list it with --plugin {}", absent.front().id,
                                              absent.front().version, absent.front().file));
}

} // namespace

Exit listPlugins(const PluginListOptions &options) {
  std::vector<Listed> plugins;
  std::vector<Refused> refused; // one bad file does not hide the others
  auto list = [&](const std::string &file, bool builtin) {
    try {
      plugins.push_back({file, builtin, plugin::readManifest(file)});
    } catch (const Error &error) {
      refused.push_back({file, error.what()});
    }
  };
  if (std::string folder = lower::builtinFolder(); !folder.empty())
    for (const std::string &file : lower::pluginFiles(folder))
      list(file, true);
  for (const std::string &folder : lower::pluginPathFolders())
    for (const std::string &file : lower::pluginFiles(folder))
      list(file, false);
  for (const std::string &file : options.plugins)
    list(file, false);
  if (!options.serves.empty()) {
    std::string key = graph::canonicalKey(options.serves);
    std::vector<std::string> overloads = overloadsOf(options.serves, plugins);
    std::erase_if(plugins, [&](const Listed &listed) {
      const std::vector<std::string> &keys = listed.manifest.lowerings;
      return std::find(keys.begin(), keys.end(), key) == keys.end();
    });
    if (plugins.empty() && refused.empty())
      throw unserved(options.serves, key, overloads);
  }
  if (options.json) {
    Json list = Json::array(), bad = Json::array();
    for (const Listed &listed : plugins)
      list.push_back(json(listed));
    for (const Refused &file : refused)
      bad.push_back({{"file", file.file}, {"message", file.message}});
    printJson(Json{{"plugins", std::move(list)}, {"refused", std::move(bad)}});
  } else {
    printText(table(plugins, options.keys));
    for (const Refused &file : refused)
      complain(file.message);
  }
  return refused.empty() ? kOk : kPlugin;
}

} // namespace sixrung::cli
