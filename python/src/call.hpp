// One running lowering as Python sees it, over the same table plugins use.
#pragma once

#include "call_arguments.hpp"

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace sixrung::python {

// Dims of a type; None where the size is known only at run time.
using Dims = std::vector<std::optional<int64_t>>;

struct GraphId {
  uint64_t id = 0;
};
// (name, attributes as (name, value) pairs, output names, version) of the known operation a graph spells out.
using Composite = std::tuple<std::string, py::list, std::vector<std::string>, uint32_t>;

class Call {
public:
  Call(const sixrung_host *host, sixrung_call call) : host_(host), call_(call) {}

  py::dict node() const;
  // Arguments as (name, value), values as ValueId.
  py::list arguments() const;
  // What the program says of each result: (kind, dtype, value dtype, dims, used).
  py::list results() const;
  // A value by its name in the graph; None when that name stands for none.
  std::optional<ValueId> value(const std::string &name) const;
  // (kind, dtype, dims)
  py::tuple type(ValueId value) const;
  // (dtype, dims, bytes, splat); None when the value is no constant.
  py::object constantBytes(ValueId value) const;

  ValueId constant(uint32_t dtype, const std::vector<int64_t> &dims, const py::buffer &bytes);
  std::vector<ValueId> build(const std::string &op, const std::vector<ValueId> &operands,
                             const py::list &attributes, const py::object &resultTypes, uint32_t resultCount);
  std::vector<ValueId> lower(const std::string &key, const py::list &arguments, const py::list &results);
  // A private graph with an input for each (name, value), of the value's type; ops go into it until it is
  // closed. Gives the graph and its arguments.
  std::pair<GraphId, std::vector<ValueId>>
  openGraph(const std::string &name, const std::vector<std::pair<std::string, ValueId>> &inputs,
            const std::optional<Composite> &composite);
  void closeGraph(GraphId graph, const std::vector<ValueId> &outputs);
  // Leaves one that is open, because what was to fill it raised.
  void abandonGraph(GraphId graph);
  std::vector<ValueId> invoke(GraphId graph, const std::vector<ValueId> &operands, uint32_t resultCount);
  void remark(uint32_t kind, const std::string &message);
  void setResult(uint32_t index, ValueId value);

private:
  sixrung_node_info info() const;
  // Throws the status as sixrung::Error. When a Python lowering raised behind it, that is the cause.
  void check(sixrung_status *status) const;

  const sixrung_host *host_;
  sixrung_call call_;
};

} // namespace sixrung::python
