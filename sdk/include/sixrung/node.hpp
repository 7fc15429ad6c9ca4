// The node being lowered: its key, typed arguments by index or schema name, and what it is to give.
#pragma once

#include "sixrung/argument.hpp"
#include "sixrung/extensions.h"

namespace sixrung {

// Names an argument by its place in the schema or by its schema name.
class Arg {
public:
  Arg(int index) : index_(index) {}
  Arg(const char *name) : name_(name) {}
  Arg(std::string_view name) : name_(name) {}
  bool named() const { return !name_.empty(); }
  int index() const { return index_; }
  std::string_view name() const { return name_; }
  std::string text() const { // for messages
    std::string result(named() ? "'" : "#");
    return named() ? result.append(name_).append("'") : result.append(std::to_string(index_));
  }

private:
  int index_ = 0;
  std::string_view name_;
};

// What the exported program says of one result (or of a subgraph's port).
struct ResultInfo {
  uint32_t kind = SIXRUNG_RESULT_NONE;
  DType dtype = DType::None;      // as PyTorch says: SI64 for int64
  DType valueDtype = DType::None; // what a value for it usually has: SI32 for int64
  Ints dims;
  bool used = true;

  bool isTensor() const { return kind == SIXRUNG_RESULT_TENSOR; }
  int rank() const { return static_cast<int>(dims.size()); }
  Type type() const { return {valueDtype, dims}; }

  static ResultInfo of(const sixrung_result_info &raw) {
    return {raw.kind, static_cast<DType>(raw.dtype), static_cast<DType>(raw.value_dtype),
            Ints(raw.dims, raw.dims + (raw.dims ? raw.rank : 0)), raw.used != 0};
  }
  // One that asks for a value of exactly this type.
  static ResultInfo of(const Type &type) {
    return {SIXRUNG_RESULT_TENSOR, type.dtype, type.dtype, type.dims, true};
  }
};

// A graph argument of a higher-order op.
class Subgraph {
public:
  Subgraph() = default;
  Subgraph(detail::Context *context, sixrung_subgraph handle) : context_(context), handle_(handle) {}
  sixrung_subgraph handle() const { return handle_; }
  explicit operator bool() const { return handle_.id != 0; }

  int inputCount() const { return static_cast<int>(counts().first); }
  int outputCount() const { return static_cast<int>(counts().second); }
  ResultInfo input(int index) const { return port(0, index); }
  ResultInfo output(int index) const { return port(1, index); }

private:
  std::pair<uint32_t, uint32_t> counts() const {
    uint32_t inputs = 0, outputs = 0;
    SIXRUNG_HOST_CALL(context_, subgraph_info, context_->call, handle_, &inputs, &outputs);
    return {inputs, outputs};
  }
  ResultInfo port(uint32_t output, int index) const {
    sixrung_result_info raw{};
    raw.struct_size = sizeof raw;
    SIXRUNG_HOST_CALL(context_, subgraph_port, context_->call, handle_, output, static_cast<uint32_t>(index),
                      &raw);
    return ResultInfo::of(raw);
  }

  detail::Context *context_ = nullptr;
  sixrung_subgraph handle_{};
};

// Where the elements of a tensor lie in its storage, in elements; a stride is kDynamic where unknown.
struct Layout {
  Ints strides;
  int64_t offset = 0;
};

class Node {
public:
  explicit Node(detail::Context *context) : context_(context) {}

  std::string_view key() const { return view(info().key); }   // "aten::add.Tensor"
  std::string_view name() const { return view(info().name); } // "add_3"
  std::string_view sourceFile() const { return view(info().source_file); }
  uint32_t sourceLine() const { return info().source_line; }
  std::string_view modulePath() const { return view(info().module_path); }
  int argCount() const { return static_cast<int>(info().arg_count); }
  int resultCount() const { return static_cast<int>(info().result_count); }

  // What the program says of a result.
  ResultInfo result(int index = 0) const {
    sixrung_result_info raw{};
    raw.struct_size = sizeof raw;
    SIXRUNG_HOST_CALL(context_, call_result, context_->call, static_cast<uint32_t>(index), &raw);
    return ResultInfo::of(raw);
  }

  // The tagged value itself; None for one the node does not have.
  sixrung_arg raw(Arg which) const;
  std::string_view argName(int index) const;
  // Present and not None.
  bool has(Arg which) const { return raw(which).tag != SIXRUNG_ARG_NONE; }
  bool isTensor(Arg which) const { return raw(which).tag == SIXRUNG_ARG_VALUE; }

  // Typed getters. Those with a default take it for a missing or None argument; the others fail.
  Value tensor(Arg which) const;
  Value optionalTensor(Arg which) const; // null for None
  Values tensors(Arg which) const;       // nulls are holes (None)
  int64_t integer(Arg which, std::optional<int64_t> fallback = {}) const;
  double number(Arg which, std::optional<double> fallback = {}) const; // int, float or bool
  bool boolean(Arg which, std::optional<bool> fallback = {}) const;
  Scalar scalar(Arg which, std::optional<Scalar> fallback = {}) const;
  std::string string(Arg which,
                     std::optional<std::string> fallback = {}) const; // also device, layout, operator
  DType dtype(Arg which, std::optional<DType> fallback = {}) const;
  Ints ints(Arg which, std::optional<Ints> fallback = {}) const; // a single int is a list of one
  std::vector<double> numbers(Arg which, std::optional<std::vector<double>> fallback = {}) const;
  Dim dim(Arg which, std::optional<Dim> fallback = {}) const;       // int or symbolic int
  Shape shape(Arg which, std::optional<Shape> fallback = {}) const; // mixed list of the two
  Subgraph subgraph(Arg which) const;
  // How the exporting program laid a tensor argument out; nothing where that is not recorded, or the
  // host cannot tell (an extension, ABI-6).
  std::optional<Layout> layout(int index) const;
  // The value behind a tensor or any symbolic number; null for anything else. Symbolic numbers are
  // tensors of shape [1].
  Value value(Arg which) const;
  // The value behind one entry of a mixed list, as `raw` gives it.
  Value valueOf(const sixrung_arg &arg) const { return Value(context_, sixrung_value{arg.payload}); }

private:
  const sixrung_node_info &info() const {
    if (context_->node.struct_size == 0) {
      sixrung_node_info info{};
      info.struct_size = sizeof info;
      SIXRUNG_HOST_CALL(context_, call_node, context_->call, &info);
      context_->node = info;
    }
    return context_->node;
  }
  Failed wrong(Arg which, std::string_view wanted, const sixrung_arg &got) const;
  Dim dimOf(Arg which, const sixrung_arg &arg) const;
  Scalar scalarOf(Arg which, const sixrung_arg &arg) const;

  detail::Context *context_;
};

} // namespace sixrung

#include "sixrung/detail/node.hpp"
