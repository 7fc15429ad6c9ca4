// sixrung._core: the host for Python.
#include "bindings.hpp"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The sixrung host: both doors, sessions, converted programs.";
  sixrung::python::bindErrors(module);
  sixrung::python::bindPrograms(module);
  sixrung::python::bindCalls(module);
  sixrung::python::bindConverted(module);
  sixrung::python::bindSession(module);
}
