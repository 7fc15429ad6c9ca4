// From the words of a command line to a session and the entrypoints it converts.
#pragma once

#include "core/cli/commands.hpp"
#include "core/cli/progress.hpp"
#include "core/lower/session.hpp"

#include <vector>

namespace sixrung::cli {

// Throws Error; its warnings go to stderr.
void useDeployment(lower::Session &session, const std::string &file);

// Loads the deployment and the plugins asked for. Throws Error(kPlugin), also for a permission nothing made
// use of.
void loadPlugins(lower::Session &session, const ModelOptions &options);

// Reads every model. Throws UsageError when names clash or name no entrypoint.
std::vector<lower::EntryPoint> loadEntries(const ModelOptions &options, Progress &progress);

// What every conversion by the command line starts from.
lower::ConvertOptions conversion(const ModelOptions &options, Progress &progress);

} // namespace sixrung::cli
