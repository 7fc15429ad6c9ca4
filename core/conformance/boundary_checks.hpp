// Calls over the boundary that no conversion makes: hosts too old, hosts that refuse, handles of calls
// that are over. Each runs code of the plugin, in a child.
#pragma once

#include "core/conformance/child.hpp"

#include <string>

namespace sixrung::conformance {

ChildResult opens(const std::string &file);
ChildResult descriptor(const std::string &file);
ChildResult registration(const std::string &file);
ChildResult lateFailure(const std::string &file);
ChildResult olderHosts(const std::string &file);
ChildResult staleHandles(const std::string &file);
ChildResult exceptions(const std::string &file);
ChildResult shutdownRepeats(const std::string &file);

} // namespace sixrung::conformance
