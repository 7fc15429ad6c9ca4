// Both doors, and the graph they give.
#include "bindings.hpp"
#include "core/load/load.hpp"
#include "live_door.hpp"

#include <pybind11/stl.h>

namespace sixrung::python {

void bindPrograms(py::module_ &module) {
  py::class_<LiveProgram, std::shared_ptr<LiveProgram>>(module, "GraphProgram",
                                                        "A program as the converter sees it.")
      .def(
          "dump", [](const LiveProgram &self) { return graph::dump(*self.program); },
          "A line-by-line text of everything but weight bytes; equal programs give equal text.")
      .def_property_readonly("node_count",
                             [](const LiveProgram &self) { return self.program->graph.nodes.size(); })
      .def(
          "fx_node",
          [](const LiveProgram &self, const std::string &name) -> py::object {
            for (const graph::Node &node : self.program->graph.nodes)
              if (node.name == name)
                return self.fxNode(&node);
            return py::none();
          },
          py::arg("name"), "The fx.Node of the main graph called `name`; None when there is none.")
      .def(
          "packed",
          [](const LiveProgram &self, const std::string &fqn) {
            auto found = self.program->constants.find(fqn);
            if (found == self.program->constants.end())
              throw py::key_error(fqn);
            auto bytes = graph::pack(found->second);
            return py::bytes(reinterpret_cast<const char *>(bytes.data()), bytes.size());
          },
          py::arg("fqn"), "Row-major bytes of a parameter, buffer or constant.");
  module.def(
      "read_exported_program",
      [](py::object exported) { return std::make_shared<LiveProgram>(readExportedProgram(exported)); },
      py::arg("exported_program"), "Walks a live torch.export.ExportedProgram; weights are borrowed.");
  module.def(
      "load_pt2",
      [](const std::string &path) {
        py::gil_scoped_release release;
        auto live = std::make_shared<LiveProgram>();
        live->program = std::make_shared<graph::Program>(load::loadPt2(path));
        return live;
      },
      py::arg("path"), "Reads an archive written by torch.export.save().");
}

} // namespace sixrung::python
