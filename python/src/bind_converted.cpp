// Converted programs: text, bytecode, records, states.
#include "bindings.hpp"
#include "core/graph/dtype.hpp"
#include "core/ladder/ladder.hpp"
#include "core/lower/session.hpp"

#include <pybind11/stl.h>

namespace py = pybind11;

namespace sixrung::python {
using lower::Converted;

py::dict record(const lower::NodeRecord &node) {
  py::dict out;
  out["entrypoint"] = node.entrypoint;
  out["node"] = node.node;
  out["key"] = node.key;
  out["source"] = node.source;
  out["rung"] = std::string(ladder::rungName(node.rung));
  out["plugin"] = node.plugin;
  out["version"] = node.version;
  out["detail"] = node.detail;
  out["overridden"] = node.overridden;
  out["ops"] = node.ops;
  out["remarks"] = node.remarks;
  return out;
}

namespace {

py::dict state(const lower::StateInfo &info, bool initial) {
  py::dict out;
  out["entrypoint"] = info.entrypoint;
  out["name"] = info.name;
  out["dtype"] = std::string(graph::dtypeName(info.valueDtype));
  py::list sizes;
  for (const graph::SymInt &size : info.meta.sizes)
    sizes.append(size.value ? py::object(py::int_(*size.value)) : py::object(py::none()));
  out["shape"] = sizes;
  out["initial"] =
      info.hasInitial && initial
          ? py::object(py::bytes(reinterpret_cast<const char *>(info.initial.data()), info.initial.size()))
          : py::object(py::none());
  return out;
}

py::list ports(const std::vector<lower::PortInfo> &infos) {
  py::list out;
  for (const lower::PortInfo &port : infos) {
    py::list dims;
    for (int64_t dim : port.dims)
      dims.append(dim < 0 ? py::object(py::none()) : py::object(py::int_(dim)));
    out.append(py::make_tuple(port.name, std::string(graph::dtypeName(port.dtype)), dims));
  }
  return out;
}

} // namespace

void bindConverted(py::module_ &module) {
  using Release = py::call_guard<py::gil_scoped_release>;
  py::class_<Converted, std::shared_ptr<Converted>>(module, "Converted", "A converted program.")
      .def("text", &Converted::text, py::arg("generic") = false, py::arg("largest") = py::none(), Release(),
           "The program as MLIR text; constants of more than `largest` bytes are left out.")
      .def(
          "bytecode",
          [](const Converted &self) {
            std::string bytes;
            {
              py::gil_scoped_release release;
              bytes = self.bytecode();
            }
            return py::bytes(bytes);
          },
          "The program as MLIR bytecode.")
      .def("write_bytecode", &Converted::writeBytecode, py::arg("path"), Release(),
           "Streams the bytecode to a file; weights are not copied.")
      .def("op_count", &Converted::opCount)
      .def(
          "nodes",
          [](const Converted &self) {
            py::list out;
            for (const auto &node : self.nodes())
              out.append(record(node));
            return out;
          },
          "Who lowered what, node by node.")
      .def(
          "states",
          [](const Converted &self, bool initial) {
            py::list out;
            for (const auto &info : self.states())
              out.append(state(info, initial));
            return out;
          },
          py::arg("initial") = true,
          "Mutable buffers and mutated inputs; with the bytes of their `initial` values.")
      .def(
          "entries",
          [](const Converted &self) {
            py::list out;
            for (const auto &entry : self.entries())
              out.append(py::make_tuple(entry.name, ports(entry.inputs), ports(entry.outputs)));
            return out;
          },
          "(name, inputs, outputs) of each entrypoint; ports are (name, dtype, dims).");
}

} // namespace sixrung::python
