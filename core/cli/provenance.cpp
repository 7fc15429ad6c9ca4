// Reads back what produced an output: from an asset's own metadata, or from the record beside it.
#include "core/lower/provenance.hpp"
#include "core/cli/commands.hpp"
#include "core/cli/report.hpp"
#include "core/cli/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>

namespace sixrung::cli {

namespace {

namespace fs = std::filesystem;

Json readJson(const fs::path &file) {
  constexpr uintmax_t kLargest = uintmax_t{256} << 20;
  std::error_code error;
  if (fs::file_size(file, error) > kLargest || error)
    throw Error(ErrorKind::kIo, fmt::format("cannot read '{}': {}", file.string(),
                                            error ? error.message() : "it is too large for a record"));
  std::ifstream in(file, std::ios::binary);
  Json json = Json::parse(in, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object())
    throw Error(ErrorKind::kInvalidInput, fmt::format("'{}' holds no JSON object", file.string()));
  return json;
}

// Of a record that may be of another version, or damaged: what is not there reads as "-".
std::string word(const Json &object, const char *key) {
  if (!object.is_object() || !object.contains(key))
    return "-";
  const Json &value = object.at(key);
  return graph::oneLine(value.is_string() ? value.get<std::string>() : value.dump());
}

Json find(const std::string &path) {
  std::error_code error;
  fs::path given = path, metadata = given / "metadata.json", sidecar = lower::sidecarPath(path);
  Json none;
  if (fs::is_directory(given, error) && fs::exists(metadata, error)) {
    Json all = readJson(metadata);
    for (const char *place : {"creatorDefinedMetadata", ""})
      if (const Json &in = *place ? all.value(place, Json::object()) : all;
          in.is_object() && in.contains("sixrung"))
        return in.at("sixrung");
  }
  bool isSidecar = path.ends_with(".provenance.json");
  fs::path record = isSidecar ? given : sidecar;
  if (fs::exists(record, error)) {
    Json all = readJson(record);
    std::string output =
        isSidecar ? path.substr(0, path.size() - std::string(".provenance.json").size()) : path;
    std::string sha256 = lower::outputSha256(output);
    const Json bound = all.value("output", Json::object());
    if (!sha256.empty() && bound.is_object() && word(bound, "sha256") != sha256)
      throw Error(ErrorKind::kInvalidInput, fmt::format("'{}' tells of another output: '{}' has SHA-256 {}",
                                                        record.string(), output, sha256))
          .with("hint", "one of the two was replaced after the conversion");
    if (all.contains("sixrung"))
      return all.at("sixrung");
  }
  if (!fs::exists(given, error))
    throw Error(ErrorKind::kIo,
                fmt::format("cannot read '{}': {}", path, error ? error.message() : "there is no such file"));
  throw Error(ErrorKind::kInvalidInput,
              fmt::format("'{}' carries no record of sixrung, and '{}' is not there", path, sidecar.string()))
      .with("hint", "assets carry one; for other formats: sixrung convert --provenance");
}

const Json &list(const Json &object, const char *key) {
  static const Json empty = Json::array();
  return object.is_object() && object.contains(key) && object.at(key).is_array() ? object.at(key) : empty;
}

std::string table(const Json &record) {
  std::string out = fmt::format("sixrung {} (plugin ABI {}), MLIR {}\n", word(record, "version"),
                                word(record, "abi"), word(record, "mlir"));
  if (const Json deployment = record.value("deployment", Json()); deployment.is_object())
    out += fmt::format("deployment {} ({}, SHA-256 {})\n", word(deployment, "name"), word(deployment, "file"),
                       word(deployment, "sha256"));
  out += "\n";
  Table plugins({"PLUGIN", "VERSION", "BUILT IN", "SHA-256"});
  for (const Json &plugin : list(record, "plugins"))
    plugins.row({word(plugin, "id"), word(plugin, "version"),
                 plugin.is_object() && plugin.value("builtin", Json()) == Json(true) ? "yes" : "no",
                 word(plugin, "sha256")});
  out += plugins.text();
  for (const Json &lowering : list(record, "python"))
    out += fmt::format("python {} by {} ({}, source SHA-256 {})\n", word(lowering, "key"),
                       word(lowering, "name"), word(lowering, "file"), word(lowering, "source_sha256"));
  for (const Json &override : list(record, "overrides")) {
    std::vector<std::string> losers;
    for (const Json &loser : list(override, "losers"))
      losers.push_back(word(loser, "id") + " " + word(loser, "version"));
    const Json winner = override.is_object() ? override.value("winner", Json()) : Json();
    out += fmt::format("{}: {} {} in place of {}\n", word(override, "key"), word(winner, "id"),
                       word(winner, "version"), fmt::join(losers, ", "));
  }
  for (const Json &entry : list(record, "entrypoints")) {
    out += fmt::format("\n{} (torch {})\n", word(entry, "name"), word(entry, "torch"));
    Table nodes({"NODE", "OP", "SOURCE", "RUNG", "PLUGIN", "OVERRIDES"});
    for (const Json &node : list(entry, "nodes")) {
      std::vector<std::string> losers;
      for (const Json &loser : list(node, "overridden"))
        losers.push_back(loser.is_string() ? loser.get<std::string>() : loser.dump());
      nodes.row({word(node, "node"), word(node, "key"), word(node, "source"), word(node, "rung"),
                 word(node, "plugin"), losers.empty() ? "-" : fmt::format("{}", fmt::join(losers, ", "))});
    }
    out += nodes.text();
  }
  return out;
}

} // namespace

Exit provenance(const ProvenanceOptions &options) {
  Json record = find(options.path);
  if (!record.is_object())
    throw Error(ErrorKind::kInvalidInput,
                fmt::format("the record of '{}' is damaged: it is no JSON object", options.path));
  if (options.json)
    printJson(record);
  else
    printText(table(record));
  return kOk;
}

} // namespace sixrung::cli
