#include "core/lower/partition.hpp"

#include "core/lower/host_slots.hpp"
#include "core/lower/liveness.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace sixrung::lower {
namespace {

// As with calls: a partition is known on the thread that runs its strategy, and only while that runs.
std::vector<Partition *> &running() {
  thread_local std::vector<Partition *> partitions;
  return partitions;
}

} // namespace

Partition::Partition(const graph::Program &program, const std::string &entrypoint) : entrypoint_(entrypoint) {
  Liveness liveness = livenessOf(program.graph);
  std::unordered_map<std::string_view, uint32_t> makers;
  for (size_t i = 0; i < program.graph.nodes.size(); ++i) {
    const graph::Node &node = program.graph.nodes[i];
    if (!liveness.live[i])
      continue;
    std::vector<uint32_t> read;
    for (const graph::NamedArgument &input : node.inputs)
      forEachReference(input.value, [&](const std::string &name) {
        if (auto maker = makers.find(name); maker != makers.end())
          read.push_back(maker->second);
      });
    std::sort(read.begin(), read.end());
    read.erase(std::unique(read.begin(), read.end()), read.end());
    for (const std::string &output : node.outputs)
      if (!output.empty())
        makers.emplace(output, static_cast<uint32_t>(nodes_.size()));
    nodes_.push_back(&node);
    predecessors_.push_back(std::move(read));
  }
  cutOf_.assign(nodes_.size(), -1);
  modules_.resize(nodes_.size());
}

Partition &Partition::find(sixrung_partition handle) {
  for (Partition *partition : running())
    if (partition->generation_ == generationOf(handle.id) && indexOf(handle.id) == 0)
      return *partition;
  throw failure(SIXRUNG_STALE_HANDLE, "the strategy is over, or belongs to another thread");
}

sixrung_partition_info Partition::info() const {
  sixrung_partition_info info{};
  info.node_count = static_cast<uint32_t>(nodes_.size());
  info.option_count = static_cast<uint32_t>(options_.size());
  info.entrypoint = toStr(entrypoint_);
  info.options = options_.data();
  return info;
}

sixrung_partition_node Partition::node(uint32_t index) {
  if (index >= nodes_.size())
    throw failure(SIXRUNG_INVALID_ARGUMENT,
                  fmt::format("node {} is asked for, and there are {}", index, nodes_.size()));
  const graph::Node &node = *nodes_[index];
  std::vector<sixrung_module_frame> &modules = modules_[index];
  if (modules.empty())
    for (const graph::ModuleFrame &frame : node.modules)
      modules.push_back({toStr(frame.path), toStr(frame.type)});
  sixrung_partition_node info{};
  info.module_count = static_cast<uint32_t>(modules.size());
  info.predecessor_count = static_cast<uint32_t>(predecessors_[index].size());
  info.taken = cutOf_[index] >= 0;
  info.name = toStr(node.name);
  info.key = toStr(node.target);
  info.modules = modules.data();
  info.predecessors = predecessors_[index].data();
  return info;
}

void Partition::add(const sixrung_cut &given) {
  Cut cut;
  cut.strategy = strategy_;
  cut.name = std::string(fromStr(given.name, "the cut's name"));
  if (cut.name.empty() || given.flags != 0 || given.reserved != 0)
    throw failure(SIXRUNG_INVALID_ARGUMENT, "a cut needs a name, and has no flags");
  if (given.node_count == 0 || given.node_count > nodes_.size() || !given.nodes)
    throw failure(SIXRUNG_INVALID_ARGUMENT, fmt::format("the cut '{}' announces {} nodes of {}", cut.name,
                                                        given.node_count, nodes_.size()));
  for (const Cut &other : cuts_)
    if (other.name == cut.name)
      throw failure(SIXRUNG_ALREADY_EXISTS, fmt::format("two cuts are called '{}'", cut.name));
  cut.nodes.assign(given.nodes, given.nodes + given.node_count);
  std::sort(cut.nodes.begin(), cut.nodes.end());
  for (size_t i = 0; i < cut.nodes.size(); ++i) {
    uint32_t node = cut.nodes[i];
    if (node >= nodes_.size() || (i != 0 && node == cut.nodes[i - 1]))
      throw failure(SIXRUNG_INVALID_ARGUMENT,
                    fmt::format("the cut '{}' holds node {} twice, or there is none such", cut.name, node));
    if (cutOf_[node] >= 0)
      throw failure(SIXRUNG_INVALID_ARGUMENT,
                    fmt::format("node '{}' is in the cuts '{}' and '{}'", nodes_[node]->name,
                                cuts_[static_cast<size_t>(cutOf_[node])].name, cut.name));
  }
  checkConvex(cut);
  for (uint32_t node : cut.nodes)
    cutOf_[node] = static_cast<int>(cuts_.size());
  cuts_.push_back(std::move(cut));
}

// A path that leaves the cut and comes back would make its graph wait for itself.
void Partition::checkConvex(const Cut &cut) const {
  std::vector<bool> inside(nodes_.size(), false);
  for (uint32_t node : cut.nodes)
    inside[node] = true;
  std::vector<int64_t> from(nodes_.size(), -1); // for a node outside: who hands on a value of the cut
  for (uint32_t node = cut.nodes.front(); node <= cut.nodes.back(); ++node) {
    for (uint32_t read : predecessors_[node]) {
      if (inside[node] && from[read] >= 0) {
        std::string path = nodes_[node]->name;
        for (int64_t at = read;; at = from[static_cast<size_t>(at)]) {
          path = fmt::format("{} -> {}", nodes_[static_cast<size_t>(at)]->name, path);
          if (inside[static_cast<size_t>(at)])
            break;
        }
        throw failure(SIXRUNG_INVALID_ARGUMENT,
                      fmt::format("the cut '{}' would wait for itself: the path {} leaves it and comes back",
                                  cut.name, path))
            .with("hint", "add the nodes in between to the cut, or leave the last one out");
      }
      if (!inside[node] && (inside[read] || from[read] >= 0))
        from[node] = read;
    }
  }
}

void Partition::run(const plugin::StrategyEntry &strategy, const StrategyRequest &request) {
  strategy_ = &strategy;
  optionTexts_.clear();
  options_.clear();
  for (const auto &[name, texts] : request.options) {
    std::vector<sixrung_str> &list = optionTexts_.emplace_back();
    for (const std::string &text : texts)
      list.push_back(toStr(text));
    options_.push_back({toStr(name),
                        {SIXRUNG_ARG_STRING_LIST, static_cast<uint32_t>(list.size()),
                         reinterpret_cast<uintptr_t>(list.data())}});
  }
  struct Running {
    explicit Running(Partition &partition) { running().push_back(&partition); }
    ~Running() { running().pop_back(); }
  } guard(*this);
  try {
    sixrung_status *status = nullptr;
    try {
      status = strategy.fn(hostTable(), strategy.user, sixrung_partition{makeId(generation_, 0)});
    } catch (const std::exception &error) { // no exception may cross (ABI-7); one that does is named
      throw failure(SIXRUNG_INTERNAL, fmt::format("an exception left the strategy: {}", error.what()));
    } catch (...) {
      throw failure(SIXRUNG_INTERNAL, "an exception that is no std::exception left the strategy");
    }
    plugin::throwIfFailed(status, ErrorKind::kInvalidInput);
  } catch (const Error &error) {
    const ladder::Owner &owner = *strategy.owner;
    Error wrapped(error.kind(),
                  fmt::format("externalizing nodes of {}: strategy '{}' of {} {}: {}", entrypoint_,
                              strategy.name, owner.id, owner.version, error.what()));
    for (const auto &[key, value] : error.payload())
      wrapped.with(key, value);
    throw wrapped.with("plugin", owner.id);
  }
}

namespace slots {

sixrung_status *partition_info(sixrung_partition partition, sixrung_partition_info *out) {
  return guarded([&] {
    Partition &found = Partition::find(partition);
    uint32_t size = commonSize(out, "the partition info");
    writeStruct(out, found.info(), size);
  });
}

sixrung_status *partition_node(sixrung_partition partition, uint32_t index, sixrung_partition_node *out) {
  return guarded([&] {
    Partition &found = Partition::find(partition);
    uint32_t size = commonSize(out, "the node of the partition");
    writeStruct(out, found.node(index), size);
  });
}

sixrung_status *partition_cut(sixrung_partition partition, const sixrung_cut *cut) {
  return guarded([&] { Partition::find(partition).add(readStruct(cut, "the cut")); });
}

} // namespace slots
} // namespace sixrung::lower
