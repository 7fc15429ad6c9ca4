#include "reduction.hpp"

namespace sixrung::aten {

// Each element adds one to its bin; those outside, and NaN, add nothing.
Value histc(Node n, Builder &b) {
  Value x = n.tensor(0);
  DType dtype = n.result(0).valueDtype;
  int64_t bins = n.integer(1, 100);
  double low = n.number(2, 0.0), high = n.number(3, 0.0);
  x = b.flatten(b.cast(widened(b, x), isFloat(x.dtype()) ? opmath(x.dtype()) : DType::F32));
  DType wide = x.dtype();
  Value first = b.constant(Scalar(low), wide), last = b.constant(Scalar(high), wide);
  if (low == high) { // the range of the elements; one wide when they are all alike
    first = b.reduceMin(x, {0}, false);
    last = b.reduceMax(x, {0}, false);
    Value alike = b.equal(first, last);
    first = b.where(alike, b.sub(first, 1.0), first);
    last = b.where(alike, b.add(last, 1.0), last);
  }
  Value inside = b.logicalAnd(b.greaterEqual(x, first), b.lessEqual(x, last));
  Value place = b.divide(b.mul(b.sub(x, first), static_cast<double>(bins)), b.sub(last, first));
  place = b.where(inside, place, 0.0);
  Value bin = b.minimum(b.cast(place, DType::SI32), b.index(bins - 1));
  Value counts = b.op("coreai.scatter_along_axis",
                      {b.zeros(DType::SI32, {bins}), bin, b.cast(inside, DType::SI32), b.index(0)},
                      {{"scatter_mode", "add"}}, Type{DType::SI32, {bins}});
  return b.cast(counts, dtype);
}

// How many boundaries lie before a value: with `right`, those equal to it too. NaN is after them all.
Value searchsorted(Builder &b, Value boundaries, Value x, bool right) {
  DType dtype = b.promote({boundaries, x});
  int axis = x.rank();
  Value v = b.expandDims(b.cast(x, dtype), {axis}), edges = b.cast(boundaries, dtype);
  Value after = right ? b.greater(edges, v) : b.greaterEqual(edges, v);
  return b.sum(b.cast(b.logicalNot(after), DType::SI32), {axis}, false);
}

Value bucketize(Node n, Builder &b) { // (self, boundaries, out_int32, right)
  Operand x = b.operand(n, 0);
  Value value = x.isScalar() ? b.as(x, x.scalar().isFloat() ? DType::F32 : DType::SI32) : x.value();
  return searchsorted(b, n.tensor(1), value, n.boolean("right", false));
}
Value searchsortedTensor(Node n, Builder &b) { // (sorted_sequence, self, out_int32, right, side, sorter)
  Value edges = n.tensor(0), x = n.tensor(1);
  if (n.has("sorter"))
    edges = b.gatherAlongAxis(edges, n.tensor("sorter"), -1);
  bool right = n.boolean("right", false) || n.string("side", "left") == "right";
  if (edges.rank() == 1)
    return searchsorted(b, edges, x, right);
  return searchsorted(b, b.expandDims(edges, {edges.rank() - 1}), x, right); // row by row
}

namespace {
// The p-norm of differences along their last axis.
Value normOf(Builder &b, Value gap, double p) {
  gap = b.abs(gap);
  if (p == 0.0)
    return b.sum(b.cast(b.toBool(gap), gap.dtype()), {-1}, false);
  if (p == 1.0)
    return b.sum(gap, {-1}, false);
  if (p == 2.0)
    return b.sqrt(b.sum(b.square(gap), {-1}, false));
  if (p > 1e300)
    return b.reduceMax(gap, {-1}, false);
  return b.pow(b.sum(b.pow(gap, p), {-1}, false), 1.0 / p);
}
} // namespace

// Pairwise distances of rows: (x1, x2, p, compute_mode) -> [..., rows of x1, rows of x2].
Value cdist(Node n, Builder &b) {
  Value x = widened(b, n.tensor(0)), y = widened(b, n.tensor(1));
  Value gap = b.sub(b.expandDims(x, {x.rank() - 1}), b.expandDims(y, {y.rank() - 2}));
  return b.asResult(gap.dim(-1) == 0 ? b.sum(gap, {-1}, false) : normOf(b, gap, n.number(2)));
}

// Of every two rows, (self, p): the upper triangle of cdist's matrix, row by row.
Value pdist(Node n, Builder &b) {
  Value x = widened(b, n.tensor(0));
  int64_t rows = x.dim(0);
  if (rows == kDynamic)
    return unsupported("pdist of rows whose number is known only at run time",
                       "use cdist, or export it as static");
  Ints first, second;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = i + 1; j < rows; ++j) {
      first.push_back(i);
      second.push_back(j);
    }
  if (first.empty() || x.dim(1) == 0)
    return b.zeros(n.result(0).valueDtype, n.result(0).dims);
  auto picked = [&](const Ints &at) { return b.gatherNd(x, b.expandDims(b.indices(at), {1})); };
  return b.asResult(normOf(b, b.sub(picked(first), picked(second)), n.number(1, 2.0)));
}

Value distance(Node n, Builder &b) { // p-norm of self - other
  Value x = n.tensor(0), gap = b.sub(x, n.tensor(1));
  ResultInfo info = n.result(0);
  return b.lower("aten::linalg_vector_norm.default",
                 {gap, n.number(2, 2.0), Argument(), false, {"dtype", Argument()}}, info);
}

} // namespace sixrung::aten
