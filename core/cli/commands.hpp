// The subcommands; each prints its results and throws what went wrong.
#pragma once

#include "core/cli/exit_codes.hpp"

#include <string>
#include <vector>

namespace sixrung::cli {

// What convert and explain share.
struct ModelOptions {
  std::vector<std::string> models; // "model.pt2" or "name=model.pt2"
  std::string entrypoint = "main"; // of a model without a name
  std::vector<std::string> plugins, allowOverride;
  std::vector<std::string> inputNames, outputNames, stateNames; // "name" or "entrypoint=name"
  std::vector<std::string> externalize; // "STRATEGY" or "STRATEGY:PATH,PATH"
  bool wideIo = false;
  bool json = false;
};

struct ConvertOptions : ModelOptions {
  std::string output;
  std::string mode = "debug"; // or "release"
  std::string python;
  bool optimize = false;
};

struct PluginListOptions {
  std::vector<std::string> plugins;
  std::string serves; // only plugins with this key
  bool keys = false;
  bool json = false;
};

Exit convert(const ConvertOptions &options);
Exit explain(const ModelOptions &options);
Exit listPlugins(const PluginListOptions &options);

} // namespace sixrung::cli
