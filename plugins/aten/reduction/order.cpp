#include "reduction.hpp"

#include <climits>

namespace sixrung::aten {
namespace {

Value argsortAscending(Builder &b, Value x, int axis, bool descending) {
  Value yes = b.constant(Scalar(true), DType::Bool);
  return b.op("coreai.argsort", {x, b.index(axis), b.constant(Scalar(descending), DType::Bool), yes}, {},
              Type{DType::SI32, x.dims()});
}
Value reversed(Builder &b, Value x, int axis) {
  return b.op("coreai.reverse", {x, b.indices({axis})}, {}, x.type());
}

// Indices of the first `count` elements in order (all of them when count is null), stable, NaN the
// largest. The runtime puts NaN last either way, so floats in descending order are sorted ascending
// from the far end: equal elements keep their order and NaN comes first.
Value order(Builder &b, Value x, int axis, bool descending, std::optional<Dim> count) {
  Value key = x.dtype() == DType::Bool ? b.cast(x, DType::UI8) : x;
  Dim none = 0, end = INT32_MAX;
  if (!descending || !isFloat(x.dtype())) {
    Value all = argsortAscending(b, key, axis, descending);
    return count ? b.sliceAxis(all, axis, none, *count) : all;
  }
  Value all = argsortAscending(b, reversed(b, key, axis), axis, false);
  Dim size = b.dim(x, axis);
  if (count)
    all = b.sliceAxis(all, axis, b.subDims(size, *count), end);
  Value last = b.scalarOf(b.subDims(size, 1));
  return b.sub(last, reversed(b, all, axis));
}

Values sorted(Node n, Builder &b, Value x, int64_t dim, bool descending) {
  if (x.rank() == 0)
    return {x, b.index(0)};
  int axis = axisOf(dim, x.rank());
  Value index = order(b, x, axis, descending, {});
  return {n.result(0).used ? b.gatherAlongAxis(x, index, axis) : Value(), index};
}

} // namespace

Values sort(Node n, Builder &b) {
  return sorted(n, b, n.tensor(0), n.integer("dim", -1), n.boolean("descending", false));
}
Values sortStable(Node n, Builder &b) { return sort(n, b); } // every sort here is stable

Value argsort(Node n, Builder &b) {
  Value x = n.tensor(0);
  if (x.rank() == 0)
    return b.index(0);
  return order(b, x, axisOf(n.integer("dim", -1), x.rank()), n.boolean("descending", false), {});
}
Value argsortStable(Node n, Builder &b) { return argsort(n, b); }

Values topk(Node n, Builder &b) {
  Value x = n.tensor(0);
  if (x.rank() == 0)
    return {x, b.index(0)};
  int axis = axisOf(n.integer(2, -1), x.rank());
  Value index = order(b, x, axis, n.boolean(3, true), n.dim(1));
  return {b.gatherAlongAxis(x, index, axis), index};
}

Values kthvalue(Node n, Builder &b) {
  Value x = n.tensor(0);
  if (x.rank() == 0)
    return {x, b.index(0)};
  int axis = axisOf(n.integer(2, -1), x.rank());
  Dim k = n.dim(1);
  Value index = b.sliceAxis(order(b, x, axis, false, {}), axis, b.subDims(k, 1), k);
  Value value = b.gatherAlongAxis(x, index, axis);
  if (n.boolean(3, false))
    return {value, index};
  return {b.shrinkDims(value, {axis}), b.shrinkDims(index, {axis})};
}

namespace {
// The lower median. NaN stands behind the numbers: the first one is the median where there is one, or NaNs
// do not count.
Values medianAlong(Builder &b, Value x, int axis, bool ignoreNan) {
  Value all = order(b, x, axis, false, {});
  Dim size = b.dim(x, axis);
  Value middle = b.scalarOf(b.floorDivideDims(b.subDims(size, 1), 2));
  Shape one = b.shape(x);
  one[static_cast<size_t>(axis)] = 1;
  Value place = b.broadcastTo(middle, one);
  if (isFloat(x.dtype())) {
    Value nans = b.sum(b.cast(b.isNan(x), DType::SI32), {axis});
    Value numbers = b.sub(b.scalarOf(size), nans);
    place = ignoreNan ? b.maximum(b.floorDivide(b.sub(numbers, 1), 2), 0)
                      : b.where(b.greater(nans, 0), numbers, place);
  }
  Value index = b.gatherAlongAxis(all, place, axis);
  return {b.gatherAlongAxis(x, index, axis), index};
}
} // namespace

Values medianDim(Node n, Builder &b, std::string_view kind) {
  Value x = n.tensor(0);
  if (x.rank() == 0)
    return {x, b.index(0)};
  int axis = axisOf(n.integer(1), x.rank());
  Values found = medianAlong(b, x, axis, kind == "nan");
  if (n.boolean(2, false))
    return found;
  return {b.shrinkDims(found[0], {axis}), b.shrinkDims(found[1], {axis})};
}
Value median(Node n, Builder &b, std::string_view kind) {
  return b.scalar(medianAlong(b, b.flatten(n.tensor(0)), 0, kind == "nan")[0]);
}

} // namespace sixrung::aten
