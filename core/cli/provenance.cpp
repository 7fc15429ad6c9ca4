#include "core/cli/provenance.hpp"

#include <nlohmann/json.hpp>

#include <set>

namespace sixrung::cli {

std::string provenanceJson(lower::Session &session, const lower::Converted &program) {
  std::set<std::string> used;
  for (const lower::NodeRecord &record : program.nodes()) {
    used.insert(record.plugin);
    used.insert(record.via.begin(), record.via.end());
  }
  nlohmann::ordered_json plugins = nlohmann::ordered_json::array();
  for (const plugin::PluginInfo &info : session.registry().plugins())
    if (used.count(info.owner.id))
      plugins.push_back(
          {{"id", info.owner.id}, {"version", info.owner.version}, {"sha256", info.owner.sha256}});
  nlohmann::ordered_json record = {{"sixrung",
                                    {{"version", lower::productVersion()},
                                     {"abi", lower::abiVersion()},
                                     {"plugins", std::move(plugins)}}}};
  return record.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace sixrung::cli
