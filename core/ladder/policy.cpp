#include "core/ladder/policy.hpp"

#include "core/ladder/ladder.hpp"

#include <fmt/format.h>

namespace sixrung::ladder {

std::string Policy::denial(std::string_view key, std::string_view plugin) const {
  if (deniedKeys.empty() && deniedPlugins.empty())
    return {};
  if (deniedKeys.count(clashKey(key)))
    return fmt::format("{} is denied by deployment '{}' ({})", key, deployment, file);
  if (deniedPlugins.count(plugin))
    return fmt::format("{} is served by {}, which is denied by deployment '{}' ({})", key, plugin, deployment,
                       file);
  return {};
}

} // namespace sixrung::ladder
