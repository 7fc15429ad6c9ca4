// The second door: a live torch.export.ExportedProgram to graph::Program. Needs the GIL.
#pragma once

#include "live_graph.hpp"

#include <memory>
#include <vector>

namespace sixrung::python {

struct LiveProgram {
  std::shared_ptr<graph::Program> program;
  std::vector<LiveNodes> nodes; // of the main graph and every subgraph

  // The fx.Node behind a node of the program; None for any other.
  py::object fxNode(const graph::Node *node) const;
};

// Weights are borrowed from the program's tensors, and their storages kept alive. Throws Error.
LiveProgram readExportedProgram(py::handle exportedProgram);

// The bytes of a CPU tensor, borrowed. Throws Error naming `fqn` for a tensor without plain bytes:
// fake, meta, on another device, quantized, sparse, nested, or a subclass.
graph::TensorData borrowTensor(const std::string &fqn, py::handle tensor, MetaReader &meta);

} // namespace sixrung::python
