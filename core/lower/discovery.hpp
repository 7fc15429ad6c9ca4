// Where plugins are found (ABI-14): the built-ins beside the host, and SIXRUNG_PLUGIN_PATH.
// And the SDK to build them with.
#pragma once

#include "core/ladder/ladder.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sixrung::lower {

// The folders of SIXRUNG_PLUGIN_PATH, separated by ':'; throws Error(kPlugin) for one that is no folder.
std::vector<std::string> pluginPathFolders();
// The plugin files of a folder, by name.
std::vector<std::string> pluginFiles(const std::string &folder);

// The prefix of the SDK that came with this host: sdk/ in the package, <build>/sdk in a build tree. Throws
// Error(kIo) when it is missing.
std::string sdkFolder();

// The plugins beside those a session loads, in optional/ of the built-ins' folder and in what
// SIXRUNG_PLUGIN_PATH names, whose manifest has `key` and whose id is not in `loaded`. Runs none of their
// code and never throws.
std::vector<ladder::Owner> absentPlugins(std::set<std::string> loaded, const std::string &builtins,
                                         std::string_view key);

} // namespace sixrung::lower
