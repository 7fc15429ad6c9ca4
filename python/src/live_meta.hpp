// What torch says of values: dtypes, sizes, symbols and op schemas, read from Python objects.
#pragma once

#include "core/graph/program.hpp"
#include "live_names.hpp"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace sixrung::python {

// A call target and how its arguments and results are laid out. Read once per distinct target.
struct Target {
  enum class Style {
    kSchema,   // an OpOverload: named arguments, typed returns
    kSymbolic, // a Python function over symbols: named by its parameters
    kFree,     // a higher-order op or any other callable: positional arguments have no names
  };
  struct Parameter {
    py::str name;
    std::string text;
    bool keywordOnly = false;
  };
  std::string key; // canonical
  Style style = Style::kFree;
  bool isGetItem = false;
  std::vector<Parameter> parameters;
  size_t returns = 1;
  bool returnsList = false; // "-> Tensor[]"
};

// Reads metadata for one walk. Everything it caches by address is kept alive by it.
class MetaReader {
public:
  MetaReader();

  const Names names;

  bool isTensor(py::handle object) const { return isSubtype(object, tensorType_); }
  bool isPlainTensor(py::handle object) const {
    return reinterpret_cast<PyObject *>(Py_TYPE(object.ptr())) == tensorType_.ptr();
  }
  bool isNode(py::handle object) const { return isSubtype(object, nodeType_); }
  bool isGraphModule(py::handle object) const { return isSubtype(object, graphModuleType_); }
  bool isFakeTensor(py::handle object) const { return isSubtype(object, fakeTensorType_); }
  bool isOperator(py::handle object) const {
    return isSubtype(object, overloadType_) || isSubtype(object, higherOrderType_);
  }
  // Whether this is one of the values symbols are made of, concrete or not.
  bool isSymbolic(py::handle object) const;

  // `val` of a node that gives one value. kNone for None and for objects the graph cannot hold.
  graph::ValueMeta value(py::handle val);
  graph::TensorMeta tensor(py::handle tensor);
  graph::SymInt symInt(py::handle value);
  graph::DType dtype(py::handle dtype);
  std::string layout(py::handle layout);
  const std::string &device(py::handle device);
  // A literal argument other than a node, number or list; false when it is none of those known.
  bool literal(py::handle object, graph::Argument &out);

  const Target &target(py::handle callable);

private:
  static bool isSubtype(py::handle object, const py::object &type) {
    return PyObject_TypeCheck(object.ptr(), reinterpret_cast<PyTypeObject *>(type.ptr()));
  }
  std::shared_ptr<const graph::SymExpr> expression(py::handle symbol);
  Target readTarget(py::handle callable);

  py::object tensorType_, nodeType_, graphModuleType_, fakeTensorType_, overloadType_, higherOrderType_;
  py::object dtypeType_, deviceType_, layoutType_, memoryFormatType_;
  py::object symIntType_, symFloatType_, symBoolType_, getItem_;
  py::object srepr_, signature_;
  std::unordered_map<PyObject *, graph::DType> dtypes_;
  std::unordered_map<PyObject *, std::string> layouts_, devices_;
  std::unordered_map<PyObject *, Target> targets_;
  std::unordered_map<PyObject *, std::shared_ptr<const graph::SymExpr>> symbols_;   // by SymNode
  std::unordered_map<PyObject *, std::shared_ptr<const graph::SymExpr>> byAddress_; // by sympy expression
  py::dict expressions_; // sympy expression -> index in parsed_
  std::vector<std::shared_ptr<const graph::SymExpr>> parsed_;
  std::vector<py::object> alive_;
};

} // namespace sixrung::python
