// Who would lower each node, without converting: for programs that cannot be.
#pragma once

#include "core/lower/session.hpp"

namespace sixrung::lower {

// The ladder's answer for every node of the main graphs; ops stay empty.
std::vector<NodeRecord> resolveNodes(const Session &session, const std::vector<EntryPoint> &entries,
                                     const std::string &sourceRoot);

} // namespace sixrung::lower
