#include "indexing.hpp"

#include <limits>

namespace sixrung::aten {
namespace {

// torch.scatter as the op has it: the index may be smaller than x and the source.
struct Scatter {
  Value x, index, source;
  int axis = 0;
  bool scalar = false; // x was 0-d
};

Scatter read(Node n, Builder &b) {
  Scatter s;
  s.x = n.tensor(0);
  s.index = b.cast(n.tensor(2), DType::SI32);
  s.scalar = s.x.rank() == 0;
  if (s.scalar)
    s.x = b.expandDims(s.x, {0});
  if (s.index.rank() == 0)
    s.index = b.expandDims(s.index, {0});
  s.axis = axisOf(n.integer(1), s.x.rank());
  Shape size = b.shape(s.index);
  if (n.isTensor(3)) {
    s.source = b.cast(n.tensor(3), s.x.dtype());
    if (s.source.rank() == 0)
      s.source = b.expandDims(s.source, {0});
    s.source = b.slice(s.source, Shape(size.size(), Dim(0)), size);
  } else {
    s.source = b.broadcastTo(b.constant(n.scalar(3), s.x.dtype(), Ints(size.size(), 1)), size);
  }
  return s;
}

// The op wants x and the index alike beside the axis: only that corner of x is written.
Value apply(Builder &b, const Scatter &s, Value x, Value source, std::string_view mode) {
  if (s.index.elements() == 0)
    return x;
  if (isComplex(x.dtype()) && mode != "update" && mode != "add")
    return unsupported("a scatter that multiplies or orders complex numbers",
                       "scatter their real and imaginary parts");
  size_t rank = static_cast<size_t>(x.rank());
  Shape starts(rank, Dim(0)), ends(rank, Dim(int64_t(INT32_MAX)));
  bool smaller = false;
  for (int i = 0; i < x.rank(); ++i)
    if (i != s.axis && (x.dim(i) != s.index.dim(i) || x.dim(i) == kDynamic)) {
      ends[static_cast<size_t>(i)] = b.dim(s.index, i);
      smaller = true;
    }
  Value corner = smaller ? b.slice(x, starts, ends) : x;
  // The runtime adds no 8-bit numbers, and ends the process where a sum overflows; eager wraps.
  DType dtype = x.dtype(), inner = mode != "update" && isInteger(dtype) ? DType::SI64 : dtype;
  Value result = byParts(b, b.cast(corner, inner), b.cast(source, inner), [&](Value to, Value from) {
    return b.op("coreai.scatter_along_axis", {to, s.index, from, b.index(s.axis)}, {{"scatter_mode", mode}},
                to.type());
  });
  result = b.wrapCast(result, dtype);
  if (!smaller)
    return result;
  return b.op("coreai.slice_update", {x, b.vector(starts), b.vector(ends), b.indices(Ints(rank, 1)), result},
              {}, x.type());
}

Value finish(Builder &b, const Scatter &s, Value result) { return s.scalar ? b.scalar(result) : result; }

// The identity of a reduction in dtype: what untouched sources would leave unchanged.
Scalar identity(std::string_view mode, DType dtype) {
  if (mode == "add")
    return 0;
  if (mode == "mul")
    return 1;
  bool low = mode == "max";
  if (dtype == DType::Bool)
    return !low;
  if (isFloat(dtype))
    return low ? -__builtin_inf() : __builtin_inf();
  unsigned bits = bitWidth(dtype);
  if (isUnsigned(dtype))
    return low ? int64_t(0) : static_cast<int64_t>(bits >= 64 ? UINT64_MAX : (uint64_t(1) << bits) - 1);
  int64_t most = static_cast<int64_t>((uint64_t(1) << (bits - 1)) - 1);
  return low ? -most - 1 : most;
}

} // namespace

Value scatter(Node n, Builder &b) {
  Scatter s = read(n, b);
  std::string reduce = n.argCount() > 4 ? n.string(4, std::string()) : std::string();
  std::string_view mode = "update";
  if (!reduce.empty()) {
    if (reduce != "add" && reduce != "multiply")
      return unsupported("scatter with reduce='" + reduce + "'", "use 'add' or 'multiply'");
    mode = reduce == "add" ? "add" : "mul";
  }
  return finish(b, s, apply(b, s, s.x, s.source, mode));
}

Value scatterAdd(Node n, Builder &b) {
  Scatter s = read(n, b);
  return finish(b, s, apply(b, s, s.x, s.source, "add"));
}

Value scatterReduce(Node n, Builder &b) {
  Scatter s = read(n, b);
  std::string reduce = n.string(4);
  bool includeSelf = n.boolean(5, true);
  std::string_view mode = reduce == "sum" || reduce == "mean" ? "add"
                          : reduce == "prod"                  ? "mul"
                          : reduce == "amax"                  ? "max"
                          : reduce == "amin"                  ? "min"
                                                              : "";
  if (mode.empty())
    return unsupported("scatter_reduce with reduce='" + reduce + "'", "use sum, prod, mean, amax or amin");
  DType dtype = s.x.dtype();
  Shape size = b.shape(s.index);
  auto filled = [&](const Scalar &v) {
    return b.broadcastTo(b.constant(v, dtype, Ints(size.size(), 1)), size);
  };
  // A NaN wins over every number, whatever the order; the op forgets it at the next larger one.
  bool extreme = mode == "max" || mode == "min";
  Value source = s.source, nan;
  if (extreme && isFloat(dtype)) {
    Value isNan = b.isNan(source);
    source = b.where(isNan, identity(mode, dtype), source);
    Shape all = b.shape(s.x);
    Value none = b.broadcastTo(b.constant(0, DType::F32, Ints(all.size(), 1)), all);
    nan = b.greater(apply(b, s, none, b.cast(isNan, DType::F32), "add"), 0.0);
  }
  Value base = includeSelf ? s.x : apply(b, s, s.x, filled(identity(mode, dtype)), "update");
  Value result = apply(b, s, base, source, mode);
  if (nan) {
    if (includeSelf)
      nan = b.logicalOr(nan, b.isNan(s.x));
    result = b.where(nan, std::numeric_limits<double>::quiet_NaN(), result);
  }
  if (reduce == "mean") {
    Shape all = b.shape(s.x);
    Value counts = b.broadcastTo(b.constant(includeSelf ? 1 : 0, dtype, Ints(all.size(), 1)), all);
    counts = b.maximum(apply(b, s, counts, filled(1), "add"), b.constant(1, dtype));
    result = isFloat(dtype) ? b.divide(result, counts) : b.floorDivide(result, counts);
  }
  return finish(b, s, result);
}

// (self, dim, index, source, reduce, include_self): one index for a whole slice of the source.
Value indexReduce(Node n, Builder &b) {
  Value x = n.tensor(0), index = n.tensor(2), source = n.tensor(3);
  bool scalar = x.rank() == 0;
  int64_t axis = scalar ? 0 : axisOf(n.integer(1), x.rank());
  if (source.rank() != 0) {
    Shape spread(static_cast<size_t>(source.rank()), Dim(1));
    spread[static_cast<size_t>(axis)] = b.dim(source, axis);
    index = b.broadcastTo(b.reshape(index, spread), b.shape(source));
  }
  return b.lower("aten::scatter_reduce.two", {x, axis, index, source, n.string(4), n.boolean(5, true)},
                 ResultInfo::of(x.type()));
}

} // namespace sixrung::aten
