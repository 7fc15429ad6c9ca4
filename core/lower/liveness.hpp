// Which nodes are lowered and which of their results are read.
#pragma once

#include "core/graph/program.hpp"

#include <functional>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace sixrung::lower {

struct Liveness {
  std::vector<bool> live;                    // by node
  std::unordered_set<std::string_view> used; // names read by live nodes or outputs
};

// Assertion ops are dead, and with them what only feeds them. Exported graphs are functional, so a node
// none of whose results is read is dead too; one without results stands for an effect and lives.
Liveness livenessOf(const graph::Graph &graph);

// Every value name an argument refers to, in lists too.
void forEachReference(const graph::Argument &argument, const std::function<void(const std::string &)> &visit);

} // namespace sixrung::lower
