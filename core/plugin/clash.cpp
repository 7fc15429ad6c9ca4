#include "core/plugin/clash.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sixrung::plugin {
namespace {

bool permitted(const LoadOptions &options, std::string_view key) {
  return std::any_of(options.allowOverride.begin(), options.allowOverride.end(),
                     [&](const std::string &allowed) {
                       return ladder::clashKey(graph::canonicalKey(allowed)) == ladder::clashKey(key);
                     });
}

std::string howToPermit(std::string_view key, bool declared) {
  return fmt::format("{} To permit it: --allow-override {} on the command line, or allow_override in Python",
                     declared ? "It declares the override, but only who deploys permits one."
                              : "It does not declare an override, so this may be an accident.",
                     key);
}

} // namespace

std::string describe(const ladder::Owner &owner) {
  std::string text = owner.id;
  if (!owner.version.empty())
    text += " " + owner.version;
  if (!owner.file.empty())
    text += " (" + owner.file + ")";
  return text;
}

void judgeLowering(const ladder::Table &table, const ladder::Owner &owner, std::string_view key,
                   bool declaredOverride, const LoadOptions &options, Verdict &verdict) {
  auto ns = graph::keyNamespace(key);
  if (owner.builtin && !ns.empty() && ns != "aten" && ns != "prims" && ns != "coreai" && ns != "coreaix" &&
      ns != "higher_order")
    verdict.clashes.push_back(
        fmt::format("key '{}' of a built-in stands on no rung: built-ins serve aten, prims, coreai, "
                    "coreaix, higher_order and bare operators; load it as a private plugin",
                    key));
  const ladder::Entry *user = ladder::findClash(table.user, key);
  const ladder::Entry *builtin = ladder::findClash(table.builtin, key);
  const ladder::Entry *holder = user ? user : builtin;
  if (!holder) {
    if (declaredOverride)
      verdict.remarks.push_back(fmt::format("declares an override of '{}', which nothing else serves", key));
    return;
  }
  // Two built-ins with one key are a broken installation, which no permission mends.
  if ((owner.builtin && builtin) || !permitted(options, key)) {
    verdict.clashes.push_back(fmt::format("key '{}' is already registered{} by {}, and {} claims it too. {}",
                                          key, holder->key == key ? "" : fmt::format(" as '{}'", holder->key),
                                          describe(*holder->owner), describe(owner),
                                          owner.builtin && builtin
                                              ? "Both are built-ins: remove one of the files"
                                              : howToPermit(key, declaredOverride)));
    return;
  }
  if (!declaredOverride)
    verdict.remarks.push_back(fmt::format("replaces '{}' of {} by permission, without declaring an override",
                                          key, describe(*holder->owner)));
  if (user && !owner.builtin)
    verdict.takenUserKeys.push_back(user->key);
}

void judgeEmitter(const std::vector<std::unique_ptr<EmitterEntry>> &emitters, const ladder::Owner &owner,
                  const NewEmitter &emitter, const LoadOptions &options, Verdict &verdict) {
  std::string permission = "emitter:" + emitter.entry.name;
  bool allowed = options.allowOverride.count(permission) != 0;
  for (const auto &other : emitters) {
    std::string contested;
    if (other->name == emitter.entry.name)
      contested = fmt::format("emitter '{}'", other->name);
    else
      for (const std::string &suffix : other->suffixes)
        if (std::count(emitter.entry.suffixes.begin(), emitter.entry.suffixes.end(), suffix))
          contested = fmt::format("file suffix '{}' (emitter '{}')", suffix, other->name);
    if (contested.empty())
      continue;
    if (!allowed)
      verdict.clashes.push_back(fmt::format("{} is already registered by {}, and {} claims it too. {}",
                                            contested, describe(*other->owner), describe(owner),
                                            howToPermit(permission, emitter.declaredOverride)));
    else if (!emitter.declaredOverride)
      verdict.remarks.push_back(fmt::format("replaces {} of {} by permission, without declaring an override",
                                            contested, describe(*other->owner)));
  }
}

void judgeNamed(std::string_view kind, const std::string &name, const ladder::Owner *holder,
                const ladder::Owner &owner, bool declaredOverride, const LoadOptions &options,
                Verdict &verdict) {
  if (!holder) {
    if (declaredOverride)
      verdict.remarks.push_back(
          fmt::format("declares an override of the {} '{}', which nothing else serves", kind, name));
    return;
  }
  std::string permission = fmt::format("{}:{}", kind, name);
  bool both = owner.builtin && holder->builtin;
  if (both || options.allowOverride.count(permission) == 0)
    verdict.clashes.push_back(fmt::format("the {} '{}' is already registered by {}, and {} claims it too. {}",
                                          kind, name, describe(*holder), describe(owner),
                                          both ? "Both are built-ins: remove one of the files"
                                               : howToPermit(permission, declaredOverride)));
  else if (!declaredOverride)
    verdict.remarks.push_back(fmt::format("replaces the {} '{}' of {} by permission, without declaring an "
                                          "override",
                                          kind, name, describe(*holder)));
}

} // namespace sixrung::plugin
