#include "elementwise.hpp"

namespace sixrung::aten {

// The dialect makes and takes apart complex<f32> alone.
Value complexOf(Builder &b, Value real, Value imaginary) {
  real = b.cast(real, DType::F32);
  imaginary = b.cast(imaginary, DType::F32);
  Shape whole = b.broadcastShapes(b.shape(real), b.shape(imaginary));
  return b.op("coreai.create_complex", {b.broadcastTo(real, whole), b.broadcastTo(imaginary, whole)});
}
Value realPart(Builder &b, Value x) { return isComplex(x.dtype()) ? b.op("coreai.real_part", {x}) : x; }
Value imaginaryPart(Builder &b, Value x) { return b.op("coreai.imaginary_part", {x}); }

Value makeComplex(Node n, Builder &b) { return complexOf(b, n.tensor(0), n.tensor(1)); }
Value polar(Node n, Builder &b) {
  Value magnitude = n.tensor(0), angle = n.tensor(1);
  return complexOf(b, b.mul(magnitude, b.cos(angle)), b.mul(magnitude, b.sin(angle)));
}
Value real(Node n, Builder &b) { return realPart(b, n.tensor(0)); }
Value imaginary(Node n, Builder &b) { return imaginaryPart(b, n.tensor(0)); }
Value conjugate(Node n, Builder &b) {
  Value x = n.tensor(0);
  return isComplex(x.dtype()) ? complexOf(b, realPart(b, x), b.neg(imaginaryPart(b, x))) : x;
}

// Real numbers: 0 or pi, NaN for NaN; the sign of zero does not count.
Value angle(Node n, Builder &b) {
  Value x = n.tensor(0);
  if (isComplex(x.dtype()))
    return b.asResult(b.lower("aten::atan2.default", {imaginaryPart(b, x), realPart(b, x)}));
  x = floating(n, b, x);
  return b.asResult(b.where(b.isNan(x), x, b.where(b.less(x, 0.0), 3.14159265358979323846, 0.0)));
}

Value viewAsReal(Node n, Builder &b) {
  Value x = n.tensor(0);
  int last = x.rank();
  return b.concat({b.expandDims(realPart(b, x), {last}), b.expandDims(imaginaryPart(b, x), {last})}, last);
}
Value viewAsComplex(Node n, Builder &b) {
  Value x = n.tensor(0);
  int last = x.rank() - 1;
  auto part = [&](int64_t at) { return b.shrinkDims(b.sliceAxis(x, last, at, at + 1), {last}); };
  return complexOf(b, part(0), part(1));
}

} // namespace sixrung::aten
