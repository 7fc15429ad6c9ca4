// Building the program: ops, constants, regions, dispatch back into the ladder, and the helpers every
// lowering needs. Ops are verified by the host as they are built; equal pure ops give one value.
#pragma once

#include "sixrung/node.hpp"

#include <functional>

namespace sixrung {

// A value, or a number that becomes a 0-d constant of the type its partner has.
class Operand {
public:
  Operand(Value value) : value_(value) {}
  Operand(Scalar scalar) : scalar_(scalar) {}
  Operand(double v) : scalar_(v) {}
  Operand(int v) : scalar_(v) {}
  Operand(int64_t v) : scalar_(v) {}
  Operand(bool v) : scalar_(v) {}
  bool isScalar() const { return !value_; }
  const Value &value() const { return value_; }
  const Scalar &scalar() const { return scalar_; }

private:
  Value value_;
  Scalar scalar_;
};

class Builder {
public:
  explicit Builder(detail::Context *context) : context_(context) {}

  Node node() const { return Node(context_); }
  // A remark `explain` tells; warnings go to stderr too, narrowings say that 64 bits became 32.
  void note(std::string_view text) { remark(SIXRUNG_NOTE, text); }
  void warn(std::string_view text) { remark(SIXRUNG_WARNING, text); }
  void narrowing(std::string_view text) { remark(SIXRUNG_NARROWING, text); }

  // --- ops ---------------------------------------------------------------------------------------
  // One op with one result. The type is inferred by the dialect unless given (cast, max_pool_2d,
  // scatter_along_axis, sort and the like infer nothing; a shape known only at run time infers '?').
  Value op(std::string_view name, const Values &operands, const Attributes &attributes = {},
           std::optional<Type> result = {});
  // One op with `results` results, or as many as there are types.
  Values ops(std::string_view name, const Values &operands, const Attributes &attributes, uint32_t results,
             const std::vector<Type> &types = {}, const std::vector<sixrung_region> &regions = {});

  // Dispatches `key` through the ladder: overrides apply (LADDER-2). `expected` says what the call is
  // to give; left out, what this node itself is to give.
  Value lower(std::string_view key, const Attributes &arguments, std::optional<ResultInfo> expected = {});
  Values lowerAll(std::string_view key, const Attributes &arguments, const std::vector<ResultInfo> &expected);

  // --- regions -----------------------------------------------------------------------------------
  // Builds a region whose block takes `types`; `body` gives the operands of the terminator.
  sixrung_region region(const std::vector<Type> &types, const std::function<Values(const Values &)> &body,
                        std::string_view terminator = "coreai.yield");
  // The nodes of a subgraph, lowered here.
  Values inlined(const Subgraph &graph, const Values &inputs);

#if SIXRUNG_TARGET_MINOR >= 1
  // --- private graphs (ABI 1.1) --------------------------------------------------------------------
  // A known operation: the body of the composite that serves `name`, called. A null operand leaves an
  // input out. `expected` says what the call is to give; left out, what this node itself is to give.
  Value composite(std::string_view name, const Values &operands, const Attributes &attributes = {},
                  std::optional<ResultInfo> expected = {});
  Values compositeAll(std::string_view name, const Values &operands, const Attributes &attributes,
                      const std::vector<ResultInfo> &expected);
  // A private graph; `body` gets its arguments and gives its outputs.
  struct Port {
    std::string_view name;
    Type type;
  };
  sixrung_graph graph(std::string_view name, const std::vector<Port> &inputs,
                      const std::function<Values(const Values &)> &body);
  Values invoke(sixrung_graph graph, const Values &operands, uint32_t results = 1);
#endif

  // --- constants ---------------------------------------------------------------------------------
  // A number as a tensor of `dims` (0-d by default), every element the same.
  Value constant(const Scalar &scalar, DType dtype, const Ints &dims = {});
  Value zeros(DType dtype, const Ints &dims) { return constant(Scalar(0), dtype, dims); }
  // A 1-d vector of indices: SI32 for axes, bounds and sizes, UI32 where the dialect wants unsigned.
  Value indices(const Ints &values, DType dtype = DType::SI32);
  Value index(int64_t value, DType dtype = DType::SI32) { return constant(Scalar(value), dtype); } // 0-d
  // Row-major bytes, copied.
  Value data(DType dtype, const Ints &dims, const void *bytes, uint64_t size);

  // --- types -------------------------------------------------------------------------------------
  // No op when it has the type already. The runtime saturates float -> int and int -> narrower int;
  // `wrapCast` wraps as eager does.
  Value cast(Value x, DType dtype);
  Value wrapCast(Value x, DType dtype);
  // bool: x != 0 (NaN is true).
  Value toBool(Value x);
  // The type operands are brought to, by PyTorch's rules: dims before 0-d tensors before Python
  // numbers, where a lower one counts only when its category (bool, int, float, complex) is higher.
  DType promote(const std::vector<Operand> &operands);
  // An operand as a value of `dtype`; numbers become 0-d constants.
  Value as(const Operand &operand, DType dtype);
  // The value as result `index` of the node wants it: cast unless its type already represents the
  // program's (the 64-bit rule: si32 and si64 both stand for int64).
  Value asResult(Value x, int index = 0);
  // The operand of argument `which`: a tensor, a number, or a symbolic number made 0-d.
  Operand operand(const Node &n, Arg which);

  // --- elementwise; numbers and mixed types are promoted, shapes broadcast -------------------------
  Value abs(Value x) { return op("coreai.abs", {x}); }
  Value acos(Value x) { return op("coreai.acos", {x}); }
  Value acosh(Value x) { return op("coreai.acosh", {x}); }
  Value asin(Value x) { return op("coreai.asin", {x}); }
  Value asinh(Value x) { return op("coreai.asinh", {x}); }
  Value atan(Value x) { return op("coreai.atan", {x}); }
  Value atanh(Value x) { return op("coreai.atanh", {x}); }
  Value cos(Value x) { return op("coreai.cos", {x}); }
  Value cosh(Value x) { return op("coreai.cosh", {x}); }
  Value erf(Value x) { return op("coreai.erf", {x}); }
  Value exp(Value x) { return op("coreai.exp", {x}); }
  Value log(Value x) { return op("coreai.log", {x}); }
  Value relu(Value x) { return op("coreai.relu", {x}); }
  Value round(Value x) { return op("coreai.round", {x}); }
  Value rsqrt(Value x) { return op("coreai.rsqrt", {x}); }
  Value sigmoid(Value x) { return op("coreai.sigmoid", {x}); }
  Value silu(Value x) { return op("coreai.silu", {x}); }
  Value sin(Value x) { return op("coreai.sin", {x}); }
  Value sinh(Value x) { return op("coreai.sinh", {x}); }
  Value sqrt(Value x) { return op("coreai.sqrt", {x}); }
  Value tan(Value x) { return op("coreai.tan", {x}); }
  Value tanh(Value x) { return op("coreai.tanh", {x}); }
  Value add(const Operand &a, const Operand &b) { return binary("add", a, b); }
  Value sub(const Operand &a, const Operand &b) { return binary("sub", a, b); }
  Value mul(const Operand &a, const Operand &b) { return binary("mul", a, b); }
  // Integers truncate toward zero.
  Value divide(const Operand &a, const Operand &b) { return binary("divide", a, b); }
  // Floor; an infinite dividend gives NaN.
  Value floorDivide(const Operand &a, const Operand &b) { return binary("floor_divide", a, b); }
  // The sign of the dividend.
  Value modulo(const Operand &a, const Operand &b) { return binary("modulo", a, b); }
  Value pow(const Operand &a, const Operand &b) { return binary("pow", a, b); }
  Value maximum(const Operand &a, const Operand &b) { return binary("maximum", a, b); }
  Value minimum(const Operand &a, const Operand &b) { return binary("minimum", a, b); }
  Value bitwiseAnd(const Operand &a, const Operand &b) { return binary("bitwise_and", a, b); }
  Value bitwiseOr(const Operand &a, const Operand &b) { return binary("bitwise_or", a, b); }
  Value bitwiseXor(const Operand &a, const Operand &b) { return binary("bitwise_xor", a, b); }
  Value logicalAnd(const Operand &a, const Operand &b) { return binary("and", a, b); }
  Value logicalOr(const Operand &a, const Operand &b) { return binary("or", a, b); }
  Value logicalXor(const Operand &a, const Operand &b) { return binary("xor", a, b); }
  Value equal(const Operand &a, const Operand &b); // false for NaN, also of a value with itself
  Value notEqual(const Operand &a, const Operand &b) { return binary("not_equal", a, b); }
  // `mnemonic` with broadcasting: "coreai.X" for equal static shapes, else
  // "coreai.decomposable.broadcasting_X".
  Value binary(std::string_view mnemonic, const Operand &a, const Operand &b);
  Value greater(const Operand &a, const Operand &b);
  Value less(const Operand &a, const Operand &b) { return greater(b, a); }
  Value greaterEqual(const Operand &a, const Operand &b); // false for NaN, as in PyTorch
  Value lessEqual(const Operand &a, const Operand &b) { return greaterEqual(b, a); }
  Value logicalNot(Value x) { return op("coreai.not", {x}); }
  Value where(Value condition, const Operand &a, const Operand &b);
  Value neg(Value x);
  Value square(Value x) { return mul(x, x); }
  Value log1p(Value x); // exact for small x
  Value expm1(Value x); // exact for small x
  Value floor(Value x);
  Value ceil(Value x);
  Value trunc(Value x);
  Value isNan(Value x) { return notEqual(x, x); }
  Value clamp(Value x, std::optional<Operand> low, std::optional<Operand> high);

  // --- sizes -------------------------------------------------------------------------------------
  Dim dim(Value x, int64_t axis);
  Shape shape(Value x);
  // A 1-d tensor of sizes: a constant where all are static, else constants and run-time pieces.
  Value vector(const Shape &shape, DType dtype = DType::SI32);
  Value vectorOf(const Dim &d, DType dtype = DType::SI32) { return vector(Shape{d}, dtype); } // [1]
  Value scalarOf(const Dim &d, DType dtype = DType::SI32);                                    // 0-d
  Dim addDims(const Dim &a, const Dim &b);
  Dim subDims(const Dim &a, const Dim &b);
  Dim mulDims(const Dim &a, const Dim &b);
  Dim floorDivideDims(const Dim &a, const Dim &b); // of non-negative sizes
  Dim product(const Shape &shape);
  Shape broadcastShapes(const Shape &a, const Shape &b);

  // --- moving data -------------------------------------------------------------------------------
  Value reshape(Value x, const Shape &shape); // no op when nothing changes
  Value flatten(Value x) { return reshape(x, {product(shape(x))}); }
  Value scalar(Value x) { return x.rank() == 0 ? x : reshape(x, {}); } // one element to 0-d
  Value expandDims(Value x, const Ints &axes);                         // size-1 axes, placed in the result
  Value shrinkDims(Value x, const Ints &axes);                         // removes size-1 axes
  Value broadcastTo(Value x, const Shape &shape);                      // right-aligned, as PyTorch's expand
  Value transpose(Value x, const Ints &permutation);
  Value swapAxes(Value x, int64_t a, int64_t b);
  Value concat(const Values &parts, int64_t axis);
  // Bounds per axis; `steps` empty is all ones. The result's sizes are computed where static.
  Value slice(Value x, const Shape &starts, const Shape &ends, const Ints &steps = {});
  Value sliceAxis(Value x, int64_t axis, const Dim &start, const Dim &end, int64_t step = 1);
  Value gatherAlongAxis(Value x, Value indices, int64_t axis);
  Value gatherNd(Value x, Value indices);
  Value tile(Value x, const Ints &repeats);
  Value range(const Operand &start, const Operand &stop, const Operand &step, DType dtype);

  // --- reductions; the result keeps reduced axes as size 1 unless `keep` is false -------------------
  Value reduce(std::string_view mnemonic, Value x, const Ints &axes, bool keep); // "reduce_sum", "any", ...
  Value sum(Value x, const Ints &axes, bool keep = true) { return reduce("reduce_sum", x, axes, keep); }
  Value mean(Value x, const Ints &axes, bool keep = true) { return reduce("reduce_mean", x, axes, keep); }
  Value reduceMax(Value x, const Ints &axes, bool keep = true) { return reduce("reduce_max", x, axes, keep); }
  Value reduceMin(Value x, const Ints &axes, bool keep = true) { return reduce("reduce_min", x, axes, keep); }
  // Every axis of x: what a missing or empty `dim` means in PyTorch.
  Ints allAxes(Value x);
  Ints axes(Value x, const Ints &dims) { return dims.empty() ? allAxes(x) : axesOf(dims, x.rank()); }
  Value softmax(Value x, int64_t axis);
  Value matmul(Value a, Value b); // broadcasting over leading axes

private:
  Value reduceNothing(std::string_view mnemonic, Value x, const Ints &axes, bool keep);
  void remark(uint32_t kind, std::string_view text) {
    SIXRUNG_HOST_CALL(context_, call_remark, context_->call, kind, str(text));
  }
  Dim dimOp(std::string_view mnemonic, const Dim &a, const Dim &b, int64_t (*fold)(int64_t, int64_t));

  detail::Context *context_;
};

} // namespace sixrung

#include "sixrung/detail/builder_core.hpp"
#include "sixrung/detail/builder_elementwise.hpp"
#include "sixrung/detail/builder_shape.hpp"
