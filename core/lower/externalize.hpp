// An entrypoint whose cuts are single nodes, each lowered by name on rung 1 to a private graph (LADDER-1).
#pragma once

#include "core/ladder/ladder.hpp"
#include "core/lower/graph_lowering.hpp"
#include "core/lower/partition.hpp"
#include "core/lower/session.hpp"

#include <memory>
#include <string>
#include <vector>

namespace sixrung::lower {

class Externalized {
public:
  // Runs the strategies on a checked program. Throws Error.
  Externalized(const plugin::Registry &registry, const EntryPoint &entry,
               const std::vector<StrategyRequest> &strategies);

  const EntryPoint &entry() const { return entry_; }
  // The session's, with this entrypoint's rung 1.
  const ladder::Ladder &ladder() const { return *ladder_; }
  // A private graph and an entrypoint share one name space. Throws Error.
  void checkNames(const std::vector<EntryPoint> &entries) const;
  // The nodes of the program as given, by those of the entry's own that stand for them.
  const Origins &origins() const { return origins_; }

private:
  void install(const graph::Node &node, const Cut &cut);

  EntryPoint entry_;
  std::vector<std::string> names_;
  Origins origins_;
  ladder::Table table_;
  std::unique_ptr<ladder::Ladder> ladder_;
};

} // namespace sixrung::lower
