#include "shape.hpp"

#include <algorithm>

namespace sixrung::aten {
namespace {

// A bound as PyTorch reads it: negative counts from the end, then clamped into [0, size]. Static
// where it can be; a run-time bound or size is left to the op, which clamps the same way.
Dim bound(const Dim &given, int64_t size) {
  if (!given.isStatic() || size == kDynamic)
    return given;
  int64_t at = given.size() < 0 ? given.size() + size : given.size();
  return std::clamp(at, int64_t(0), size);
}

struct Bounds {
  Dim start, end;
  int64_t step = 1;
};

Bounds boundsOf(Node n, Value x, int axis, int first) {
  int64_t size = x.dim(axis);
  Bounds result;
  result.start = bound(n.dim(first, Dim(0)), size);
  result.end = bound(n.dim(first + 1, Dim(int64_t(INT32_MAX))), size);
  result.step = n.integer(first + 2, 1);
  // end < start is empty in PyTorch.
  if (result.start.isStatic() && result.end.isStatic() && size != kDynamic)
    result.end = std::max(result.start.size(), result.end.size());
  return result;
}

struct Vectors {
  Value starts, ends, steps;
};
Vectors vectors(Builder &b, int rank, int axis, const Bounds &bounds) {
  Shape starts(static_cast<size_t>(rank), Dim(0)), ends(static_cast<size_t>(rank), Dim(int64_t(INT32_MAX)));
  Ints steps(static_cast<size_t>(rank), 1);
  auto fit = [](const Dim &d) {
    return d.isStatic() ? Dim(std::clamp(d.size(), int64_t(INT32_MIN), int64_t(INT32_MAX))) : d;
  };
  starts[static_cast<size_t>(axis)] = fit(bounds.start);
  ends[static_cast<size_t>(axis)] = fit(bounds.end);
  steps[static_cast<size_t>(axis)] = bounds.step;
  return {b.vector(starts), b.vector(ends), b.indices(steps)};
}

bool isWhole(const Bounds &bounds, int64_t size) {
  return bounds.step == 1 && bounds.start.is(0) && bounds.end.isStatic() &&
         (bounds.end.size() >= INT32_MAX || (size != kDynamic && bounds.end.size() >= size));
}

// One position of `axis` as bounds. -1 ends at the end: an end of 0 would be the beginning.
Bounds position(Builder &b, Value x, int axis, const Dim &index) {
  int64_t size = x.dim(axis);
  if (!index.isStatic())
    return {index, b.addDims(index, 1), 1};
  int64_t at = index.size();
  if (size != kDynamic && at < 0)
    at += size;
  return {at, at == -1 ? int64_t(INT32_MAX) : at + 1, 1};
}

Value cut(Builder &b, Value x, int axis, const Bounds &bounds, int64_t size) {
  if (isWhole(bounds, x.dim(axis)))
    return x;
  Ints dims = x.dims();
  dims[static_cast<size_t>(axis)] = size;
  Vectors v = vectors(b, x.rank(), axis, bounds);
  return b.op("coreai.slice", {x, v.starts, v.ends, v.steps}, {}, Type{x.dtype(), dims});
}

} // namespace

Value sliceTensor(Node n, Builder &b) {
  Value x = n.tensor(0);
  int axis = axisOf(n.integer(1, 0), x.rank());
  return cut(b, x, axis, boundsOf(n, x, axis, 2), resultDims(n)[static_cast<size_t>(axis)]);
}

Value sliceScatter(Node n, Builder &b) {
  Value x = n.tensor(0), source = b.cast(n.tensor(1), x.dtype());
  int axis = axisOf(n.integer(2, 0), x.rank());
  Bounds bounds = boundsOf(n, x, axis, 3);
  if (source.dim(axis) == 0)
    return x;
  if (isWhole(bounds, x.dim(axis)) && source.dims() == x.dims())
    return source;
  Vectors v = vectors(b, x.rank(), axis, bounds);
  return b.op("coreai.slice_update", {x, v.starts, v.ends, v.steps, source}, {}, x.type());
}

Value selectInt(Node n, Builder &b) {
  Value x = n.tensor(0);
  int axis = axisOf(n.integer(1), x.rank());
  return b.shrinkDims(cut(b, x, axis, position(b, x, axis, n.dim(2)), 1), {axis});
}

Value selectScatter(Node n, Builder &b) {
  Value x = n.tensor(0), source = b.cast(n.tensor(1), x.dtype());
  int axis = axisOf(n.integer(2), x.rank());
  Vectors v = vectors(b, x.rank(), axis, position(b, x, axis, n.dim(3)));
  return b.op("coreai.slice_update", {x, v.starts, v.ends, v.steps, b.expandDims(source, {axis})}, {},
              x.type());
}

Value narrow(Node n, Builder &b) {
  Value x = n.tensor(0);
  int axis = axisOf(n.integer(1), x.rank());
  Dim start = n.dim(2), length = n.dim(3);
  int64_t size = x.dim(axis);
  if (start.isStatic() && start.size() < 0)
    start = b.addDims(b.dim(x, axis), start);
  Bounds bounds{start, b.addDims(start, length), 1};
  if (start.is(0) && length.isStatic() && length.size() == size)
    return x;
  return cut(b, x, axis, bounds, resultDims(n)[static_cast<size_t>(axis)]);
}

// Whether one op cuts all: parts of known sizes, each with elements and each read.
static bool isPlainSplit(Node n, Value x, int axis, const Shape &sizes) {
  if (sizes.size() < 2 || x.dim(axis) == kDynamic)
    return false;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (!sizes[i].isStatic() || sizes[i].size() <= 0 || !n.result(static_cast<int>(i)).used)
      return false;
  return true;
}

// Parts one after the other along `axis`; parts nobody reads cost nothing.
static Values parts(Node n, Builder &b, Value x, int axis, const Shape &sizes) {
  Values results;
  if (isPlainSplit(n, x, axis, sizes)) {
    Ints lengths;
    for (const Dim &size : sizes)
      lengths.push_back(size.size());
    return b.ops("coreai.split", {x, b.indices(lengths, DType::UI32), b.index(axis)}, {},
                 static_cast<uint32_t>(lengths.size()));
  }
  Dim at = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    ResultInfo info = n.result(static_cast<int>(i));
    Dim end = b.addDims(at, sizes[i]);
    Ints dims = x.dims();
    dims[static_cast<size_t>(axis)] = sizes[i].size();
    bool whole = sizes.size() == 1;
    results.push_back(whole       ? x
                      : info.used ? cut(b, x, axis, {at, end, 1}, dims[static_cast<size_t>(axis)])
                                  : Value());
    at = end;
  }
  return results;
}

Values splitWithSizes(Node n, Builder &b) {
  Value x = n.tensor(0);
  return parts(n, b, x, axisOf(n.integer(2, 0), x.rank()), n.shape(1));
}

Values splitTensor(Node n, Builder &b) {
  Value x = n.tensor(0);
  int axis = axisOf(n.integer(2, 0), x.rank());
  Dim size = n.dim(1);
  Shape sizes(static_cast<size_t>(n.resultCount()), size);
  if (!sizes.empty()) { // the last part takes what is left
    Dim before = b.mulDims(size, static_cast<int64_t>(sizes.size()) - 1);
    sizes.back() = b.subDims(b.dim(x, axis), before);
  }
  return parts(n, b, x, axis, sizes);
}

Values unbind(Node n, Builder &b) {
  Value x = n.tensor(0);
  int axis = axisOf(n.integer(1, 0), x.rank());
  Values results;
  for (int i = 0; i < n.resultCount(); ++i)
    results.push_back(n.result(i).used ? b.shrinkDims(cut(b, x, axis, {i, i + 1, 1}, 1), {axis}) : Value());
  return results;
}

namespace {

// The diagonal of two axes: with those moved to the end, elements r * columns + c of the flattened
// matrix, along one axis.
struct Diagonal {
  Ints order;   // x with the two axes last
  Value line;   // [..., rows * columns]
  Value at;     // positions, for every leading index
  Shape matrix; // sizes of x in that order
  bool none = false;
};
Diagonal diagonalOf(Node n, Builder &b, Value x, int first) {
  int64_t offset = n.integer(first, 0);
  int d1 = axisOf(n.integer(first + 1, 0), x.rank()), d2 = axisOf(n.integer(first + 2, 1), x.rank());
  Diagonal d;
  for (int i = 0; i < x.rank(); ++i)
    if (i != d1 && i != d2)
      d.order.push_back(i);
  d.order.push_back(d1);
  d.order.push_back(d2);
  Value m = b.transpose(x, d.order);
  d.matrix = b.shape(m);
  Dim rows = d.matrix[d.matrix.size() - 2], columns = d.matrix.back(), length;
  int64_t down = std::max<int64_t>(-offset, 0), right = std::max<int64_t>(offset, 0);
  if (rows.isStatic() && columns.isStatic()) {
    length = std::max<int64_t>(std::min(rows.size() - down, columns.size() - right), 0);
  } else {
    auto left = [&](const Dim &size, int64_t gone) {
      Dim rest = b.subDims(size, gone);
      return rest.isStatic() ? b.indices({rest.size()}) : rest.value();
    };
    length = b.maximum(b.minimum(left(rows, down), left(columns, right)), 0);
  }
  d.none = length.is(0) || x.elements() == 0;
  Shape flat(d.matrix.begin(), d.matrix.end() - 2), target = flat;
  flat.push_back(b.mulDims(rows, columns));
  target.push_back(length);
  d.line = b.reshape(m, flat);
  if (d.none)
    return d;
  Value steps = b.op("coreai.range", {b.index(0), b.scalarOf(length), b.index(1)}, {},
                     Type{DType::SI32, {length.size()}});
  Dim start = b.addDims(b.mulDims(columns, down), right);
  Value picks = b.add(b.mul(steps, b.scalarOf(b.addDims(columns, 1))), b.scalarOf(start));
  Shape row(target.size(), Dim(1));
  row.back() = length;
  d.at = b.broadcastTo(b.reshape(picks, row), target);
  return d;
}

} // namespace

Value diagonal(Node n, Builder &b) {
  Value x = n.tensor(0);
  Diagonal d = diagonalOf(n, b, x, 1);
  if (d.none)
    return b.zeros(x.dtype(), resultDims(n));
  return byParts(b, d.line, [&](Value part) { return b.gatherAlongAxis(part, d.at, -1); });
}

Value diagonalScatter(Node n, Builder &b) {
  Value x = n.tensor(0), source = b.cast(n.tensor(1), x.dtype());
  Diagonal d = diagonalOf(n, b, x, 2);
  if (d.none)
    return x;
  Value line = byParts(b, d.line, source, [&](Value to, Value from) {
    return b.op("coreai.scatter_along_axis", {to, d.at, from, b.index(to.rank() - 1)},
                {{"scatter_mode", "update"}}, to.type());
  });
  Ints back(d.order.size());
  for (size_t i = 0; i < back.size(); ++i)
    back[static_cast<size_t>(d.order[i])] = static_cast<int64_t>(i);
  return b.transpose(b.reshape(line, d.matrix), back);
}

} // namespace sixrung::aten
