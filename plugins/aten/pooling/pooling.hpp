// The pooling family: windows over the last axes.
#pragma once

#include "sixrung/sdk.hpp"

namespace sixrung::aten {

// One spatial axis of a pool.
struct Window {
  int64_t kernel = 1, stride = 1, padding = 0, dilation = 1;
};

// The geometry of a pool as PyTorch states it, worked out for a given input.
struct Pool {
  Value x;                  // batched: [N, C, spatial...]
  std::vector<Window> axes; // the last axes of x
  bool ceilMode = false;
  bool unbatched = false;
  int first() const { return x.rank() - static_cast<int>(axes.size()); }
};

// Reads input, kernel_size, stride and padding (arguments 0 to 3) for `spatial` axes.
Pool readPool(Node n, Builder &b, int spatial);
// Number of windows along one axis: PyTorch drops a ceil-mode window that would start in the right pad.
Dim windows(Builder &b, const Dim &size, const Window &w, bool ceilMode);
// x with its pads, on the right as much as the last window needs; filled with `fill`.
Value padForPool(Builder &b, const Pool &pool, Value x, Value fill);
// Cuts what the extra right pad added at run time.
Value trim(Builder &b, const Pool &pool, Value y);
Ints kernels(const Pool &pool);
Ints strides(const Pool &pool);
Ints dilations(const Pool &pool);

Values maxPoolWithIndices(Node n, Builder &b, std::string_view spatial);
Value maxPool(Node n, Builder &b, std::string_view spatial);
Value averagePool(Node n, Builder &b, std::string_view spatial);
Value adaptiveAverage(Node n, Builder &b, std::string_view spatial);
Values adaptiveMax(Node n, Builder &b, std::string_view spatial);

} // namespace sixrung::aten
