#include "reduction.hpp"

#include <cmath>

namespace sixrung::aten {

Ints axesOfArgument(Node n, Builder &b, Value x, Arg which) { return b.axes(x, n.ints(which, Ints{})); }

Value countOf(Builder &b, Value x, const Ints &axes, DType dtype) {
  Shape sizes;
  for (int64_t axis : axes)
    sizes.push_back(b.dim(x, axis));
  Dim count = b.product(sizes);
  return count.isStatic() ? b.constant(Scalar(static_cast<double>(count.size())), dtype)
                          : b.scalarOf(count, dtype);
}

// Integers accumulate in the type PyTorch accumulates in: 64 bits unless a dtype was asked for.
Value accumulate(Node n, Builder &b, std::string_view op) {
  Value x = n.tensor(0);
  DType dtype = n.result(0).dtype;
  x = isInteger(dtype) ? b.wrapCast(x, dtype)
                       : b.cast(x, represents(x.dtype(), dtype) ? x.dtype() : narrowed(dtype));
  if (isComplex(x.dtype()) && op == "reduce_product")
    return unsupported("a product of complex numbers", "multiply them one by one");
  return b.asResult(byParts(b, x, [&](Value part) {
    return b.reduce(op, widened(b, part), axesOfArgument(n, b, x, "dim"), n.boolean("keepdim", false));
  }));
}

Value mean(Node n, Builder &b) {
  Value x = n.tensor(0);
  DType dtype = n.result(0).dtype;
  x = widened(b, represents(x.dtype(), dtype) ? x : b.cast(x, narrowed(dtype)));
  return b.asResult(byParts(b, x, [&](Value part) {
    return b.mean(part, axesOfArgument(n, b, x, "dim"), n.boolean("keepdim", false));
  }));
}

namespace {
Value extremeOver(Builder &b, Value x, const Ints &axes, bool keep, bool largest) {
  if (x.dtype() == DType::Bool)
    return b.reduce(largest ? "any" : "all", x, axes, keep);
  return b.reduce(largest ? "reduce_max" : "reduce_min", x, axes, keep);
}
} // namespace

Value extreme(Node n, Builder &b, std::string_view which) {
  Value x = n.tensor(0);
  return extremeOver(b, x, axesOfArgument(n, b, x, "dim"), n.boolean("keepdim", false), which == "max");
}

Values aminmax(Node n, Builder &b) {
  Value x = n.tensor(0);
  Ints axes = n.has("dim") ? Ints{axisOf(n.integer("dim"), x.rank())} : b.allAxes(x);
  bool keep = n.boolean("keepdim", false);
  return {extremeOver(b, x, axes, keep, false), extremeOver(b, x, axes, keep, true)};
}

Value anyAll(Node n, Builder &b, std::string_view op) {
  Value x = n.tensor(0), truth = b.toBool(x);
  Value result = b.reduce(op, truth, axesOfArgument(n, b, x, "dim"), n.boolean("keepdim", false));
  return b.asResult(result); // uint8 stays uint8
}

Value countNonzero(Node n, Builder &b) {
  Value x = b.cast(b.toBool(n.tensor(0)), DType::SI64);
  return b.sum(x, axesOfArgument(n, b, x, "dim"), false);
}

// The largest is taken out; where it is infinite there is nothing to take out.
Value logsumexp(Node n, Builder &b) {
  Value x = n.tensor(0);
  x = widened(b, isFloat(x.dtype()) ? x : b.cast(x, n.result(0).valueDtype));
  Ints axes = axesOfArgument(n, b, x, 1);
  Value largest = b.reduceMax(x, axes);
  largest = b.where(b.equal(b.abs(largest), HUGE_VAL), 0.0, largest);
  Value result = b.add(b.log(b.sum(b.exp(b.sub(x, largest)), axes)), largest);
  return b.asResult(n.boolean(2, false) || x.rank() == 0 ? result : b.shrinkDims(result, axes));
}

Value vectorNorm(Node n, Builder &b) {
  Value x = n.tensor(0);
  ResultInfo info = n.result(0);
  double order = n.number(1, 2.0);
  if (isComplex(x.dtype()))
    x = b.lower("aten::abs.default", {x}, ResultInfo::of(Type{realType(x.dtype()), x.dims()}));
  x = widened(b, represents(x.dtype(), info.dtype) ? x : b.cast(x, info.valueDtype));
  Ints axes = axesOfArgument(n, b, x, 2);
  bool keep = n.boolean(3, false);
  Value result;
  if (order == 0.0)
    result = b.sum(b.cast(b.toBool(x), x.dtype()), axes, keep);
  else if (order == 1.0)
    result = b.sum(b.abs(x), axes, keep);
  else if (order == 2.0)
    result = b.sqrt(b.sum(b.square(x), axes, keep));
  else if (std::isinf(order))
    result = order > 0 ? b.reduceMax(b.abs(x), axes, keep) : b.reduceMin(b.abs(x), axes, keep);
  else
    result = b.pow(b.sum(b.pow(b.abs(x), order), axes, keep), 1.0 / order);
  return b.asResult(result);
}

} // namespace sixrung::aten
