// What each file adds to the module.
#pragma once

#include <pybind11/pybind11.h>

namespace sixrung::lower {
struct NodeRecord;
}

namespace sixrung::python {

// A node's record as the fields of sixrung.NodeRecord.
pybind11::dict record(const lower::NodeRecord &node);

void bindErrors(pybind11::module_ &module);
void bindCalls(pybind11::module_ &module);
void bindConverted(pybind11::module_ &module);
void bindPrograms(pybind11::module_ &module);
void bindSession(pybind11::module_ &module);

} // namespace sixrung::python
