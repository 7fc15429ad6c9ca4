#include "pooling.hpp"

#include <climits>
#include <limits>

namespace sixrung::aten {
namespace {

// Window i of `out` windows over `in` elements is [floor(i*in/out), ceil((i+1)*in/out)).
struct Cells {
  Ints picks;               // out x widest element positions, row by row
  std::vector<uint8_t> own; // whether the position belongs to the window
  std::vector<float> sizes; // elements of each window
  int64_t widest = 0;
};
Cells cells(int64_t in, int64_t out) {
  Cells c;
  auto start = [&](int64_t i) { return i * in / out; };
  auto end = [&](int64_t i) { return ((i + 1) * in + out - 1) / out; };
  for (int64_t i = 0; i < out; ++i)
    c.widest = std::max(c.widest, end(i) - start(i));
  for (int64_t i = 0; i < out; ++i) {
    for (int64_t k = 0; k < c.widest; ++k) {
      bool inside = start(i) + k < end(i);
      c.picks.push_back(inside ? start(i) + k : start(i));
      c.own.push_back(inside);
    }
    c.sizes.push_back(static_cast<float>(end(i) - start(i)));
  }
  return c;
}

// [..., in, ...] -> [..., out, widest, ...], positions outside a window filled.
Value windowsOf(Builder &b, Value x, int axis, const Cells &c, int64_t out, const Scalar &fill) {
  Ints order{axis};
  for (int i = 0; i < x.rank(); ++i)
    if (i != axis)
      order.push_back(i);
  Value picks = b.expandDims(b.indices(c.picks), {1});
  Value rows = b.gatherNd(b.transpose(x, order), picks); // [out * widest, others...]
  Shape shape = b.shape(rows);
  Shape split{out, c.widest};
  split.insert(split.end(), shape.begin() + 1, shape.end());
  Value cellsOf = b.reshape(rows, split);
  Ints back;
  for (int i = 0; i < axis; ++i)
    back.push_back(i + 2);
  back.push_back(0);
  back.push_back(1);
  for (int i = axis + 1; i < x.rank(); ++i)
    back.push_back(i + 1);
  Value placed = b.transpose(cellsOf, back);
  Ints maskDims(static_cast<size_t>(placed.rank() - axis), 1);
  maskDims[0] = out;
  maskDims[1] = c.widest;
  Value own = b.data(DType::Bool, maskDims, c.own.data(), c.own.size());
  return b.where(own, placed, b.constant(fill, x.dtype()));
}

// Sizes known only at run time: every window sees the whole axis, what is not its own filled.
Value reduceAtRunTime(Builder &b, Value x, int axis, const Dim &out, bool average) {
  Value in = b.scalarOf(b.dim(x, axis)), count = b.scalarOf(out);
  Value window = b.expandDims(b.range(0, count, 1, DType::SI32), {1});
  Value start = b.floorDivide(b.mul(window, in), count);
  Value last = b.floorDivide(b.sub(b.mul(b.add(window, 1), in), 1), count); // ceil(m / n) - 1
  Value place = b.expandDims(b.range(0, in, 1, DType::SI32), {0});
  Value own = b.logicalAnd(b.greaterEqual(place, start), b.lessEqual(place, last)); // [out, in]
  Ints others;
  for (int i = axis + 1; i < x.rank(); ++i)
    others.push_back(i + 1 - axis);
  own = b.expandDims(own, others);
  Scalar fill(average ? 0.0 : -std::numeric_limits<double>::infinity());
  Value seen = b.where(own, b.expandDims(x, {axis}), b.constant(fill, x.dtype()));
  if (!average)
    return b.reduceMax(seen, {axis + 1}, false);
  Value sizes = b.sum(b.cast(own, x.dtype()), {1}, false);
  return b.divide(b.sum(seen, {axis + 1}, false), sizes);
}

Value reduceAxis(Builder &b, Value x, int axis, const Dim &out, bool average) {
  int64_t in = x.dim(axis), size = out.size();
  if (out.isStatic() && size == in && in != kDynamic)
    return x;
  if (out.is(0)) {
    Shape none = b.shape(x);
    none[static_cast<size_t>(axis)] = 0;
    return b.broadcastTo(b.zeros(x.dtype(), {}), none);
  }
  if (out.is(1))
    return average ? b.mean(x, {axis}) : b.reduceMax(x, {axis});
  if (!out.isStatic() || in == kDynamic)
    return reduceAtRunTime(b, x, axis, out, average);
  if (in % size == 0) {
    Shape split = b.shape(x);
    split[static_cast<size_t>(axis)] = size;
    split.insert(split.begin() + axis + 1, in / size);
    Value parts = b.reshape(x, split);
    return average ? b.mean(parts, {axis + 1}, false) : b.reduceMax(parts, {axis + 1}, false);
  }
  Cells c = cells(in, size);
  if (!average)
    return b.reduceMax(windowsOf(b, x, axis, c, size, -std::numeric_limits<double>::infinity()), {axis + 1},
                       false);
  Value sums = b.sum(windowsOf(b, x, axis, c, size, 0.0), {axis + 1}, false);
  Ints dims(static_cast<size_t>(x.rank() - axis), 1);
  dims[0] = size;
  Value sizes = b.data(DType::F32, dims, c.sizes.data(), c.sizes.size() * sizeof(float));
  return b.divide(sums, b.cast(sizes, x.dtype()));
}

} // namespace

// Windows of the axes are independent, so each axis is averaged on its own.
Value adaptiveAverage(Node n, Builder &b, std::string_view spatial) {
  Value x = n.tensor(0);
  Shape sizes = n.shape(1);
  int axes = spatial == "3" ? 3 : 2;
  if (static_cast<int>(sizes.size()) == 1)
    sizes = Shape(static_cast<size_t>(axes), sizes[0]);
  DType type = x.dtype();
  if (isInteger(type))
    return unsupported("an adaptive average pool of integers", "cast to a float type first");
  Value y = b.cast(x, opmath(type));
  for (int i = 0; i < axes; ++i)
    y = reduceAxis(b, y, x.rank() - axes + i, sizes[static_cast<size_t>(i)], true);
  return b.cast(y, type);
}

namespace {
// The place in the plane of each window's maximum: the first one, or the last NaN, as eager has it.
Value adaptiveWinners(Builder &b, Value x, Value maxima, int axes, const Shape &sizes) {
  int first = x.rank() - axes;
  std::vector<Cells> all;
  for (int i = 0; i < axes; ++i) {
    int64_t in = x.dim(first + i);
    if (in == kDynamic || !sizes[static_cast<size_t>(i)].isStatic())
      return unsupported(
          "the indices of an adaptive max pool along an axis whose size is known only at run time",
          "export that axis as static, or use the pooled values alone");
    all.push_back(cells(in, sizes[static_cast<size_t>(i)].size()));
  }
  Ints dims, cellAxes,
      places{0}; // places: row by row over [out, widest] of each axis, -1 outside of the window
  Value windows = x;
  for (int i = axes - 1; i >= 0; --i)
    windows = windowsOf(b, windows, first + i, all[static_cast<size_t>(i)],
                        sizes[static_cast<size_t>(i)].size(), -std::numeric_limits<double>::infinity());
  for (int i = 0; i < axes; ++i) {
    const Cells &c = all[static_cast<size_t>(i)];
    dims.push_back(sizes[static_cast<size_t>(i)].size());
    dims.push_back(c.widest);
    cellAxes.push_back(first + 2 * i + 1);
    Ints next;
    for (int64_t place : places)
      for (size_t k = 0; k < c.picks.size(); ++k)
        next.push_back(place < 0 || !c.own[k] ? -1 : place * x.dim(first + i) + c.picks[k]);
    places = next;
  }
  Value place = b.reshape(b.indices(places), Shape(dims.begin(), dims.end()));
  Value won = b.logicalAnd(b.equal(windows, b.expandDims(maxima, cellAxes)), b.greaterEqual(place, 0));
  Value found = b.reduceMin(b.where(won, place, int64_t(INT32_MAX)), cellAxes, false);
  Value nan = b.reduceMax(b.where(b.isNan(windows), place, int64_t(-1)), cellAxes, false);
  return b.where(b.less(nan, 0), found, nan);
}
} // namespace

Values adaptiveMax(Node n, Builder &b, std::string_view spatial) {
  Value x = n.tensor(0), y = x;
  Shape sizes = n.shape(1);
  int axes = spatial == "3" ? 3 : 2;
  if (static_cast<int>(sizes.size()) == 1)
    sizes = Shape(static_cast<size_t>(axes), sizes[0]);
  for (int i = 0; i < axes; ++i)
    y = reduceAxis(b, y, x.rank() - axes + i, sizes[static_cast<size_t>(i)], false);
  bool indices = n.resultCount() > 1 && n.result(1).used;
  return {y, indices ? adaptiveWinners(b, x, y, axes, sizes) : Value()};
}

} // namespace sixrung::aten
