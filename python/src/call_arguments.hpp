// Tagged values (ABI-9) from and to Python objects.
#pragma once

#include "sixrung/plugin.h"

#include <cstdint>
#include <deque>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

namespace sixrung::python {

namespace py = pybind11;

// Handles and dtypes are types of their own, so that no integer passes for one.
struct ValueId {
  uint64_t id = 0;
};
struct DTypeCode {
  uint32_t code = 0;
};

inline std::string toString(sixrung_str text) { return {text.data, static_cast<size_t>(text.size)}; }
inline sixrung_str toStr(const std::string &text) { return {text.data(), text.size()}; }

// None, bool, int, float, complex, str, ValueId, DTypeCode and lists of them.
class ArgumentWriter {
public:
  sixrung_arg write(py::handle object);
  // (name, value) pairs.
  std::vector<sixrung_named_arg> writeNamed(const py::list &pairs);

private:
  sixrung_arg writeList(const py::list &list);
  template <typename T>
  sixrung_arg borrow(uint32_t tag, std::deque<std::vector<T>> &store, std::vector<T> entries);

  // Deques, for what was borrowed must not move.
  std::deque<std::string> strings_;
  std::deque<std::vector<int64_t>> integers_;
  std::deque<std::vector<double>> floats_;
  std::deque<std::vector<uint8_t>> bools_;
  std::deque<std::vector<sixrung_str>> stringLists_;
  std::deque<std::vector<sixrung_value>> values_;
  std::deque<std::vector<sixrung_arg>> lists_;
};

py::object readArgument(const sixrung_arg &argument);

} // namespace sixrung::python
