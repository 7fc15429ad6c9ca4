// Lowerings of the elementwise family, by file.
#pragma once

#include "sixrung/sdk.hpp"

namespace sixrung::aten {

// Integers and bools as the float type the result has; floats as they are.
inline Value floating(Node n, Builder &b, Value x) {
  return isFloat(x.dtype()) || isComplex(x.dtype()) ? x : b.cast(x, n.result(0).valueDtype);
}
// The same, but f16 and bf16 as f32: where several steps would round several times, eager rounds once.
inline Value precise(Node n, Builder &b, Value x) {
  return b.cast(floating(n, b, x), opmath(floating(n, b, x).dtype()));
}

// unary.cpp: one tensor in, one out
Value unaryFloat(Node n, Builder &b, std::string_view op); // ints promoted to float
Value unaryAny(Node n, Builder &b, std::string_view op);   // ints stay ints
Value neg(Node n, Builder &b);
Value absolute(Node n, Builder &b);
Value sign(Node n, Builder &b);
Value signbit(Node n, Builder &b);
Value reciprocal(Node n, Builder &b);
Value square(Node n, Builder &b);
Value exp2(Node n, Builder &b);
Value expm1(Node n, Builder &b);
Value log1p(Node n, Builder &b);
Value logBase(Node n, Builder &b, std::string_view base);
Value isnan(Node n, Builder &b);
Value isinf(Node n, Builder &b);
Value isfinite(Node n, Builder &b);
Value infinityTest(Node n, Builder &b, std::string_view sign);
Value nanToNum(Node n, Builder &b);
Value bitwiseNot(Node n, Builder &b);
Value logicalNot(Node n, Builder &b);
Value signbitOf(Builder &b, Value x); // true for -0.0

// special.cpp
Value erfc(Node n, Builder &b);
Value erfcx(Node n, Builder &b);
Value erfinv(Node n, Builder &b);
Value besselI(Node n, Builder &b, std::string_view name); // "i0", "i0e", "i1", "i1e"
Value lgamma(Node n, Builder &b);
Value digamma(Node n, Builder &b);

// rounding.cpp
Value rounding(Node n, Builder &b, std::string_view mode); // "floor", "ceil", "trunc", "round"
Value roundDecimals(Node n, Builder &b);
Value frac(Node n, Builder &b);

// arithmetic.cpp: two operands, PyTorch's promotion
Value arithmetic(Node n, Builder &b, std::string_view op); // with alpha
Value rsub(Node n, Builder &b);
Value divide(Node n, Builder &b);
Value divideMode(Node n, Builder &b);
Value floorDivide(Node n, Builder &b);
Value remainder(Node n, Builder &b);
Value power(Node n, Builder &b);
Value extreme(Node n, Builder &b, std::string_view op); // fmax, fmin: NaN loses
Value shift(Node n, Builder &b, std::string_view direction);
Value addProduct(Node n, Builder &b, std::string_view op); // addcmul, addcdiv
Value lerp(Node n, Builder &b);
Value hypot(Node n, Builder &b);
Value atan2(Node n, Builder &b);
Value copysign(Node n, Builder &b);
Value ldexp(Node n, Builder &b);
Value logaddexp(Node n, Builder &b);
Value xlogy(Node n, Builder &b);

// compare.cpp
Value compare(Node n, Builder &b, std::string_view op);
Value logical(Node n, Builder &b, std::string_view op);
Value where(Node n, Builder &b);
Value clamp(Node n, Builder &b); // also clamp_min, clamp_max, hardtanh by argument names
Value clampMax(Node n, Builder &b);

// activation.cpp
Value relu6(Node n, Builder &b);
Value gelu(Node n, Builder &b);
Value leakyRelu(Node n, Builder &b);
Values randomLeakyRelu(Node n, Builder &b);
Value elu(Node n, Builder &b);
Value hardswish(Node n, Builder &b);
Value softplus(Node n, Builder &b);
Value mish(Node n, Builder &b);
Value logSigmoid(Node n, Builder &b);
Value logit(Node n, Builder &b);
Value threshold(Node n, Builder &b);
Value shrink(Node n, Builder &b, std::string_view kind);

// complex.cpp
Value makeComplex(Node n, Builder &b);
Value polar(Node n, Builder &b);
Value real(Node n, Builder &b);
Value imaginary(Node n, Builder &b);
Value conjugate(Node n, Builder &b);
Value angle(Node n, Builder &b);
Value viewAsReal(Node n, Builder &b);
Value viewAsComplex(Node n, Builder &b);

// conversion.cpp
Value same(Node n, Builder &b);     // clone, alias, detach: the value itself
Value toDtype(Node n, Builder &b);  // _to_copy, to.dtype
Value copyInto(Node n, Builder &b); // copy: src, as self
Values dropout(Node n, Builder &b); // does nothing outside of training, where it is refused

} // namespace sixrung::aten
