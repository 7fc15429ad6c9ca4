#include "pooling.hpp"

#include <algorithm>

namespace sixrung::aten {

Pool readPool(Node n, Builder &b, int spatial) {
  auto each = [&](Ints values) {
    return values.size() == 1 ? Ints(static_cast<size_t>(spatial), values[0]) : values;
  };
  Pool pool;
  pool.x = n.tensor(0);
  pool.unbatched = pool.x.rank() == spatial + 1;
  if (pool.unbatched)
    pool.x = b.expandDims(pool.x, {0});
  Ints kernel = each(n.ints(1)), stride = each(n.ints(2, Ints{})), padding = each(n.ints(3, Ints{0}));
  if (stride.empty()) // PyTorch: as the kernel
    stride = kernel;
  for (int i = 0; i < spatial; ++i) {
    size_t at = static_cast<size_t>(i);
    pool.axes.push_back({kernel[at], stride[at], padding[at], 1});
  }
  return pool;
}

Dim windows(Builder &b, const Dim &size, const Window &w, bool ceilMode) {
  int64_t span = w.dilation * (w.kernel - 1) + 1;
  Dim room = b.addDims(size, 2 * w.padding - span);
  if (!ceilMode)
    return b.addDims(b.floorDivideDims(room, w.stride), 1);
  Dim all = b.addDims(b.floorDivideDims(b.addDims(room, w.stride - 1), w.stride), 1);
  // The last window starts at or before the last real or left-padded element.
  Dim starting = b.addDims(b.floorDivideDims(b.addDims(size, w.padding - 1), w.stride), 1);
  if (all.isStatic())
    return std::min(all.size(), starting.size());
  return Dim(b.minimum(all.value(), starting.value()));
}

Value padForPool(Builder &b, const Pool &pool, Value x, Value fill) {
  Ints pads(static_cast<size_t>(x.rank()) * 2, 0), dims = x.dims();
  bool any = false;
  for (size_t i = 0; i < pool.axes.size(); ++i) {
    const Window &w = pool.axes[i];
    size_t axis = static_cast<size_t>(pool.first()) + i;
    int64_t extra = 0, size = dims[axis];
    if (pool.ceilMode && size == kDynamic)
      extra = w.stride - 1; // enough for any size; trim() drops a window too many
    else if (pool.ceilMode)
      extra = std::max<int64_t>(0, (windows(b, size, w, true).size() - 1) * w.stride +
                                       w.dilation * (w.kernel - 1) + 1 - (size + 2 * w.padding));
    pads[axis * 2] = w.padding;
    pads[axis * 2 + 1] = w.padding + extra;
    any = any || w.padding || extra;
    if (size != kDynamic)
      dims[axis] = size + 2 * w.padding + extra;
  }
  if (!any)
    return x;
  return b.op("coreai.pad", {x, b.indices(pads, DType::UI32), fill}, {{"padding_mode", "constant"}},
              Type{x.dtype(), dims});
}

Value trim(Builder &b, const Pool &pool, Value y) {
  if (!pool.ceilMode)
    return y;
  for (size_t i = 0; i < pool.axes.size(); ++i) {
    int axis = pool.first() + static_cast<int>(i);
    Dim count = windows(b, b.dim(pool.x, axis), pool.axes[i], true);
    if (!count.isStatic() || y.dim(axis) != count.size())
      y = b.sliceAxis(y, axis, 0, count);
  }
  return y;
}

Ints kernels(const Pool &pool) {
  Ints result;
  for (const Window &w : pool.axes)
    result.push_back(w.kernel);
  return result;
}
Ints strides(const Pool &pool) {
  Ints result;
  for (const Window &w : pool.axes)
    result.push_back(w.stride);
  return result;
}
Ints dilations(const Pool &pool) {
  Ints result;
  for (const Window &w : pool.axes)
    result.push_back(w.dilation);
  return result;
}

} // namespace sixrung::aten
