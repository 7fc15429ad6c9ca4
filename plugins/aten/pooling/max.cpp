#include "pooling.hpp"

#include <limits>

namespace sixrung::aten {
namespace {

// What never wins a maximum.
Scalar lowest(DType dtype) {
  if (isFloat(dtype))
    return -std::numeric_limits<double>::infinity();
  if (isUnsigned(dtype) || dtype == DType::Bool)
    return 0;
  return -static_cast<int64_t>((uint64_t(1) << (bitWidth(dtype) - 1)) - 1) - 1;
}

Pool readMax(Node n, Builder &b, int spatial) {
  Pool pool = readPool(n, b, spatial);
  Ints dilation = n.ints(4, Ints{1});
  for (size_t i = 0; i < pool.axes.size(); ++i)
    pool.axes[i].dilation = dilation.size() == 1 ? dilation[0] : dilation[i];
  pool.ceilMode = n.boolean(5, false);
  return pool;
}

Type pooledType(Builder &b, const Pool &pool, Value padded) {
  Ints dims = padded.dims();
  for (size_t i = 0; i < pool.axes.size(); ++i) {
    size_t axis = static_cast<size_t>(pool.first()) + i;
    Window w = pool.axes[i];
    w.padding = 0; // already in
    if (dims[axis] != kDynamic)
      dims[axis] = windows(b, dims[axis], w, false).size();
  }
  return {padded.dtype(), dims};
}

Value largest(Builder &b, const Pool &pool, Value padded) {
  auto numbers = [&](const Ints &values) { return b.indices(values, DType::UI32); };
  return b.op(pool.axes.size() == 3 ? "coreai.max_pool_3d" : "coreai.max_pool_2d",
              {padded, numbers(kernels(pool)), numbers(strides(pool)), numbers(dilations(pool)),
               b.constant(false, DType::Bool)},
              {}, pooledType(b, pool, padded));
}

// Every window's elements side by side on a new first axis, in kernel order.
Value unfolded(Builder &b, const Pool &pool, Value padded) {
  Values taps;
  Type type = pooledType(b, pool, padded);
  Ints at(pool.axes.size(), 0);
  for (bool more = true; more;) {
    Shape starts(static_cast<size_t>(padded.rank()), Dim(0)), ends(starts.size(), Dim(int64_t(INT32_MAX)));
    Ints steps(starts.size(), 1);
    for (size_t i = 0; i < pool.axes.size(); ++i) {
      const Window &w = pool.axes[i];
      size_t axis = static_cast<size_t>(pool.first()) + i;
      starts[axis] = at[i] * w.dilation;
      steps[axis] = w.stride;
      int64_t behind = (w.kernel - 1 - at[i]) * w.dilation; // elements later taps still need
      if (behind > 0)
        ends[axis] = -behind;
    }
    Value tap = b.slice(padded, starts, ends, steps);
    taps.push_back(b.expandDims(tap.dims() == type.dims ? tap : b.reshape(tap, b.shape(tap)), {0}));
    more = false;
    for (size_t i = pool.axes.size(); i-- > 0 && !more;) {
      more = ++at[i] < pool.axes[i].kernel;
      if (!more)
        at[i] = 0;
    }
  }
  return b.concat(taps, 0);
}

// The winner's position in the unpadded plane. The first maximum wins; a NaN wins over numbers and a
// later NaN over an earlier one, as eager has it.
Value winners(Builder &b, const Pool &pool, Value padded, Value maxima) {
  Value taps = unfolded(b, pool, padded);
  int64_t count = taps.dim(0);
  Value nan = b.isNan(taps);
  Ints shape(static_cast<size_t>(taps.rank()), 1), numbers;
  shape[0] = count;
  for (int64_t i = 0; i < count; ++i)
    numbers.push_back(i);
  Value order = b.reshape(b.indices(numbers), Shape(shape.begin(), shape.end()));
  // First equal tap is the smallest order among winners; last NaN the largest order among NaNs.
  Value won = b.equal(taps, b.expandDims(maxima, {0}));
  Value first = b.reduceMin(b.where(won, order, static_cast<int64_t>(count)), {0}, false);
  Value tap = first;
  if (isFloat(taps.dtype())) {
    Value last = b.reduceMax(b.where(nan, order, int64_t(-1)), {0}, false);
    tap = b.where(b.less(last, 0), first, last);
  }
  Value flat;
  Value rest = tap;
  for (size_t i = 0; i < pool.axes.size(); ++i) {
    const Window &w = pool.axes[i];
    int64_t inner = 1;
    for (size_t j = i + 1; j < pool.axes.size(); ++j)
      inner *= pool.axes[j].kernel;
    Value offset = b.floorDivide(rest, inner);
    rest = b.sub(rest, b.mul(offset, inner));
    int axis = pool.first() + static_cast<int>(i);
    Dim windowCount = b.dim(maxima, axis);
    Value base = b.op("coreai.range", {b.index(0), b.scalarOf(windowCount), b.index(1)}, {},
                      Type{DType::SI32, {windowCount.size()}});
    Ints place(static_cast<size_t>(maxima.rank() - axis - 1));
    for (size_t j = 0; j < place.size(); ++j)
      place[j] = static_cast<int64_t>(j) + 1;
    base = b.expandDims(b.sub(b.mul(base, w.stride), w.padding), place);
    Value position = b.add(b.mul(offset, w.dilation), base);
    // In a window of nothing but the lowest number the pad ties with it: the first element inside counts.
    if (w.padding > 0) {
      Value steps = b.floorDivide(b.add(b.neg(position), w.dilation - 1), w.dilation);
      position = b.add(position, b.mul(b.maximum(steps, 0), w.dilation));
    }
    flat = flat ? b.add(b.mul(flat, b.scalarOf(b.dim(pool.x, axis))), position) : position;
  }
  return flat;
}

} // namespace

Values maxPoolWithIndices(Node n, Builder &b, std::string_view spatial) {
  Pool pool = readMax(n, b, spatial == "3" ? 3 : 2);
  Value padded = padForPool(b, pool, pool.x, b.constant(lowest(pool.x.dtype()), pool.x.dtype()));
  Value maxima = largest(b, pool, padded), indices;
  if (n.resultCount() > 1 && n.result(1).used)
    indices = trim(b, pool, winners(b, pool, padded, maxima));
  maxima = trim(b, pool, maxima);
  if (pool.unbatched) {
    maxima = b.shrinkDims(maxima, {0});
    indices = indices ? b.shrinkDims(indices, {0}) : indices;
  }
  return {maxima, indices};
}

Value maxPool(Node n, Builder &b, std::string_view spatial) { return maxPoolWithIndices(n, b, spatial)[0]; }

} // namespace sixrung::aten
