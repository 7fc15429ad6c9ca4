#include "spectral.hpp"

#include <cmath>

using namespace sixrung;
using namespace sixrung::aten;

namespace {

Parts partsOf(Builder &b, Value x) {
  if (!isComplex(x.dtype()))
    return {b.cast(x, DType::F32), {}};
  return {b.op("coreai.real_part", {x}), b.op("coreai.imaginary_part", {x})};
}

// Normalization as ATen numbers it: none, by the root of the number of elements, by that number.
Value scaled(Builder &b, Value x, int64_t mode, const Dim &count) {
  if (mode == 0)
    return x;
  if (count.isStatic()) {
    double size = static_cast<double>(count.size());
    return b.mul(x, 1 / (mode == 1 ? std::sqrt(size) : size));
  }
  Value size = b.cast(b.scalarOf(count), DType::F32);
  return b.divide(x, mode == 1 ? b.sqrt(size) : size);
}
Parts scaled(Builder &b, const Parts &x, int64_t mode, const Dim &count) {
  return {scaled(b, x.real, mode, count), scaled(b, x.imaginary, mode, count)};
}

Parts transform(Builder &b, const Parts &x, int64_t axis, int sign, const Dim &kept) {
  return axisLast(b, transformLast(b, axisLast(b, x, axis), sign, kept), axis);
}

// A 1-d signal has no rows for a product of matrices.
struct Signal {
  Parts parts;
  Ints axes;
  bool lone;
};
Signal signalOf(Builder &b, Value x, Ints dims) {
  dims = axesOf(dims, x.rank());
  bool lone = x.rank() == 1;
  if (lone)
    dims = Ints(dims.size(), 1);
  return {partsOf(b, lone ? b.expandDims(x, {0}) : x), dims, lone};
}
Value complexOf(Builder &b, const Signal &like, const Parts &x) {
  Value y = b.op("coreai.create_complex", {x.real, x.imaginary});
  return like.lone ? b.shrinkDims(y, {0}) : y;
}
Dim sizeOf(Builder &b, Value x, const Ints &axes) {
  Shape sizes;
  for (int64_t axis : axes)
    sizes.push_back(b.dim(x, axis));
  return b.product(sizes);
}

// (input, dim, normalization, forward)
Value complexToComplex(Node n, Builder &b) {
  if (n.ints(1).empty())
    return n.tensor(0);
  Signal s = signalOf(b, n.tensor(0), n.ints(1));
  Dim count = sizeOf(b, s.parts.real, s.axes);
  Parts x = s.parts;
  for (int64_t axis : s.axes)
    x = transform(b, x, axis, n.boolean(3) ? -1 : 1, b.dim(x.real, axis));
  return complexOf(b, s, scaled(b, x, n.integer(2), count));
}

// (input, dim, normalization, onesided): the last of dim is the one that is cut in half.
Value realToComplex(Node n, Builder &b) {
  Signal s = signalOf(b, n.tensor(0), n.ints(1));
  Dim count = sizeOf(b, s.parts.real, s.axes);
  Parts x = s.parts;
  for (size_t i = s.axes.size(); i-- > 0;) {
    Dim kept = b.dim(x.real, s.axes[i]);
    if (n.boolean(3) && i + 1 == s.axes.size())
      kept = b.addDims(b.floorDivideDims(kept, 2), 1);
    x = transform(b, x, s.axes[i], -1, kept);
  }
  return complexOf(b, s, scaled(b, x, n.integer(2), count));
}

// (input, dim, normalization, last_dim_size): the inverse, along the last of dim from half a spectrum.
Value complexToReal(Node n, Builder &b) {
  Signal s = signalOf(b, n.tensor(0), n.ints(1));
  int64_t last = s.axes.back();
  Dim length = n.dim(3);
  Shape sizes{length};
  Parts x = s.parts;
  for (size_t i = 0; i + 1 < s.axes.size(); ++i) {
    sizes.push_back(b.dim(x.real, s.axes[i]));
    x = transform(b, x, s.axes[i], 1, sizes.back());
  }
  Value y = axisLast(b, realSignalLast(b, axisLast(b, x, last), length), last);
  y = scaled(b, y, n.integer(2), b.product(sizes));
  return s.lone ? b.shrinkDims(y, {0}) : y;
}

constexpr Lowering kLowerings[] = {
    {"aten::_fft_c2c.default", complexToComplex},
    {"aten::_fft_r2c.default", realToComplex},
    {"aten::_fft_c2r.default", complexToReal},
};
} // namespace

SIXRUNG_PLUGIN("org.sixrung.aten.spectral", "0.1.0", kLowerings);
