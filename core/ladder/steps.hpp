// The six rungs, each a class with one method.
#pragma once

#include "core/ladder/ladder.hpp"

namespace sixrung::ladder {

struct Query {
  std::string_view key;  // canonical
  std::string_view node; // FX name; empty when dispatched from inside a lowering
};

class Ladder::Step {
public:
  explicit Step(const Table &table) : table_(table) {}
  virtual ~Step() = default;
  // Takes the node unless a rung above did; then the entry here is a loser.
  virtual void offer(const Query &query, Match &match) const = 0;

protected:
  const Table &table_;
};

// LADDER-1..6, top first.
std::vector<std::unique_ptr<Ladder::Step>> makeSteps(const Table &table);

} // namespace sixrung::ladder
