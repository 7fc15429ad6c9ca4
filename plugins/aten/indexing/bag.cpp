#include "indexing.hpp"

#include <limits>

namespace sixrung::aten {
namespace {

// The bag of every index: how many offsets lie at or before its place, less one.
Value bagsOf(Builder &b, Value offsets, const Dim &count) {
  Value place = b.op("coreai.range", {b.index(0), b.scalarOf(count), b.index(1)}, {},
                     Type{DType::SI32, {count.size()}});
  Value begun = b.lessEqual(b.expandDims(offsets, {0}), b.expandDims(place, {1})); // [place, bag]
  return b.sub(b.sum(b.cast(begun, DType::SI32), {1}, false), 1);
}

} // namespace

// (weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset,
// padding_idx): rows of the weight, reduced bag by bag. An empty bag gives zeros.
Values embeddingBag(Node n, Builder &b) {
  for (int i = 1; i < n.resultCount(); ++i)
    if (n.result(i).used)
      return unsupported("the book-keeping results of embedding_bag", "use the embeddings alone")
          .operator Values();
  enum { kSum, kMean, kMax };
  Value weight = n.tensor(0), index = b.cast(n.tensor(1), DType::SI32),
        offsets = b.cast(n.tensor(2), DType::SI32);
  int64_t mode = n.integer(4, kSum), padding = n.integer(8, -1);
  if (n.boolean(7, false)) // the last offset is the end
    offsets = b.sliceAxis(offsets, 0, 0, -1);
  DType wide = opmath(weight.dtype());
  Dim bags = b.dim(offsets, 0), count = b.dim(index, 0), width = b.dim(weight, 1);
  auto empty = [&](const Shape &shape) {
    return b.broadcastTo(b.constant(0, wide, Ints(shape.size(), 1)), shape);
  };
  Values none(static_cast<size_t>(n.resultCount()));
  if (index.elements() == 0 || weight.elements() == 0 || offsets.elements() == 0) {
    none[0] = b.cast(empty({bags, width}), weight.dtype());
    return none;
  }
  Value rows = b.cast(b.gatherNd(weight, b.expandDims(index, {1})), wide);
  if (n.has(6))
    rows = b.mul(rows, b.expandDims(b.cast(n.tensor(6), wide), {1}));
  Value bag = bagsOf(b, offsets, count);
  Value counted = b.broadcastTo(b.constant(1, wide, {1}), {count});
  if (padding >= 0) {
    Value padded = b.equal(index, b.constant(padding, DType::SI32));
    counted = b.where(padded, 0.0, counted);
    rows = b.where(b.expandDims(padded, {1}), mode == kMax ? -std::numeric_limits<double>::infinity() : 0.0,
                   rows);
  }
  auto reduced = [&](Value into, Value at, Value source, std::string_view how) {
    return b.lower("aten::scatter_reduce.two", {into, 0, at, source, how, how == "sum"},
                   ResultInfo::of(into.type()));
  };
  Value at = b.broadcastTo(b.expandDims(bag, {1}), {count, width});
  Value result = reduced(empty({bags, width}), at, rows, mode == kMax ? "amax" : "sum");
  if (mode != kSum) {
    Value sizes = b.expandDims(reduced(empty({bags}), bag, counted, "sum"), {1});
    result =
        mode == kMean ? b.divide(result, b.maximum(sizes, 1.0)) : b.where(b.greater(sizes, 0.0), result, 0.0);
  }
  none[0] = b.cast(result, weight.dtype());
  return none;
}

} // namespace sixrung::aten
