#include "pooling.hpp"

#include <algorithm>

namespace sixrung::aten {
namespace {

Value windowSums(Builder &b, const Pool &pool, Value padded) {
  auto numbers = [&](const Ints &values) { return b.indices(values, DType::UI32); };
  return b.op(pool.axes.size() == 3 ? "coreai.sum_pool_3d" : "coreai.sum_pool_2d",
              {padded, numbers(kernels(pool)), numbers(strides(pool)), numbers(dilations(pool))});
}

// How many elements each window of one axis counts, where the size is known.
std::vector<float> counts(Builder &b, int64_t size, const Window &w, bool ceilMode, bool includePad) {
  std::vector<float> result(static_cast<size_t>(windows(b, size, w, ceilMode).size()));
  for (size_t i = 0; i < result.size(); ++i) {
    int64_t start = static_cast<int64_t>(i) * w.stride - w.padding, end = start + w.kernel;
    end = std::min(end, size + w.padding); // a ceil-mode window hangs over the pad
    if (!includePad) {
      start = std::max<int64_t>(start, 0);
      end = std::min(end, size);
    }
    result[i] = static_cast<float>(end - start);
  }
  return result;
}

// The divisor of every window: the product over axes of what they count, as a [1, 1, spatial...]
// constant, or summed up at run time from ones where sizes are unknown.
Value divisor(Builder &b, const Pool &pool, bool includePad, DType inner) {
  bool uniform = true, known = true;
  double all = 1;
  for (size_t i = 0; i < pool.axes.size(); ++i) {
    const Window &w = pool.axes[i];
    uniform = uniform && !pool.ceilMode && (includePad || w.padding == 0);
    known = known && pool.x.dim(pool.first() + static_cast<int>(i)) != kDynamic;
    all *= static_cast<double>(w.kernel);
  }
  if (uniform)
    return b.constant(all, inner);
  if (known) {
    Value result;
    for (size_t i = 0; i < pool.axes.size(); ++i) {
      std::vector<float> one =
          counts(b, pool.x.dim(pool.first() + static_cast<int>(i)), pool.axes[i], pool.ceilMode, includePad);
      Ints dims(pool.axes.size() - i, 1);
      dims[0] = static_cast<int64_t>(one.size());
      Value axis = b.cast(b.data(DType::F32, dims, one.data(), one.size() * sizeof(float)), inner);
      result = result ? b.mul(result, axis) : axis;
    }
    return result;
  }
  Shape shape(static_cast<size_t>(pool.first()), Dim(1));
  Pool ones = pool;
  for (size_t i = 0; i < pool.axes.size(); ++i) {
    const Window &w = pool.axes[i];
    Dim size = b.dim(pool.x, pool.first() + static_cast<int>(i));
    shape.push_back(includePad ? b.addDims(size, 2 * w.padding) : size);
  }
  Value mask = b.broadcastTo(b.constant(1.0, inner, Ints(shape.size(), 1)), shape);
  if (!includePad)
    return trim(b, pool, windowSums(b, pool, padForPool(b, pool, mask, b.zeros(inner, {}))));
  Pool inside = pool;
  for (Window &w : inside.axes)
    w.padding = 0; // the pad is in the mask already; only the overhang is still missing
  Ints pads(shape.size() * 2, 0), dims = mask.dims();
  for (size_t i = 0; i < pool.axes.size(); ++i)
    pads[(static_cast<size_t>(pool.first()) + i) * 2 + 1] = pool.ceilMode ? pool.axes[i].stride - 1 : 0;
  for (size_t axis = 0; axis < dims.size(); ++axis)
    dims[axis] = dims[axis] == kDynamic ? kDynamic : dims[axis] + pads[axis * 2 + 1];
  mask = b.op("coreai.pad", {mask, b.indices(pads, DType::UI32), b.zeros(inner, {})},
              {{"padding_mode", "constant"}}, Type{inner, dims});
  return trim(b, pool, windowSums(b, inside, mask));
}

} // namespace

// Half types are summed in f32, as eager does inside.
Value averagePool(Node n, Builder &b, std::string_view spatial) {
  Pool pool = readPool(n, b, spatial == "3" ? 3 : 2);
  pool.ceilMode = n.boolean(4, false);
  bool includePad = n.boolean(5, true);
  DType type = pool.x.dtype(), inner = opmath(type);
  if (isInteger(type))
    return unsupported("an average pool of integers", "cast to a float type first");
  Value x = b.cast(pool.x, inner);
  Value sums = trim(b, pool, windowSums(b, pool, padForPool(b, pool, x, b.zeros(inner, {}))));
  Value by = n.has(6) ? b.constant(n.number(6), inner) : divisor(b, pool, includePad, inner);
  Value mean = b.cast(b.divide(sums, by), type);
  return pool.unbatched ? b.shrinkDims(mean, {0}) : mean;
}

} // namespace sixrung::aten
