// Attribute names the live door reads, interned once: a lookup then compares pointers. Those with an
// underscore are what properties written in Python return; reading them runs no Python code.
#pragma once

#include <pybind11/pybind11.h>

namespace sixrung::python {

namespace py = pybind11;

struct Names {
#define SIXRUNG_NAMES(X)                                                                                     \
  X(arg)                                                                                                     \
  X(arguments) X(constants) X(data) X(device) X(dtype) X(element_size) X(expr) X(fqn) X(graph)               \
      X(graph_module) X(graph_signature) X(input_specs) X(is_conj) X(is_neg) X(is_nested) X(is_quantized)    \
          X(kind) X(kwarg_only) X(layout) X(lower) X(meta) X(module_call_graph) X(name) X(nn_module_stack)   \
              X(node) X(nodes) X(op) X(output_specs) X(persistent) X(range_constraints) X(requires_grad)     \
                  X(returns) X(shape) X(stack_trace) X(state_dict) X(storage_offset) X(stride) X(target)     \
                      X(untyped_storage) X(upper) X(users) X(val) X(value) X(__name__) X(__module__)         \
                          X(__qualname__) X(_args) X(_expr) X(_fake_device) X(_kwargs) X(_schema)
#define SIXRUNG_NAME(n) py::str n;
  SIXRUNG_NAMES(SIXRUNG_NAME)
#undef SIXRUNG_NAME

  Names() {
#define SIXRUNG_NAME(n) n = py::reinterpret_steal<py::str>(PyUnicode_InternFromString(#n));
    SIXRUNG_NAMES(SIXRUNG_NAME)
#undef SIXRUNG_NAME
  }
#undef SIXRUNG_NAMES
};

// An attribute that must be there; the Python error otherwise.
inline py::object get(py::handle object, const py::str &name) {
  PyObject *value = PyObject_GetAttr(object.ptr(), name.ptr());
  if (!value)
    throw py::error_already_set();
  return py::reinterpret_steal<py::object>(value);
}

// A borrowed item of a dict, or a null handle.
inline py::handle item(py::handle dict, const py::str &name) {
  PyObject *value = PyDict_GetItemWithError(dict.ptr(), name.ptr());
  if (!value && PyErr_Occurred())
    throw py::error_already_set();
  return value;
}

// UTF-8 of a str; throws for anything else.
inline std::string text(py::handle object) {
  Py_ssize_t size = 0;
  const char *data = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (!data)
    throw py::error_already_set();
  return {data, static_cast<size_t>(size)};
}

inline std::string typeName(py::handle object) { return Py_TYPE(object.ptr())->tp_name; }

} // namespace sixrung::python
