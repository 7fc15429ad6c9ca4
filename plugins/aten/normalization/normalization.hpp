// Lowerings of the normalization family, by file.
#pragma once

#include "sixrung/sdk.hpp"

namespace sixrung::aten {

// softmax.cpp
Value softmax(Node n, Builder &b);
Value logSoftmax(Node n, Builder &b);

// layer_norm.cpp
Values layerNorm(Node n, Builder &b);
Values groupNorm(Node n, Builder &b);
Value instanceNorm(Node n, Builder &b);
Value rmsNorm(Node n, Builder &b);

// batch_norm.cpp
Values batchNormInference(Node n, Builder &b);
Values batchNormStatistics(Node n, Builder &b); // of the batch itself; no running ones
Values batchNormFunctional(Node n, Builder &b); // running ones given and given back

// As f32 where it is f16 or bf16: statistics of halves overflow and lose bits.
inline Value widened(Builder &b, Value x) { return b.cast(x, opmath(x.dtype())); }

// x brought to mean 0 and variance 1 over `axes`.
struct Normalized {
  Value value, mean, inverse; // the statistics keep the axes as size 1
};
Normalized normalize(Builder &b, Value x, const Ints &axes, double epsilon);

// A per-channel vector [C] made to broadcast over [N, C, ...] of `rank`.
Value perChannel(Builder &b, Value vector, int rank);
// x * weight + bias; either may be missing.
Value affine(Builder &b, Value x, Value weight, Value bias);

} // namespace sixrung::aten
