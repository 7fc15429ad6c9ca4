#include "call_arguments.hpp"

#include "core/graph/error.hpp"

#include <pybind11/stl.h>

#include <complex>
#include <cstring>

namespace sixrung::python {
namespace {

template <typename T> uint64_t bits(T value) {
  uint64_t out = 0;
  std::memcpy(&out, &value, sizeof(value));
  return out;
}

template <typename T> T fromBits(uint64_t payload) {
  T out;
  std::memcpy(&out, &payload, sizeof(out));
  return out;
}

template <typename T> const T *entries(const sixrung_arg &argument) {
  return reinterpret_cast<const T *>(static_cast<uintptr_t>(argument.payload));
}

template <typename T, typename Make> py::list readList(const sixrung_arg &argument, Make make) {
  py::list out;
  for (uint32_t i = 0; i < argument.count; ++i)
    out.append(make(entries<T>(argument)[i]));
  return out;
}

py::object valueOrNone(uint64_t id) { return id ? py::cast(ValueId{id}) : py::none(); }

} // namespace

template <typename T>
sixrung_arg ArgumentWriter::borrow(uint32_t tag, std::deque<std::vector<T>> &store, std::vector<T> entries) {
  auto count = static_cast<uint32_t>(entries.size());
  store.push_back(std::move(entries));
  return {tag, count, bits(store.back().data())};
}

sixrung_arg ArgumentWriter::write(py::handle object) {
  PyObject *raw = object.ptr();
  if (raw == Py_None)
    return {SIXRUNG_ARG_NONE, 0, 0};
  if (PyBool_Check(raw))
    return {SIXRUNG_ARG_BOOL, 0, raw == Py_True ? 1u : 0u};
  if (PyLong_Check(raw))
    return {SIXRUNG_ARG_INT, 0, bits(object.cast<int64_t>())};
  if (PyFloat_Check(raw))
    return {SIXRUNG_ARG_FLOAT, 0, bits(PyFloat_AS_DOUBLE(raw))};
  if (PyComplex_Check(raw)) {
    floats_.push_back({PyComplex_RealAsDouble(raw), PyComplex_ImagAsDouble(raw)});
    return {SIXRUNG_ARG_COMPLEX, 0, bits(floats_.back().data())};
  }
  if (PyUnicode_Check(raw)) {
    strings_.push_back(object.cast<std::string>());
    return {SIXRUNG_ARG_STRING, static_cast<uint32_t>(strings_.back().size()), bits(strings_.back().data())};
  }
  if (py::isinstance<ValueId>(object))
    return {SIXRUNG_ARG_VALUE, 0, object.cast<ValueId>().id};
  if (py::isinstance<DTypeCode>(object))
    return {SIXRUNG_ARG_DTYPE, 0, object.cast<DTypeCode>().code};
  if (PyList_Check(raw) || PyTuple_Check(raw))
    return writeList(py::list(py::reinterpret_borrow<py::object>(object)));
  throw py::type_error("an argument cannot be a " + std::string(Py_TYPE(raw)->tp_name));
}

sixrung_arg ArgumentWriter::writeList(const py::list &list) {
  auto all = [&](auto test) {
    for (py::handle entry : list)
      if (!test(entry))
        return false;
    return true;
  };
  if (all([](py::handle e) { return PyLong_Check(e.ptr()) && !PyBool_Check(e.ptr()); }))
    return borrow(SIXRUNG_ARG_INT_LIST, integers_, list.cast<std::vector<int64_t>>());
  if (all([](py::handle e) { return PyFloat_Check(e.ptr()); }))
    return borrow(SIXRUNG_ARG_FLOAT_LIST, floats_, list.cast<std::vector<double>>());
  if (all([](py::handle e) { return PyBool_Check(e.ptr()); })) {
    std::vector<uint8_t> values;
    for (py::handle entry : list)
      values.push_back(entry.ptr() == Py_True);
    return borrow(SIXRUNG_ARG_BOOL_LIST, bools_, std::move(values));
  }
  if (all([](py::handle e) { return PyUnicode_Check(e.ptr()); })) {
    std::vector<sixrung_str> values;
    for (py::handle entry : list) {
      strings_.push_back(entry.cast<std::string>());
      values.push_back(toStr(strings_.back()));
    }
    return borrow(SIXRUNG_ARG_STRING_LIST, stringLists_, std::move(values));
  }
  if (all([](py::handle e) { return e.is_none() || py::isinstance<ValueId>(e); })) {
    std::vector<sixrung_value> values;
    for (py::handle entry : list)
      values.push_back({entry.is_none() ? 0 : entry.cast<ValueId>().id});
    return borrow(SIXRUNG_ARG_VALUE_LIST, values_, std::move(values));
  }
  std::vector<sixrung_arg> values;
  for (py::handle entry : list)
    values.push_back(write(entry));
  return borrow(SIXRUNG_ARG_LIST, lists_, std::move(values));
}

std::vector<sixrung_named_arg> ArgumentWriter::writeNamed(const py::list &pairs) {
  std::vector<sixrung_named_arg> out;
  for (py::handle pair : pairs) {
    auto [name, value] = pair.cast<std::pair<std::string, py::object>>();
    strings_.push_back(std::move(name));
    sixrung_named_arg named{};
    named.name = toStr(strings_.back());
    named.value = write(value);
    out.push_back(named);
  }
  return out;
}

py::object readArgument(const sixrung_arg &argument) {
  auto word = [&] { return py::str(entries<char>(argument), argument.count); };
  switch (argument.tag) {
  case SIXRUNG_ARG_NONE:
    return py::none();
  case SIXRUNG_ARG_BOOL:
    return py::bool_(argument.payload != 0);
  case SIXRUNG_ARG_INT:
    return py::int_(fromBits<int64_t>(argument.payload));
  case SIXRUNG_ARG_FLOAT:
    return py::float_(fromBits<double>(argument.payload));
  case SIXRUNG_ARG_COMPLEX: {
    const double *parts = entries<double>(argument);
    return py::cast(std::complex<double>(parts[0], parts[1]));
  }
  case SIXRUNG_ARG_STRING:
  case SIXRUNG_ARG_DEVICE:
  case SIXRUNG_ARG_LAYOUT:
  case SIXRUNG_ARG_MEMORY_FORMAT:
  case SIXRUNG_ARG_OPERATOR:
    return word();
  case SIXRUNG_ARG_DTYPE:
    return py::cast(DTypeCode{static_cast<uint32_t>(argument.payload)});
  case SIXRUNG_ARG_VALUE:
  case SIXRUNG_ARG_SYM_INT:
  case SIXRUNG_ARG_SYM_FLOAT:
  case SIXRUNG_ARG_SYM_BOOL:
    return valueOrNone(argument.payload);
  case SIXRUNG_ARG_INT_LIST:
    return readList<int64_t>(argument, [](int64_t v) { return py::int_(v); });
  case SIXRUNG_ARG_FLOAT_LIST:
    return readList<double>(argument, [](double v) { return py::float_(v); });
  case SIXRUNG_ARG_BOOL_LIST:
    return readList<uint8_t>(argument, [](uint8_t v) { return py::bool_(v != 0); });
  case SIXRUNG_ARG_STRING_LIST:
    return readList<sixrung_str>(argument, [](sixrung_str v) { return py::str(toString(v)); });
  case SIXRUNG_ARG_VALUE_LIST:
    return readList<sixrung_value>(argument, [](sixrung_value v) { return valueOrNone(v.id); });
  case SIXRUNG_ARG_LIST:
    return readList<sixrung_arg>(argument, readArgument);
  default:
    throw Error(ErrorKind::kUnsupported, "an argument with the tag " + std::to_string(argument.tag) +
                                             " has no form in Python; lower this call in a plugin");
  }
}

} // namespace sixrung::python
