#include "live_meta.hpp"

#include "core/graph/error.hpp"

namespace sixrung::python {

using graph::SymExpr;

namespace {

// "torch.strided" -> "strided"
std::string withoutTorch(py::handle object) {
  std::string name = text(py::str(object));
  return name.rfind("torch.", 0) == 0 ? name.substr(6) : name;
}

std::shared_ptr<const SymExpr> integer(int64_t value) {
  auto expr = std::make_shared<SymExpr>();
  expr->integer = value;
  return expr;
}

int64_t int64(py::handle object) {
  int64_t value = PyLong_AsLongLong(object.ptr());
  if (value == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    throw Error(ErrorKind::kInvalidInput, "integer " + text(py::str(object)) + " does not fit 64 bits");
  }
  return value;
}

} // namespace

MetaReader::MetaReader() {
  py::module_ torch = py::module_::import("torch");
  tensorType_ = torch.attr("Tensor");
  py::object fx = torch.attr("fx");
  nodeType_ = fx.attr("Node");
  graphModuleType_ = fx.attr("GraphModule");
  fakeTensorType_ = py::module_::import("torch._subclasses.fake_tensor").attr("FakeTensor");
  py::module_ ops = py::module_::import("torch._ops");
  overloadType_ = ops.attr("OpOverload");
  higherOrderType_ = ops.attr("HigherOrderOperator");
  dtypeType_ = torch.attr("dtype");
  deviceType_ = torch.attr("device");
  layoutType_ = torch.attr("layout");
  memoryFormatType_ = torch.attr("memory_format");
  symIntType_ = torch.attr("SymInt");
  symFloatType_ = torch.attr("SymFloat");
  symBoolType_ = torch.attr("SymBool");
  getItem_ = py::module_::import("operator").attr("getitem");
  srepr_ = py::module_::import("sympy").attr("srepr");
  signature_ = py::module_::import("inspect").attr("signature");
}

bool MetaReader::isSymbolic(py::handle object) const {
  return isSubtype(object, symIntType_) || isSubtype(object, symFloatType_) ||
         isSubtype(object, symBoolType_) || PyLong_Check(object.ptr()) || PyFloat_Check(object.ptr());
}

std::shared_ptr<const SymExpr> MetaReader::expression(py::handle symbol) {
  py::object node = get(symbol, names.node);
  auto found = symbols_.find(node.ptr());
  if (found != symbols_.end())
    return found->second;
  // Most sizes share few expressions, each wrapped anew. `expr` applies the replacements of the shape
  // environment to `_expr`, the same for all of one walk.
  py::object raw = get(node, names._expr);
  std::shared_ptr<const SymExpr> &expr = byAddress_[raw.ptr()]; // hashing an expression runs Python code
  if (expr) {
    symbols_.emplace(node.ptr(), expr);
    alive_.push_back(std::move(node));
    return expr;
  }
  if (py::handle known = PyDict_GetItemWithError(expressions_.ptr(), raw.ptr())) {
    expr = parsed_[known.cast<size_t>()];
  } else {
    if (PyErr_Occurred())
      throw py::error_already_set();
    // A concrete expression is an Integer by now.
    expr = graph::parseSrepr(text(srepr_(get(node, names.expr))));
    expressions_[raw] = parsed_.size();
    parsed_.push_back(expr);
  }
  symbols_.emplace(node.ptr(), expr);
  alive_.push_back(std::move(node));
  alive_.push_back(std::move(raw));
  return expr;
}

graph::SymInt MetaReader::symInt(py::handle value) {
  if (PyLong_Check(value.ptr()))
    return graph::SymInt::of(int64(value));
  if (!isSubtype(value, symIntType_))
    throw Error(ErrorKind::kInvalidInput, "a size is a " + typeName(value) + ", not an integer");
  auto expr = expression(value);
  if (expr->kind == SymExpr::Kind::kInteger)
    return graph::SymInt::of(expr->integer);
  return {std::nullopt, std::move(expr)};
}

graph::DType MetaReader::dtype(py::handle dtype) {
  auto found = dtypes_.find(dtype.ptr());
  if (found != dtypes_.end())
    return found->second;
  std::string name = withoutTorch(dtype);
  auto known = graph::dtypeFromName(name);
  if (!known)
    throw Error(ErrorKind::kUnsupported, "dtype torch." + name + " has no counterpart in Core AI");
  alive_.push_back(py::reinterpret_borrow<py::object>(dtype));
  return dtypes_.emplace(dtype.ptr(), *known).first->second;
}

std::string MetaReader::layout(py::handle layout) {
  auto found = layouts_.find(layout.ptr());
  if (found != layouts_.end())
    return found->second;
  alive_.push_back(py::reinterpret_borrow<py::object>(layout));
  return layouts_.emplace(layout.ptr(), withoutTorch(layout)).first->second;
}

const std::string &MetaReader::device(py::handle device) {
  auto found = devices_.find(device.ptr());
  if (found != devices_.end())
    return found->second;
  alive_.push_back(py::reinterpret_borrow<py::object>(device));
  return devices_.emplace(device.ptr(), text(py::str(device))).first->second;
}

graph::TensorMeta MetaReader::tensor(py::handle tensor) {
  graph::TensorMeta meta;
  meta.dtype = dtype(get(tensor, names.dtype));
  py::object shape = get(tensor, names.shape);
  py::object strides = get(tensor, names.stride)();
  Py_ssize_t rank = PyTuple_GET_SIZE(shape.ptr());
  meta.sizes.reserve(rank);
  meta.strides.reserve(rank);
  for (Py_ssize_t i = 0; i < rank; ++i) {
    meta.sizes.push_back(symInt(PyTuple_GET_ITEM(shape.ptr(), i)));
    meta.strides.push_back(symInt(PyTuple_GET_ITEM(strides.ptr(), i)));
  }
  graph::SymInt offset = symInt(get(tensor, names.storage_offset)());
  meta.storageOffset = offset.value.value_or(0);
  meta.layout = layout(get(tensor, names.layout));
  // A fake tensor answers `device` through its dispatcher; the attribute behind it is at hand.
  meta.device = device(get(tensor, isFakeTensor(tensor) ? names._fake_device : names.device));
  meta.requiresGrad = get(tensor, names.requires_grad).ptr() == Py_True;
  return meta;
}

graph::ValueMeta MetaReader::value(py::handle val) {
  using Kind = graph::ValueMeta::Kind;
  graph::ValueMeta meta;
  PyObject *object = val.ptr();
  if (isTensor(val)) {
    meta.kind = Kind::kTensor;
    meta.tensor = tensor(val);
  } else if (PyBool_Check(object)) {
    meta.kind = Kind::kSymBool;
    auto expr = std::make_shared<SymExpr>();
    expr->kind = SymExpr::Kind::kBool;
    expr->integer = object == Py_True;
    meta.expr = expr;
  } else if (PyLong_Check(object)) {
    meta.kind = Kind::kSymInt;
    meta.expr = integer(int64(val));
  } else if (PyFloat_Check(object)) {
    meta.kind = Kind::kSymFloat;
    auto expr = std::make_shared<SymExpr>();
    expr->kind = SymExpr::Kind::kFloat;
    expr->real = PyFloat_AS_DOUBLE(object);
    meta.expr = expr;
  } else if (isSubtype(val, symIntType_)) {
    meta.kind = Kind::kSymInt;
    meta.expr = expression(val);
  } else if (isSubtype(val, symFloatType_)) {
    meta.kind = Kind::kSymFloat;
    meta.expr = expression(val);
  } else if (isSubtype(val, symBoolType_)) {
    meta.kind = Kind::kSymBool;
    meta.expr = expression(val);
  }
  return meta;
}

bool MetaReader::literal(py::handle object, graph::Argument &out) {
  if (isSubtype(object, dtypeType_))
    out.value = graph::DTypeArg{dtype(object)};
  else if (isSubtype(object, deviceType_))
    out.value = graph::DeviceArg{device(object)};
  else if (isSubtype(object, layoutType_))
    out.value = graph::LayoutArg{layout(object)};
  else if (isSubtype(object, memoryFormatType_))
    out.value = graph::MemoryFormatArg{withoutTorch(object)};
  else if (isOperator(object))
    out.value = graph::OperatorArg{target(object).key};
  else
    return false;
  return true;
}

const Target &MetaReader::target(py::handle callable) {
  auto found = targets_.find(callable.ptr());
  if (found != targets_.end())
    return found->second;
  Target read = readTarget(callable);
  alive_.push_back(py::reinterpret_borrow<py::object>(callable));
  return targets_.emplace(callable.ptr(), std::move(read)).first->second;
}

Target MetaReader::readTarget(py::handle callable) {
  Target target;
  // The spelling torch's serializer writes, so that both doors name an op alike.
  std::string module = text(get(callable, names.__module__));
  if (module.rfind("torch._ops", 0) == 0)
    module.replace(0, 10, "torch.ops");
  target.key = graph::canonicalKey(module + "." + text(get(callable, names.__name__)));
  target.isGetItem = callable.is(getItem_);
  if (isSubtype(callable, overloadType_)) {
    target.style = Target::Style::kSchema;
    py::object schema = get(callable, names._schema);
    for (py::handle argument : py::list(get(schema, names.arguments))) {
      Target::Parameter parameter;
      parameter.name = get(argument, names.name);
      parameter.text = text(parameter.name);
      parameter.keywordOnly = get(argument, names.kwarg_only).ptr() == Py_True;
      target.parameters.push_back(std::move(parameter));
    }
    py::list returns = get(schema, names.returns);
    target.returns = returns.size();
    if (returns.size() == 1) {
      py::object type = returns[0].attr("real_type");
      target.returnsList = text(get(type, names.kind)()) == "ListType" &&
                           text(get(type.attr("getElementType")(), names.kind)()) == "TensorType";
    }
  } else if (!isSubtype(callable, higherOrderType_) && !target.isGetItem) {
    // Names of a plain function's parameters; builtins without a signature have none to give.
    try {
      py::object parameters = get(signature_(callable), py::str("parameters"));
      for (py::handle name : parameters) {
        Target::Parameter parameter;
        parameter.name = py::reinterpret_borrow<py::str>(name);
        parameter.text = text(name);
        target.parameters.push_back(std::move(parameter));
      }
      target.style = Target::Style::kSymbolic;
    } catch (py::error_already_set &error) {
      if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError))
        throw;
    }
  }
  return target;
}

} // namespace sixrung::python
