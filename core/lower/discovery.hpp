// Where plugins are found (ABI-14): the built-ins beside the host, and SIXRUNG_PLUGIN_PATH.
// And the SDK to build them with.
#pragma once

#include <string>
#include <vector>

namespace sixrung::lower {

// The folders of SIXRUNG_PLUGIN_PATH, separated by ':'; throws Error(kPlugin) for one that is no folder.
std::vector<std::string> pluginPathFolders();
// The plugin files of a folder, by name.
std::vector<std::string> pluginFiles(const std::string &folder);

// The prefix of the SDK that came with this host: sdk/ in the package, <build>/sdk in a build tree. Throws
// Error(kIo) when it is missing.
std::string sdkFolder();

} // namespace sixrung::lower
