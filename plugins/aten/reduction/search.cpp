#include "reduction.hpp"

namespace sixrung::aten {
namespace {

// First index of the extreme along `axis`, which stays as size 1. The dialect's argmax passes over
// NaN; eager gives the first NaN. So: mark what equals the extreme or is NaN, find the first mark.
Value indexOfExtreme(Builder &b, Value x, Value best, int axis, bool largest) {
  Value key = x;
  if (isFloat(x.dtype())) {
    // `best` is NaN when any element is: then only NaN is marked.
    key = b.cast(b.logicalOr(b.equal(x, best), b.isNan(x)), DType::SI8);
  } else if (x.dtype() == DType::Bool) {
    key = b.cast(largest ? x : b.logicalNot(x), DType::SI8);
  } else if (!largest) {
    key = b.bitwiseXor(x, b.constant(Scalar(-1), x.dtype())); // reverses the order, never overflows
  }
  Ints dims = x.dims();
  dims[static_cast<size_t>(axis)] = 1;
  return b.cast(b.op("coreai.argmax", {key, b.index(axis)}, {}, Type{DType::UI32, dims}), DType::SI32);
}

Value extremeOf(Builder &b, Value x, int axis, bool largest) {
  if (x.dtype() == DType::Bool)
    return b.reduce(largest ? "any" : "all", x, {axis}, true);
  return b.reduce(largest ? "reduce_max" : "reduce_min", x, {axis}, true);
}

} // namespace

Value argExtreme(Node n, Builder &b, std::string_view which) {
  bool largest = which == "max", keep = n.boolean(2, false);
  Value x = n.tensor(0);
  int rank = x.rank();
  if (!n.has(1) || rank == 0) { // over everything, in row-major order
    Value flat = b.flatten(x);
    Value index =
        indexOfExtreme(b, flat, isFloat(x.dtype()) ? extremeOf(b, flat, 0, largest) : Value(), 0, largest);
    return b.reshape(index, keep ? Shape(static_cast<size_t>(rank), Dim(1)) : Shape{});
  }
  int axis = axisOf(n.integer(1), rank);
  Value index =
      indexOfExtreme(b, x, isFloat(x.dtype()) ? extremeOf(b, x, axis, largest) : Value(), axis, largest);
  return keep ? index : b.shrinkDims(index, {axis});
}

Values extremeDim(Node n, Builder &b, std::string_view which) {
  bool largest = which == "max", keep = n.boolean(2, false);
  Value x = n.tensor(0);
  if (x.rank() == 0)
    return {x, b.index(0)};
  int axis = axisOf(n.integer(1), x.rank());
  Value best = extremeOf(b, x, axis, largest), index;
  if (n.result(1).used)
    index = indexOfExtreme(b, x, best, axis, largest);
  auto shaped = [&](Value v) { return keep || !v ? v : b.shrinkDims(v, {axis}); };
  return {shaped(best), shaped(index)};
}

} // namespace sixrung::aten
