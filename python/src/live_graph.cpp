#include "live_graph.hpp"

#include "core/graph/error.hpp"
#include "core/load/load.hpp"

#include <algorithm>

namespace sixrung::python {

using graph::Argument;
using graph::ValueMeta;

namespace {

[[noreturn]] void refuse(const std::string &message) { throw Error(ErrorKind::kInvalidInput, message); }

// The Python error behind `error` in one line, as an Error that names the node.
Error located(py::error_already_set &error, const std::string &node) {
  return Error(ErrorKind::kInvalidInput, "node '" + node + "' cannot be read: " + error.what())
      .with("node", node);
}

} // namespace

void GraphReader::read(py::handle graphModule, graph::Graph &out) {
  // Names are unique in one graph only, and so is everything bound to them.
  auto outerBound = std::exchange(bound_, {});
  auto outerAliases = std::exchange(aliases_, {});
  ++depth_;
  std::vector<py::object> nodes;
  for (py::handle fx : py::list(get(get(graphModule, names_.graph), names_.nodes))) {
    std::string op = text(get(fx, names_.op));
    try {
      if (op == "call_function") {
        size_t before = out.nodes.size();
        call(fx, out);
        if (out.nodes.size() > before)
          nodes.push_back(py::reinterpret_borrow<py::object>(fx));
      } else if (op == "placeholder") {
        placeholder(fx, out);
      } else if (op == "output") {
        output(fx, out);
      } else if (op != "get_attr") { // read where it is used
        refuse("node '" + text(get(fx, names_.name)) + "' is a " + op +
               "; exported programs hold calls of functions only. Export the module with "
               "torch.export.export().");
      }
    } catch (py::error_already_set &error) {
      throw located(error, text(get(fx, names_.name)));
    }
  }
  record_.push_back({&out, std::move(nodes)});
  if (--depth_ > 0) { // the outermost names stay for the signature
    bound_ = std::move(outerBound);
    aliases_ = std::move(outerAliases);
  }
}

std::string GraphReader::nameOf(const std::string &fxName) const {
  auto found = aliases_.find(fxName);
  return found == aliases_.end() ? fxName : found->second;
}

py::object GraphReader::valueMeta(py::handle fx) {
  py::object meta = get(fx, names_.meta);
  py::handle val = item(meta, names_.val);
  return val ? py::reinterpret_borrow<py::object>(val) : py::none();
}

std::string GraphReader::bind(py::handle fx, py::handle val, graph::Graph &out) {
  std::string name = text(get(fx, names_.name));
  ValueMeta meta = meta_.value(val);
  bound_[fx.ptr()] = {name, meta.kind};
  if (!out.values.emplace(name, std::move(meta)).second)
    refuse("two values are called '" + name + "'");
  return name;
}

void GraphReader::placeholder(py::handle node, graph::Graph &out) {
  py::object val = valueMeta(node);
  PyObject *raw = val.ptr();
  // A number baked in at export is a constant of the signature, not a symbol; in a subgraph nothing
  // tells its value, and nothing reads it.
  bool baked = PyLong_Check(raw) || PyFloat_Check(raw) || PyUnicode_Check(raw) || raw == Py_None;
  if (baked && depth_ > 1)
    out.inputs.emplace_back();
  else
    out.inputs.push_back(bind(node, baked ? py::none() : val, out));
}

void GraphReader::output(py::handle node, graph::Graph &out) {
  py::tuple args = get(node, names_._args);
  if (args.size() != 1)
    refuse("the graph's output has " + std::to_string(args.size()) + " arguments, not one");
  py::object returned = args[0];
  if (meta_.isNode(returned)) {
    out.outputs.push_back(argument(returned));
    return;
  }
  if (!PyTuple_Check(returned.ptr()) && !PyList_Check(returned.ptr()))
    refuse("the graph returns a " + typeName(returned) + ", not values");
  for (py::handle value : returned)
    out.outputs.push_back(argument(value));
}

void GraphReader::call(py::handle fx, graph::Graph &out) {
  if (bound_.count(fx.ptr())) // a getitem, folded into the results of its producer
    return;
  py::object callable = get(fx, names_.target);
  const Target &target = meta_.target(callable);
  graph::Node node;
  node.name = text(get(fx, names_.name));
  node.target = target.key;
  py::object val = valueMeta(fx);
  bool symbolic = meta_.isSymbolic(val);
  try {
    inputs(fx, target, symbolic, node);
  } catch (const Error &error) { // of a higher-order op that is not lowered, as a rule: its node tells more
    Error named(error.kind(), "node '" + node.name + "' (" + node.target + "): " + error.what());
    for (const auto &[key, value] : error.payload())
      named.with(key, value);
    named.with("node", node.name).with("op", node.target);
    throw named;
  }
  results(fx, target, symbolic, node, out);
  provenance(get(fx, names_.meta), node);
  out.nodes.push_back(std::move(node));
}

void GraphReader::inputs(py::handle fx, const Target &target, bool symbolic, graph::Node &node) {
  py::object args = get(fx, names_._args);
  py::object kwargs = get(fx, names_._kwargs);
  size_t positional = static_cast<size_t>(PyTuple_GET_SIZE(args.ptr()));
  auto at = [&](size_t i) { return py::handle(PyTuple_GET_ITEM(args.ptr(), i)); };
  if (target.style == Target::Style::kSchema) {
    node.inputs.reserve(positional + PyDict_GET_SIZE(kwargs.ptr()));
    size_t i = 0;
    for (const Target::Parameter &parameter : target.parameters) {
      if (py::handle value = item(kwargs, parameter.name))
        node.inputs.push_back({parameter.text, argument(value), true});
      else if (!parameter.keywordOnly && i < positional)
        node.inputs.push_back({parameter.text, argument(at(i)), false});
      ++i; // absent ones have their default, filled in later
    }
    return;
  }
  bool named = symbolic && target.style == Target::Style::kSymbolic;
  for (size_t i = 0; i < positional; ++i) {
    std::string name = named && i < target.parameters.size() ? target.parameters[i].text : std::string();
    node.inputs.push_back({std::move(name), argument(at(i)), false});
  }
  for (auto [key, value] : py::reinterpret_borrow<py::dict>(kwargs))
    node.inputs.push_back({text(key), argument(value), true});
}

void GraphReader::results(py::handle fx, const Target &target, bool symbolic, graph::Node &node,
                          graph::Graph &out) {
  bool schema = target.style == Target::Style::kSchema;
  if (schema && target.returns == 0)
    return;
  py::object val = valueMeta(fx);
  bool several = PyTuple_Check(val.ptr()) || PyList_Check(val.ptr());
  if (symbolic || !several) {
    if (val.is_none()) {
      node.outputs.emplace_back();
      return;
    }
    if (!meta_.isTensor(val) && !symbolic)
      refuse("node '" + node.name + "' gives a " + typeName(val) + "; tensors and numbers are understood");
    node.outputs.push_back(bind(fx, val, out));
    return;
  }
  severalResults(fx, val, node, out);
}

std::vector<py::handle> GraphReader::takers(py::handle fx, size_t count) {
  std::vector<py::handle> takers(count);
  for (auto entry : py::reinterpret_borrow<py::dict>(get(fx, names_.users))) {
    py::handle user = entry.first;
    if (!meta_.target(get(user, names_.target)).isGetItem)
      refuse("node '" + text(get(fx, names_.name)) + "' gives several values, and node '" +
             text(get(user, names_.name)) + "' uses them as one");
    py::tuple args = get(user, names_._args);
    Py_ssize_t index = args.size() == 2 ? PyLong_AsSsize_t(args[1].ptr()) : -1;
    if (PyErr_Occurred())
      throw py::error_already_set();
    if (index < 0)
      index += static_cast<Py_ssize_t>(count);
    if (index < 0 || index >= static_cast<Py_ssize_t>(count))
      refuse("node '" + text(get(user, names_.name)) + "' takes a result that its producer does not give");
    if (!takers[index]) {
      takers[index] = user;
      continue;
    }
    aliases_[text(get(user, names_.name))] = text(get(takers[index], names_.name));
    bound_[user.ptr()] = {}; // completed below, once the first one is bound
  }
  return takers;
}

void GraphReader::severalResults(py::handle fx, py::handle metas, graph::Node &node, graph::Graph &out) {
  size_t count = static_cast<size_t>(PySequence_Fast_GET_SIZE(metas.ptr()));
  std::vector<py::handle> taken = takers(fx, count);
  for (size_t i = 0; i < count; ++i) {
    py::handle val = PySequence_Fast_GET_ITEM(metas.ptr(), static_cast<Py_ssize_t>(i));
    py::handle taker = taken[i];
    if (PyTuple_Check(val.ptr()) || PyList_Check(val.ptr())) { // "-> (Tensor, Tensor[])"
      if (taker) {
        severalResults(taker, val, node, out);
        bound_[taker.ptr()] = {};
      } else {
        for (Py_ssize_t j = 0; j < PySequence_Fast_GET_SIZE(val.ptr()); ++j)
          if (PySequence_Fast_GET_ITEM(val.ptr(), j) != Py_None)
            node.outputs.emplace_back();
      }
    } else if (!taker || val.is_none()) {
      node.outputs.emplace_back();
      if (taker)
        bound_[taker.ptr()] = {};
    } else {
      node.outputs.push_back(bind(taker, val, out));
    }
  }
  for (auto entry : py::reinterpret_borrow<py::dict>(get(fx, names_.users))) {
    py::handle user = entry.first;
    auto alias = aliases_.find(text(get(user, names_.name)));
    if (alias == aliases_.end())
      continue;
    auto value = out.values.find(alias->second);
    bound_[user.ptr()] = {alias->second,
                          value == out.values.end() ? ValueMeta::Kind::kNone : value->second.kind};
  }
}

void GraphReader::provenance(py::handle meta, graph::Node &node) {
  if (py::handle trace = item(meta, names_.stack_trace); trace && PyUnicode_Check(trace.ptr()))
    node.stack = load::parseStackTrace(text(trace));
  py::handle modules = item(meta, names_.nn_module_stack);
  if (!modules || !PyDict_Check(modules.ptr()))
    return;
  for (auto [key, frame] : py::reinterpret_borrow<py::dict>(modules)) {
    if (!PyTuple_Check(frame.ptr()) || PyTuple_GET_SIZE(frame.ptr()) != 2)
      refuse("node '" + node.name + "' has a malformed nn_module_stack");
    py::handle type = PyTuple_GET_ITEM(frame.ptr(), 1);
    std::string typeText = PyUnicode_Check(type.ptr()) ? text(type)
                                                       : text(get(type, names_.__module__)) + "." +
                                                             text(get(type, names_.__qualname__));
    node.modules.push_back({text(PyTuple_GET_ITEM(frame.ptr(), 0)), std::move(typeText)});
  }
}

} // namespace sixrung::python
