// The nodes of one entrypoint as an externalization strategy sees them, and what it cut out.
#pragma once

#include "core/graph/program.hpp"
#include "core/lower/boundary.hpp"
#include "core/lower/session.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace sixrung::lower {

struct Cut {
  std::string name;
  std::vector<uint32_t> nodes; // in order
  const plugin::StrategyEntry *strategy = nullptr;
};

class Partition {
public:
  Partition(const graph::Program &program, const std::string &entrypoint);

  // Runs a strategy; throws Error naming it when it fails.
  void run(const plugin::StrategyEntry &strategy, const StrategyRequest &request);

  // What the handle of the running strategy stands for.
  static Partition &find(sixrung_partition handle);
  sixrung_partition_info info() const;
  sixrung_partition_node node(uint32_t index);
  void add(const sixrung_cut &cut); // throws failure()

  const std::vector<Cut> &cuts() const { return cuts_; }
  // The nodes that live, in order, and which of them each reads.
  const std::vector<const graph::Node *> &nodes() const { return nodes_; }
  const std::vector<uint32_t> &predecessors(uint32_t node) const { return predecessors_[node]; }
  // The cut a node is in, or -1.
  int cutOf(uint32_t node) const { return cutOf_[node]; }

private:
  void checkConvex(const Cut &cut) const;

  std::string entrypoint_;
  uint32_t generation_ = nextGeneration();
  std::vector<const graph::Node *> nodes_;
  std::vector<std::vector<uint32_t>> predecessors_;
  std::vector<int> cutOf_;
  std::vector<Cut> cuts_;
  // Of the running strategy.
  const plugin::StrategyEntry *strategy_ = nullptr;
  std::vector<std::vector<sixrung_module_frame>> modules_; // by node, when asked for
  std::vector<std::vector<sixrung_str>> optionTexts_;
  std::vector<sixrung_named_arg> options_;
};

} // namespace sixrung::lower
