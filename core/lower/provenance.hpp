// What exactly produced a program: one record for the command line and Python alike (ABI-13). Nothing in
// it depends on the day or the machine: files are told by name and checksum, never by folder.
#pragma once

#include "core/lower/session.hpp"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sixrung::lower {

// The session as it was when converting; what it loads or registers afterwards had no part.
struct Provenance {
  struct Override {
    std::string key;
    ladder::Owner winner;
    std::vector<ladder::Owner> losers;
  };
  struct PythonLowering {
    std::string key, name, file, sha256; // qualified name; the source's hash
  };
  ladder::Policy policy; // name and checksum of the deployment
  std::vector<ladder::Owner> plugins;
  std::vector<PythonLowering> python;
  std::vector<Override> overrides;
  std::vector<std::pair<std::string, std::string>> torch; // entrypoint, version that exported it
};

Provenance describeProvenance(const plugin::Registry &registry, const std::vector<EntryPoint> &entries);

// The record as JSON; docs/deployments.md lists its keys.
nlohmann::ordered_json provenanceRecord(const Converted &program);
// {"sixrung": record}: each member becomes an entry of the asset's own metadata.
std::string assetMetadata(const Converted &program);

// "model.aimodel" -> "model.aimodel.provenance.json"
std::string sidecarPath(std::string_view output);
// Session::emit, and the record beside the output, bound to it by the output's checksum. The record is
// written aside before the output is made, and takes its place right after it.
void emitWithSidecar(Session &session, Converted &program, const std::string &path,
                     const std::string &emitter = {}, const std::map<std::string, std::string> &options = {});

// The checksum a sidecar has of an output: of the file, or of an asset's main.mlirb. Empty when there is
// none to read.
std::string outputSha256(const std::string &path);

} // namespace sixrung::lower
