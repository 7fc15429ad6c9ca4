// One entrypoint: its arguments, states, nodes and outputs.
#pragma once

#include "core/lower/graph_lowering.hpp"
#include "core/lower/ports.hpp"
#include "core/lower/session.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace sixrung::lower {

class EntryLowering {
public:
  EntryLowering(mlir::ModuleOp module, const ladder::Ladder &ladder, const plugin::Registry &registry,
                const EntryPoint &entry, const ConvertOptions &options);

  // Checks the program, its names and that every node has a lowering; builds nothing.
  void plan();
  void setOrigins(const Origins &origins) { lowering_.origins = &origins; }
  size_t liveNodes() const { return lowering_.liveNodes(); }
  void build(const std::function<void()> &onNode);

  std::vector<NodeRecord> takeRecords() { return lowering_.takeRecords(); }
  std::vector<StateInfo> takeStates() { return std::move(states_); }
  EntryInfo takeInfo() { return std::move(info_); }

private:
  // One argument of the coreai.graph.
  struct PlannedPort {
    const graph::InputSpec *spec = nullptr;
    mlir::RankedTensorType type; // of the value; a state's argument is a handle on it
    std::string name;
    std::string note;
    bool state = false;
  };

  void findMutations();
  void planInput(const graph::InputSpec &spec, PortKind kind, const Liveness &liveness);
  // Throws for an input that Core AI has no value for and that is needed.
  void refuseValueless(const graph::InputSpec &spec, const graph::ValueMeta &meta, const Liveness &liveness);
  void planTensor(const graph::InputSpec &spec, const graph::TensorMeta &meta, bool constant);
  void nameArguments();
  void bindInputs();
  void bindConstant(const graph::InputSpec &spec);
  void writeStates();
  void finish();
  mlir::Value outputValue(size_t index);
  std::vector<std::string> nameOutputs() const;

  mlir::ModuleOp module_;
  const EntryPoint &entry_;
  const graph::Program &program_;
  const ConvertOptions &options_;
  GraphLowering lowering_;
  NameScope scope_;
  PortNames names_;
  std::map<std::string, size_t, std::less<>> mutated_; // FQN or input name -> output
  std::map<std::string, size_t, std::less<>> stateOf_; // the same -> port
  std::vector<PlannedPort> ports_;
  std::unique_ptr<ir::GraphBuilder> builder_;
  std::vector<StateInfo> states_;
  EntryInfo info_;
};

PortInfo portInfo(const std::string &name, mlir::RankedTensorType type);

} // namespace sixrung::lower
