// One argument going to the host: an attribute of an op, or an operand of a dispatch back into the
// ladder (ABI-9).
#pragma once

#include "sixrung/value.hpp"

#include <array>
#include <initializer_list>
#include <variant>

namespace sixrung {

class Argument {
public:
  Argument() = default; // None
  Argument(bool v) : data_(v) {}
  Argument(int v) : data_(static_cast<int64_t>(v)) {}
  Argument(int64_t v) : data_(v) {}
  Argument(double v) : data_(v) {}
  Argument(const char *v) : data_(std::string(v)) {}
  Argument(std::string v) : data_(std::move(v)) {}
  Argument(std::string_view v) : data_(std::string(v)) {}
  Argument(DType v) : data_(v) {}
  Argument(Value v) : data_(v) { // None when null
    if (!v)
      data_ = std::monostate{};
  }
  Argument(Ints v) : data_(std::move(v)) {}
  Argument(std::vector<double> v) : data_(std::move(v)) {}
  Argument(Values v) : data_(std::move(v)) {} // nulls are holes
  Argument(Scalar v) {
    switch (v.kind) {
    case Scalar::Kind::Bool:
      data_ = v.toBool();
      break;
    case Scalar::Kind::Int:
      data_ = v.integer;
      break;
    case Scalar::Kind::Float:
      data_ = v.real;
      break;
    case Scalar::Kind::Complex:
      data_ = std::array<double, 2>{v.real, v.imaginary};
      break;
    }
  }
  Argument(Dim v) {
    if (v.isStatic())
      data_ = v.size();
    else
      data_ = SymInt{v.value()};
  }
  Argument(const Shape &v) : data_(std::vector<Argument>(v.begin(), v.end())) {}
  // A nested or mixed list.
  static Argument list(std::vector<Argument> entries) {
    Argument result;
    result.data_ = std::move(entries);
    return result;
  }

  // The 16-byte form. Borrows from this object; `scratch` holds what has to be gathered.
  struct Scratch {
    std::vector<std::vector<sixrung_value>> values;
    std::vector<std::vector<sixrung_arg>> lists;
  };
  sixrung_arg pack(Scratch &scratch) const {
    return std::visit([&](const auto &v) { return packOne(v, scratch); }, data_);
  }

private:
  struct SymInt {
    Value value;
  };
  template <class T> static uint64_t bits(const T *pointer) {
    return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(pointer));
  }
  static uint32_t count(size_t n) { return static_cast<uint32_t>(n); }

  static sixrung_arg packOne(std::monostate, Scratch &) { return {SIXRUNG_ARG_NONE, 0, 0}; }
  static sixrung_arg packOne(bool v, Scratch &) { return {SIXRUNG_ARG_BOOL, 0, v}; }
  static sixrung_arg packOne(int64_t v, Scratch &) { return {SIXRUNG_ARG_INT, 0, static_cast<uint64_t>(v)}; }
  static sixrung_arg packOne(double v, Scratch &) {
    return {SIXRUNG_ARG_FLOAT, 0, std::bit_cast<uint64_t>(v)};
  }
  static sixrung_arg packOne(const std::array<double, 2> &v, Scratch &) {
    return {SIXRUNG_ARG_COMPLEX, 0, bits(v.data())};
  }
  static sixrung_arg packOne(const std::string &v, Scratch &) {
    return {SIXRUNG_ARG_STRING, count(v.size()), bits(v.data())};
  }
  static sixrung_arg packOne(DType v, Scratch &) { return {SIXRUNG_ARG_DTYPE, 0, static_cast<uint64_t>(v)}; }
  static sixrung_arg packOne(const Value &v, Scratch &) { return {SIXRUNG_ARG_VALUE, 0, v.handle().id}; }
  static sixrung_arg packOne(const SymInt &v, Scratch &) {
    return {SIXRUNG_ARG_SYM_INT, 0, v.value.handle().id};
  }
  static sixrung_arg packOne(const Ints &v, Scratch &) {
    return {SIXRUNG_ARG_INT_LIST, count(v.size()), bits(v.data())};
  }
  static sixrung_arg packOne(const std::vector<double> &v, Scratch &) {
    return {SIXRUNG_ARG_FLOAT_LIST, count(v.size()), bits(v.data())};
  }
  static sixrung_arg packOne(const Values &v, Scratch &scratch) {
    std::vector<sixrung_value> handles;
    for (const Value &value : v)
      handles.push_back(value.handle());
    scratch.values.push_back(std::move(handles)); // moving a vector keeps its buffer
    return {SIXRUNG_ARG_VALUE_LIST, count(v.size()), bits(scratch.values.back().data())};
  }
  static sixrung_arg packOne(const std::vector<Argument> &v, Scratch &scratch) {
    std::vector<sixrung_arg> entries;
    for (const Argument &entry : v)
      entries.push_back(entry.pack(scratch));
    scratch.lists.push_back(std::move(entries));
    return {SIXRUNG_ARG_LIST, count(v.size()), bits(scratch.lists.back().data())};
  }

  std::variant<std::monostate, bool, int64_t, double, std::array<double, 2>, std::string, DType, Value,
               SymInt, Ints, std::vector<double>, Values, std::vector<Argument>>
      data_;
};

struct NamedArgument {
  std::string_view name; // empty: positional
  Argument value;

  NamedArgument(std::string_view n, Argument v) : name(n), value(std::move(v)) {}
  template <class T>
    requires std::is_constructible_v<Argument, T>
  NamedArgument(T &&v) : value(std::forward<T>(v)) {}
};

using Attributes = std::vector<NamedArgument>;

namespace detail {
inline std::vector<sixrung_named_arg> pack(const std::vector<NamedArgument> &arguments,
                                           Argument::Scratch &scratch) {
  std::vector<sixrung_named_arg> result;
  result.reserve(arguments.size());
  for (const NamedArgument &a : arguments)
    result.push_back({str(a.name), a.value.pack(scratch)});
  return result;
}
} // namespace detail

} // namespace sixrung
