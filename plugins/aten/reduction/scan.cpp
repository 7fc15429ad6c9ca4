#include "reduction.hpp"

#include <cmath>

namespace sixrung::aten {
namespace {

Value scan(Builder &b, Value x, int axis, std::string_view op) {
  return b.op("coreai.scan", {x, b.index(axis, DType::UI32), b.constant(Scalar(false), DType::Bool)},
              {{"scan_op", op}}, x.type());
}

} // namespace

Value cumulative(Node n, Builder &b, std::string_view op) {
  Value x = n.tensor(0);
  DType dtype = n.result(0).dtype;
  x = isInteger(dtype) ? b.wrapCast(x, dtype)
                       : b.cast(x, represents(x.dtype(), dtype) ? x.dtype() : narrowed(dtype));
  if (x.rank() == 0)
    return x;
  // The runtime ends the process where an integer overflows; eager wraps.
  Value wide = isInteger(dtype) ? b.cast(x, DType::SI64) : widened(b, x);
  if (isComplex(wide.dtype()) && op != "sum")
    return unsupported("cumprod of complex numbers", "multiply them one by one");
  return b.asResult(
      byParts(b, wide, [&](Value part) { return scan(b, part, axisOf(n.integer(1), x.rank()), op); }));
}

// Each prefix by itself, its largest element taken out: one maximum for all would lose the small beginnings.
Value logCumulativeSum(Node n, Builder &b) {
  Value x = n.tensor(0);
  x = widened(b, isFloat(x.dtype()) ? x : b.cast(x, n.result(0).valueDtype));
  if (x.rank() == 0)
    return b.asResult(x);
  int axis = axisOf(n.integer(1), x.rank());
  Value line = b.expandDims(b.swapAxes(x, axis, -1), {-2}); // [.., 1, element]
  Value at = b.op("coreai.range", {b.index(0), b.scalarOf(b.dim(x, axis)), b.index(1)}, {},
                  Type{DType::SI32, {x.dim(axis)}});
  Value inside = b.lessEqual(b.expandDims(at, {0}), b.expandDims(at, {1})); // [prefix, element]
  Value prefixes = b.where(inside, line, -HUGE_VAL), largest = b.reduceMax(prefixes, {-1});
  largest = b.where(b.equal(b.abs(largest), HUGE_VAL), 0.0, largest);
  Value sum = b.sum(b.exp(b.sub(prefixes, largest)), {-1}, false);
  return b.asResult(b.swapAxes(b.add(b.log(sum), b.shrinkDims(largest, {-1})), axis, -1));
}

// Values by a scan; the index is the last position where the running extreme was met or NaN came in.
Values cumulativeExtreme(Node n, Builder &b, std::string_view op) {
  Value x = n.tensor(0);
  if (x.rank() == 0)
    return {x, b.index(0)};
  int axis = axisOf(n.integer(1), x.rank());
  Value key = x.dtype() == DType::Bool ? b.cast(x, DType::UI8) : x;
  Value best = scan(b, key, axis, op), index;
  if (isFloat(x.dtype())) { // once NaN, always NaN
    Value seen = scan(b, b.cast(b.isNan(x), DType::SI32), axis, "max");
    best = b.where(b.greater(seen, 0), std::numeric_limits<double>::quiet_NaN(), best);
  }
  if (n.result(1).used) {
    Value met = b.equal(key, best);
    if (isFloat(x.dtype()))
      met = b.logicalOr(met, b.isNan(x));
    Value positions = b.op("coreai.range", {b.index(0), b.scalarOf(b.dim(x, axis)), b.index(1)}, {},
                           Type{DType::SI32, {x.dim(axis)}});
    Shape spread(static_cast<size_t>(x.rank()), Dim(1));
    spread[static_cast<size_t>(axis)] = b.dim(x, axis);
    index = scan(b, b.where(met, b.reshape(positions, spread), 0), axis, "max");
  }
  return {b.cast(best, x.dtype()), index};
}

} // namespace sixrung::aten
