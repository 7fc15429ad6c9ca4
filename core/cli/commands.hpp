// The subcommands; each prints its results and throws what went wrong.
#pragma once

#include "core/cli/exit_codes.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sixrung::cli {

// What convert and explain share.
struct ModelOptions {
  std::vector<std::string> models; // "model.pt2" or "name=model.pt2"
  std::string entrypoint = "main"; // of a model without a name
  std::vector<std::string> plugins, allowOverride;
  std::string deployment;                                       // a file; empty for none
  std::vector<std::string> inputNames, outputNames, stateNames; // "name" or "entrypoint=name"
  std::vector<std::string> externalize;                         // "STRATEGY" or "STRATEGY:PATH,PATH"
  bool wideIo = false;
  bool json = false;
};

struct ConvertOptions : ModelOptions {
  std::string output;
  std::string mode = "debug"; // or "release"
  std::string python;
  bool optimize = false;
  std::optional<bool> sidecar; // the record beside the output; by default when a deployment is used
};

struct ExplainOptions : ModelOptions {
  std::string against; // another deployment: only what it would change
};

struct DeploymentOptions {
  std::string file;
  bool json = false;
};

struct ProvenanceOptions {
  std::string path; // an asset, an output with a sidecar, or a sidecar
  bool json = false;
};

struct PluginListOptions {
  std::vector<std::string> plugins;
  std::string serves; // only plugins with this key
  bool keys = false;
  bool json = false;
};

struct PluginNewOptions {
  std::string name;
  std::string language = "c++"; // or "c": a folder of templates
  std::string output;           // a folder; by default the name
};

struct PluginCheckOptions {
  std::string file;
  std::vector<std::string> samples; // .pt2 files; those in samples/ beside the library come on top
  unsigned timeout = 60;            // seconds, of each check
  bool json = false;
};

Exit convert(const ConvertOptions &options);
Exit explain(const ExplainOptions &options);
Exit checkDeployment(const DeploymentOptions &options);
Exit lockDeployment(const DeploymentOptions &options);
Exit provenance(const ProvenanceOptions &options);
Exit listPlugins(const PluginListOptions &options);
Exit newPlugin(const PluginNewOptions &options);
Exit checkPlugin(const PluginCheckOptions &options);

} // namespace sixrung::cli
