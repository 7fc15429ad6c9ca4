// Deployment files: checked as a conversion would use them, and pinned.
#include "core/plugin/deployment.hpp"
#include "core/cli/commands.hpp"
#include "core/cli/report.hpp"
#include "core/cli/table.hpp"
#include "core/lower/session.hpp"

#include <fmt/format.h>

namespace sixrung::cli {

Exit checkDeployment(const DeploymentOptions &options) {
  plugin::Deployment deployment = plugin::readDeployment(options.file);
  lower::Session session;
  plugin::Inspection seen = plugin::inspectDeployment(deployment, session.registry());
  plugin::applyDeployment(deployment, session.registry()); // what only a plugin's own code can show
  if (options.json) {
    Json plugins = Json::array();
    for (size_t i = 0; i < seen.plugins.size(); ++i)
      plugins.push_back({{"id", seen.plugins[i].manifest.id},
                         {"version", seen.plugins[i].manifest.version},
                         {"path", deployment.plugins[i].written},
                         {"sha256", seen.plugins[i].sha256},
                         {"pinned", !deployment.plugins[i].sha256.empty()}});
    Json overrides = Json::array();
    for (const plugin::Deployment::Override &override : deployment.overrides)
      overrides.push_back({{"key", override.key}, {"plugin", override.plugin}});
    printJson(Json{{"name", deployment.name},
                   {"sha256", deployment.sha256},
                   {"strict", deployment.strict},
                   {"plugins", std::move(plugins)},
                   {"overrides", std::move(overrides)},
                   {"warnings", seen.warnings}});
    return kOk;
  }
  for (const std::string &warning : seen.warnings)
    warn(warning);
  std::string text =
      fmt::format("deployment '{}' is in order{}\n", deployment.name, deployment.strict ? " (strict)" : "");
  if (!seen.plugins.empty()) {
    Table table({"PLUGIN", "VERSION", "PINNED", "PATH"});
    for (size_t i = 0; i < seen.plugins.size(); ++i)
      table.row({seen.plugins[i].manifest.id, seen.plugins[i].manifest.version,
                 deployment.plugins[i].sha256.empty() ? "no" : "yes", deployment.plugins[i].written});
    text += table.text();
  }
  for (const plugin::Deployment::Override &override : deployment.overrides)
    text += fmt::format("{} by {}\n", override.key, override.plugin);
  printText(text);
  return kOk;
}

Exit lockDeployment(const DeploymentOptions &options) {
  lower::Session session;
  plugin::Locked locked = plugin::lockDeployment(options.file, session.registry());
  for (const plugin::Locked::Replaced &replaced : locked.replaced)
    warn(plugin::describe(replaced));
  printText(locked.written ? fmt::format("{}: {} pin{} written\n", options.file, locked.written,
                                         locked.written == 1 ? "" : "s")
                           : fmt::format("{}: every pin is right already\n", options.file));
  return kOk;
}

} // namespace sixrung::cli
