// Replaces aten::_adaptive_avg_pool2d: where every window has one size, the average is a sum pool and a
// division. Other shapes are refused with the reason; the built-in, which handles them, is one line of the
// deployment away.
#include "sixrung/sdk.hpp"

using namespace sixrung;

namespace {

Value adaptiveAverage(Node n, Builder &b) {
  Value x = n.tensor(0);
  Shape out = n.shape(1);
  Ints window;
  for (int axis : {0, 1}) {
    int64_t in = x.dim(x.rank() - 2 + axis);
    if (in == kDynamic || !out[axis].isStatic())
      return unsupported("com.acme.sum_pool pools static sizes only, and this is " + x.text(),
                         "export height and width as static");
    if (out[axis].size() <= 0 || in % out[axis].size() != 0)
      return unsupported("com.acme.sum_pool needs a size that its cells divide, and " + std::to_string(in) +
                             " is no multiple of " + std::to_string(out[axis].size()),
                         "remove its override from the deployment");
    window.push_back(in / out[axis].size());
  }
  Value batched = x.rank() == 3 ? b.expandDims(x, {0}) : x;
  Value size = b.indices(window, DType::UI32), ones = b.indices({1, 1}, DType::UI32);
  Value sums = b.op("coreai.sum_pool_2d", {batched, size, size, ones});
  Value mean = b.divide(sums, static_cast<double>(window[0] * window[1]));
  return x.rank() == 3 ? b.shrinkDims(mean, {0}) : mean;
}

constexpr Lowering kLowerings[] = {
    Lowering{"aten::_adaptive_avg_pool2d.default", adaptiveAverage}.overriding()};

} // namespace

SIXRUNG_PLUGIN("com.acme.sum_pool", "1.0.0", kLowerings);
