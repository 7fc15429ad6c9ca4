// Arguments of FX nodes: literals, references, lists and subgraphs.
#include "live_graph.hpp"

#include "core/graph/error.hpp"

namespace sixrung::python {

using graph::Argument;
using graph::ValueMeta;

Argument GraphReader::argument(py::handle object) {
  PyObject *raw = object.ptr();
  Argument out;
  if (meta_.isNode(object))
    return reference(object);
  if (raw == Py_None)
    return out;
  if (PyBool_Check(raw)) {
    out.value = raw == Py_True;
  } else if (PyLong_CheckExact(raw)) {
    int64_t value = PyLong_AsLongLong(raw);
    if (value == -1 && PyErr_Occurred())
      throw py::error_already_set();
    out.value = value;
  } else if (PyFloat_CheckExact(raw)) {
    out.value = PyFloat_AS_DOUBLE(raw);
  } else if (PyTuple_Check(raw) || PyList_Check(raw)) {
    graph::ArgumentList list;
    Py_ssize_t count = PySequence_Fast_GET_SIZE(raw);
    list.reserve(static_cast<size_t>(count));
    for (Py_ssize_t i = 0; i < count; ++i)
      list.push_back(argument(PySequence_Fast_GET_ITEM(raw, i)));
    out.value = std::move(list);
  } else if (PyUnicode_CheckExact(raw)) {
    out.value = text(object);
  } else if (PyComplex_CheckExact(raw)) {
    out.value = std::complex<double>(PyComplex_RealAsDouble(raw), PyComplex_ImagAsDouble(raw));
  } else if (!meta_.literal(object, out)) {
    throw Error(ErrorKind::kUnsupported, "an argument of type " + typeName(object) +
                                             " is not understood; exported programs hold numbers, strings, "
                                             "tensors, lists of them, dtypes, devices and graph modules");
  }
  return out;
}

Argument GraphReader::reference(py::handle fx) {
  auto found = bound_.find(fx.ptr());
  if (found == bound_.end()) {
    if (text(get(fx, names_.op)) == "get_attr")
      return subgraph(fx);
    throw Error(ErrorKind::kInvalidInput,
                "node '" + text(get(fx, names_.name)) + "' is used before or without giving one value");
  }
  Argument out;
  const Bound &bound = found->second;
  switch (bound.kind) {
  case ValueMeta::Kind::kSymInt:
    out.value = graph::SymIntRef{bound.name};
    break;
  case ValueMeta::Kind::kSymFloat:
    out.value = graph::SymFloatRef{bound.name};
    break;
  case ValueMeta::Kind::kSymBool:
    out.value = graph::SymBoolRef{bound.name};
    break;
  default:
    if (!bound.name.empty()) // else a result that is None
      out.value = graph::ValueRef{bound.name};
  }
  return out;
}

Argument GraphReader::subgraph(py::handle fx) {
  std::string name = text(get(fx, names_.target));
  py::object owner = get(get(fx, names_.graph), py::str("owning_module"));
  py::object module = owner;
  for (size_t begin = 0; begin <= name.size();) { // "submod.true_graph_0"
    size_t dot = std::min(name.find('.', begin), name.size());
    module = get(module, py::str(name.substr(begin, dot - begin)));
    begin = dot + 1;
  }
  if (meta_.isTensor(module))
    throw Error(ErrorKind::kInvalidInput,
                "node '" + text(get(fx, names_.name)) + "' reads the tensor '" + name +
                    "' from its module instead of taking it as an input. Export again with "
                    "torch.export.export(), which lifts tensors to inputs.");
  if (!meta_.isGraphModule(module))
    throw Error(ErrorKind::kUnsupported, "node '" + text(get(fx, names_.name)) + "' reads '" + name +
                                             "', a " + typeName(module) +
                                             "; only graph modules are understood");
  std::shared_ptr<graph::Graph> &graph = subgraphs_[module.ptr()];
  if (!graph) {
    graph = std::make_shared<graph::Graph>();
    auto body = graph; // the map may grow below
    read(module, *body);
    Argument out;
    out.value = graph::SubgraphArg{std::move(name), std::move(body)};
    return out;
  }
  Argument out;
  out.value = graph::SubgraphArg{std::move(name), graph};
  return out;
}

} // namespace sixrung::python
