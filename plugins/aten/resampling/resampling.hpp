// Resampling images and signals: axes after batch and channels, each on its own.
#pragma once

#include "sixrung/sdk.hpp"

namespace sixrung::aten {

// What one axis of `upsample_*` asks for.
struct Axis {
  Dim in, out;
  double factor = 0; // scale factor the model gave; 0 when it gave a size
};

// Distance between two source positions that neighbouring results read, as eager computes it; of an axis
// whose sizes are static.
float sourceStep(const Axis &axis, bool alignCorners);

// Positions along one axis: x[..., picks, ...].
Value pickAlong(Builder &b, Value x, int axis, Value picks);
// Element i of the result is the sum over k of weights[i * taps + k] * x[picks[i * taps + k]].
struct Taps {
  int64_t taps = 1;
  Ints picks;
  std::vector<float> weights; // empty: one tap, taken as it is
};
Value applyTaps(Builder &b, Value x, int axis, int64_t out, const Taps &taps);

Taps cubicTaps(const Axis &axis, bool alignCorners);
Taps antialiasTaps(const Axis &axis, bool alignCorners, bool cubic);

// (input, output_size, scale_factors), "exact" for nearest-exact.
Value upsampleNearest(Node n, Builder &b, std::string_view kind);
// (input, output_size, align_corners, scale_factors)
Value upsampleLinear(Node n, Builder &b);
Value upsampleCubic(Node n, Builder &b);
Value upsampleAntialias(Node n, Builder &b, std::string_view kind); // "linear" or "cubic"
// (input, grid, interpolation_mode, padding_mode, align_corners)
Value gridSample(Node n, Builder &b);

} // namespace sixrung::aten
