// The spectral family: discrete Fourier transforms as products with cosines and sines. The dialect has
// neither a transform nor complex products, so real and imaginary parts go side by side.
#pragma once

#include "sixrung/sdk.hpp"

namespace sixrung::aten {

struct Parts {
  Value real, imaginary; // a null imaginary part is all zeros
};

Value axisLast(Builder &b, Value x, int64_t axis); // swaps; swap again to undo
Parts axisLast(Builder &b, const Parts &x, int64_t axis);

// Along the last axis: the sum over n of x[n] e^(sign 2 pi i n k / N), for the first `kept` k.
Parts transformLast(Builder &b, Parts x, int sign, const Dim &kept);
// The real signal of `length` whose onesided spectrum is x, along the last axis.
Value realSignalLast(Builder &b, const Parts &x, const Dim &length);

} // namespace sixrung::aten
