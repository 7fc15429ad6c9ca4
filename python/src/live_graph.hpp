// FX graphs to graph::Graph, the way torch's serializer would write them.
#pragma once

#include "live_meta.hpp"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace sixrung::python {

// The fx.Node behind each graph::Node of one graph, in order.
struct LiveNodes {
  const graph::Graph *graph = nullptr;
  std::vector<py::object> nodes;
};

// Walks one FX graph and, through it, the graph modules its nodes refer to.
class GraphReader {
public:
  GraphReader(MetaReader &meta, std::vector<LiveNodes> &record)
      : meta_(meta), names_(meta.names), record_(record) {}

  // Fills `out`, which must not move afterwards: `record` refers to it.
  void read(py::handle graphModule, graph::Graph &out);
  // A literal or node as an argument; also for signatures.
  graph::Argument argument(py::handle object);
  // The name a value goes by: that of the first `getitem` for repeated ones.
  std::string nameOf(const std::string &fxName) const;

private:
  // What an fx.Node stands for in the graph under construction.
  struct Bound {
    std::string name;
    graph::ValueMeta::Kind kind = graph::ValueMeta::Kind::kNone;
  };

  void placeholder(py::handle node, graph::Graph &out);
  void output(py::handle node, graph::Graph &out);
  void call(py::handle node, graph::Graph &out);
  void inputs(py::handle fx, const Target &target, bool symbolic, graph::Node &node);
  void results(py::handle fx, const Target &target, bool symbolic, graph::Node &node, graph::Graph &out);
  void severalResults(py::handle fx, py::handle metas, graph::Node &node, graph::Graph &out);
  // Users of `fx` by the index they take; repeated takes of one index become aliases.
  std::vector<py::handle> takers(py::handle fx, size_t count);
  std::string bind(py::handle fx, py::handle val, graph::Graph &out);
  void provenance(py::handle meta, graph::Node &node);
  graph::Argument reference(py::handle fx);
  graph::Argument subgraph(py::handle fx);
  py::object valueMeta(py::handle fx);

  MetaReader &meta_;
  const Names &names_;
  std::vector<LiveNodes> &record_;
  int depth_ = 0;
  std::unordered_map<PyObject *, Bound> bound_;
  std::unordered_map<std::string, std::string> aliases_;
  std::unordered_map<PyObject *, std::shared_ptr<graph::Graph>> subgraphs_; // by graph module
};

} // namespace sixrung::python
