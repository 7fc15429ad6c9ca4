// What each file adds to the module.
#pragma once

#include <pybind11/pybind11.h>

namespace sixrung::python {

void bindErrors(pybind11::module_ &module);
void bindCalls(pybind11::module_ &module);
void bindConverted(pybind11::module_ &module);
void bindPrograms(pybind11::module_ &module);
void bindSession(pybind11::module_ &module);

} // namespace sixrung::python
