#include "core/lower/provenance.hpp"

#include <llvm/Config/llvm-config.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <set>

namespace sixrung::lower {
namespace {

using Json = nlohmann::ordered_json;

std::string fileName(const std::string &path) { return std::filesystem::path(path).filename().string(); }

Json brief(const ladder::Owner &owner) {
  Json out = {{"id", owner.id}};
  if (!owner.version.empty())
    out["version"] = owner.version;
  return out;
}

Json node(const NodeRecord &record) {
  Json out = {{"node", record.node}, {"key", record.key}};
  if (!record.source.empty())
    out["source"] = record.source;
  out["rung"] = ladder::rungName(record.rung);
  out["plugin"] = record.plugin;
  if (!record.version.empty())
    out["version"] = record.version;
  if (!record.detail.empty())
    out["lowering"] = record.detail;
  if (!record.overridden.empty())
    out["overridden"] = record.overridden;
  if (!record.via.empty()) // plugins it dispatched to
    out["via"] = record.via;
  return out;
}

} // namespace

Provenance describeProvenance(const plugin::Registry &registry, const std::vector<EntryPoint> &entries) {
  Provenance out;
  const ladder::Table &table = registry.table();
  out.policy = table.policy;
  for (const plugin::PluginInfo &info : registry.plugins())
    out.plugins.push_back(info.owner);
  for (const auto &[key, entry] : table.user) {
    if (entry.owner->id == "python")
      out.python.push_back({key, entry.detail, fileName(entry.owner->file), entry.owner->sha256});
    Provenance::Override override{key, *entry.owner, {}};
    auto [first, last] = table.displaced.equal_range(ladder::clashKey(key));
    for (; first != last; ++first)
      override.losers.push_back(*first->second.owner);
    if (const ladder::Entry *builtin = ladder::findClash(table.builtin, key))
      override.losers.push_back(*builtin->owner);
    if (!override.losers.empty())
      out.overrides.push_back(std::move(override));
  }
  // An emitter that was replaced lost an override too.
  std::set<std::string> served;
  for (const plugin::EmitterEntry *emitter : registry.emitters())
    served.insert(emitter->name);
  for (const std::string &name : served) {
    Provenance::Override override{"emitter:" + name, *registry.emitter(name)->owner, {}};
    for (const plugin::PluginInfo &info : registry.plugins())
      for (const std::string &other : info.manifest.emitters)
        if (other == name && info.owner.id != override.winner.id)
          override.losers.push_back(info.owner);
    if (!override.losers.empty())
      out.overrides.push_back(std::move(override));
  }
  for (const EntryPoint &entry : entries)
    out.torch.emplace_back(entry.name, entry.program->torchVersion);
  return out;
}

Json provenanceRecord(const Converted &program) {
  const Provenance &from = program.provenance();
  Json plugins = Json::array(), python = Json::array(), overrides = Json::array();
  for (const ladder::Owner &owner : from.plugins)
    plugins.push_back({{"id", owner.id},
                       {"version", owner.version},
                       {"sha256", owner.sha256},
                       {"file", fileName(owner.file)},
                       {"builtin", owner.builtin}});
  for (const Provenance::PythonLowering &lowering : from.python)
    python.push_back({{"key", lowering.key},
                      {"name", lowering.name},
                      {"file", lowering.file},
                      {"source_sha256", lowering.sha256}});
  for (const Provenance::Override &override : from.overrides) {
    Json losers = Json::array();
    for (const ladder::Owner &loser : override.losers)
      losers.push_back(brief(loser));
    overrides.push_back(
        {{"key", override.key}, {"winner", brief(override.winner)}, {"losers", std::move(losers)}});
  }
  Json entrypoints = Json::array();
  for (const auto &[name, torch] : from.torch) {
    Json nodes = Json::array();
    for (const NodeRecord &record : program.nodes())
      if (record.entrypoint == name)
        nodes.push_back(node(record));
    entrypoints.push_back({{"name", name}, {"torch", torch}, {"nodes", std::move(nodes)}});
  }
  Json deployment = nullptr;
  if (!from.policy.deployment.empty())
    deployment = {{"name", from.policy.deployment},
                  {"file", from.policy.file},
                  {"sha256", from.policy.sha256},
                  {"strict", from.policy.strict}};
  return {{"schema", 1},
          {"version", productVersion()},
          {"abi", abiVersion()},
          {"mlir", LLVM_VERSION_STRING},
          {"deployment", std::move(deployment)},
          {"plugins", std::move(plugins)},
          {"python", std::move(python)},
          {"overrides", std::move(overrides)},
          {"entrypoints", std::move(entrypoints)}};
}

std::string assetMetadata(const Converted &program) {
  return Json{{"sixrung", provenanceRecord(program)}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace sixrung::lower
