#include "elementwise.hpp"

#include <cmath>

namespace sixrung::aten {
namespace {

bool isOne(const Scalar &s) { return s.kind != Scalar::Kind::Complex && s.toDouble() == 1.0; }

// x op alpha * y, rounded once for halves.
Value scaled(Builder &b, std::string_view op, const Operand &x, const Operand &y, const Scalar &alpha) {
  DType dtype = b.promote({x, y}), wide = opmath(dtype);
  return b.asResult(b.cast(b.binary(op, b.as(x, wide), b.mul(b.as(y, wide), alpha)), dtype));
}

Value magnitudeWithSign(Builder &b, Value magnitude, Value negative) {
  return b.where(negative, b.neg(magnitude), magnitude);
}

} // namespace

Value arithmetic(Node n, Builder &b, std::string_view op) {
  Operand x = b.operand(n, 0), y = b.operand(n, 1);
  Scalar alpha = n.scalar("alpha", Scalar(1));
  return isOne(alpha) ? b.asResult(b.binary(op, x, y)) : scaled(b, op, x, y, alpha);
}

Value rsub(Node n, Builder &b) { // other - alpha * self
  Operand x = b.operand(n, 0), y = b.operand(n, 1);
  Scalar alpha = n.scalar("alpha", Scalar(1));
  return isOne(alpha) ? b.asResult(b.sub(y, x)) : scaled(b, "sub", y, x, alpha);
}

// True division: integers divide as floats.
Value divide(Node n, Builder &b) {
  Operand x = b.operand(n, 0), y = b.operand(n, 1);
  DType dtype = b.promote({x, y});
  if (isFloat(dtype) || isComplex(dtype))
    return b.asResult(b.divide(x, y));
  dtype = n.result(0).valueDtype;
  return b.asResult(b.divide(b.as(x, dtype), b.as(y, dtype)));
}

namespace {
Value floorQuotient(Builder &b, const Operand &x, const Operand &y) {
  DType dtype = b.promote({x, y});
  if (!isFloat(dtype))
    return b.floorDivide(x, y);
  // As eager: from the remainder, which is exact; x / 0 is an infinity or NaN.
  DType wide = opmath(dtype);
  Value a = b.as(x, wide), d = b.as(y, wide), mod = b.modulo(a, d);
  Value quotient = b.divide(b.sub(a, mod), d);
  Value opposite = b.binary("not_equal", b.less(mod, 0.0), b.less(d, 0.0));
  quotient = b.where(b.logicalAnd(b.notEqual(mod, 0.0), opposite), b.sub(quotient, 1.0), quotient);
  quotient = b.floor(b.add(quotient, 0.5)); // it is whole but for rounding
  return b.cast(b.where(b.equal(d, 0.0), b.divide(a, d), quotient), dtype);
}
} // namespace

Value floorDivide(Node n, Builder &b) {
  return b.asResult(floorQuotient(b, b.operand(n, 0), b.operand(n, 1)));
}

Value divideMode(Node n, Builder &b) {
  std::string mode = n.string("rounding_mode", "");
  if (mode.empty())
    return divide(n, b);
  Operand x = b.operand(n, 0), y = b.operand(n, 1);
  if (mode == "floor")
    return b.asResult(floorQuotient(b, x, y));
  if (mode != "trunc")
    return unsupported("rounding_mode '" + mode + "'", "PyTorch has 'floor' and 'trunc'");
  DType dtype = b.promote({x, y});
  if (!isFloat(dtype))
    return b.asResult(b.divide(x, y)); // integers truncate
  // Eager rounds the quotient of two half tensors before it truncates, but not that by a single number.
  bool single = y.isScalar() || y.value().elements() == 1;
  DType wide = single ? opmath(dtype) : dtype;
  return b.asResult(b.cast(b.trunc(b.divide(b.as(x, wide), b.as(y, wide))), dtype));
}

// The sign of the divisor: where fmod's has the other one, add the divisor once.
Value remainder(Node n, Builder &b) {
  Operand x = b.operand(n, 0), y = b.operand(n, 1);
  DType dtype = b.promote({x, y});
  Value a = b.as(x, dtype), d = b.as(y, dtype), mod = b.modulo(a, d);
  if (isUnsigned(dtype))
    return b.asResult(mod);
  Value wrong;
  if (y.isScalar())
    wrong = y.scalar().toDouble() < 0 ? b.greater(mod, 0) : b.less(mod, 0);
  else
    wrong = b.logicalAnd(b.notEqual(mod, 0), b.binary("not_equal", b.less(mod, 0), b.less(d, 0)));
  return b.asResult(b.where(wrong, b.add(mod, d), mod));
}

namespace {
// Integers to negative powers: 1 and -1 have a result, anything else is 0.
Value integerPower(Builder &b, Value x, Value y) {
  Value power = b.pow(x, b.abs(y)), vanishes = b.logicalAnd(b.less(y, 0), b.notEqual(b.abs(x), 1));
  return b.where(vanishes, 0, power);
}
} // namespace

Value power(Node n, Builder &b) {
  Operand x = b.operand(n, 0), y = b.operand(n, 1);
  DType dtype = b.promote({x, y}), wide = opmath(dtype);
  if (x.isScalar() && isOne(x.scalar()))
    return b.broadcastTo(b.constant(Scalar(1), dtype), b.shape(y.value()));
  if (dtype == DType::Bool)
    dtype = wide = n.result(0).valueDtype;
  if (y.isScalar() && y.scalar().kind != Scalar::Kind::Complex) {
    // The exponents eager computes by multiplication and roots.
    double exponent = y.scalar().toDouble();
    Value base = b.as(x, wide), result;
    if (exponent == 1.0)
      result = base;
    else if (exponent == 2.0)
      result = b.square(base);
    else if (exponent == 3.0)
      result = b.mul(b.square(base), base);
    else if (isFloat(dtype) && exponent == 0.5)
      result = b.sqrt(base);
    else if (isFloat(dtype) && exponent == -0.5)
      result = b.rsqrt(base);
    else if (isFloat(dtype) && exponent == -1.0)
      result = b.divide(b.constant(Scalar(1.0), wide), base);
    else if (isFloat(dtype) && exponent == -2.0)
      result = b.divide(b.constant(Scalar(1.0), wide), b.square(base));
    if (result)
      return b.asResult(b.cast(result, dtype));
  }
  if (isSigned(dtype) && !y.isScalar())
    return b.asResult(integerPower(b, b.as(x, dtype), b.as(y, dtype)));
  if (isComplex(dtype)) { // the op that broadcasts knows no complex numbers
    Value base = b.as(x, dtype), exponent = b.as(y, dtype);
    Shape whole = b.broadcastShapes(b.shape(base), b.shape(exponent));
    return b.op("coreai.pow", {b.broadcastTo(base, whole), b.broadcastTo(exponent, whole)});
  }
  return b.asResult(b.cast(b.pow(b.as(x, wide), b.as(y, wide)), dtype));
}

Value extreme(Node n, Builder &b, std::string_view op) {
  Operand x = b.operand(n, 0), y = b.operand(n, 1);
  DType dtype = b.promote({x, y});
  Value p = b.as(x, dtype), q = b.as(y, dtype), both = b.binary(op, p, q);
  if (isFloat(dtype))
    both = b.where(b.isNan(p), q, b.where(b.isNan(q), p, both));
  return b.asResult(both);
}

// By powers of two, in 64 bits so that 2^31 has a place; shifts beyond the width behave as eager's.
Value shift(Node n, Builder &b, std::string_view direction) {
  Operand x = b.operand(n, 0), y = b.operand(n, 1);
  DType dtype = b.promote({x, y});
  int64_t width = dtype == DType::SI64 ? 63 : static_cast<int64_t>(bitWidth(dtype));
  Value a = b.as(x, DType::SI64), count = b.as(y, DType::SI64), two = b.constant(Scalar(2), DType::SI64),
        result;
  Value outside = b.logicalOr(b.less(count, 0), b.greaterEqual(count, width));
  if (direction == "left") {
    Value safe = b.where(outside, 0, count);
    result = b.wrapCast(b.where(outside, 0, b.mul(a, b.pow(two, safe))), dtype);
  } else {
    Value safe = b.where(outside, std::min<int64_t>(width, 62), count);
    result = b.cast(b.floorDivide(a, b.pow(two, safe)), dtype);
  }
  return b.asResult(result);
}

Value addProduct(Node n, Builder &b, std::string_view op) { // self + value * (t1 op t2)
  Value x = n.tensor(0), t1 = n.tensor(1), t2 = n.tensor(2);
  Scalar value = n.scalar("value", Scalar(1));
  DType dtype = b.promote({x, t1, t2}), wide = opmath(dtype);
  Value product = b.binary(op, b.cast(t1, wide), b.cast(t2, wide));
  if (!isOne(value))
    product = b.mul(product, value);
  return b.asResult(b.cast(b.add(b.cast(x, wide), product), dtype));
}

// start + w (end - start) from the nearer end, as eager does.
Value lerp(Node n, Builder &b) {
  Value start = n.tensor(0), end = n.tensor(1);
  Operand weight = b.operand(n, 2);
  DType dtype = b.promote({start, end}), wide = opmath(dtype);
  Value s = b.cast(start, wide), e = b.cast(end, wide), span = b.sub(e, s), result;
  if (weight.isScalar()) {
    double w = weight.scalar().toDouble();
    result = std::abs(w) < 0.5 ? b.add(s, b.mul(span, w)) : b.sub(e, b.mul(span, 1.0 - w));
  } else {
    Value w = b.as(weight, wide), rest = b.sub(b.constant(Scalar(1.0), wide), w);
    result = b.where(b.less(b.abs(w), 0.5), b.add(s, b.mul(span, w)), b.sub(e, b.mul(span, rest)));
  }
  return b.asResult(b.cast(result, dtype));
}

// The larger factored out: no overflow where the result has none.
Value hypot(Node n, Builder &b) {
  DType dtype = b.promote({n.tensor(0), n.tensor(1)}), wide = opmath(dtype);
  Value x = b.abs(b.cast(n.tensor(0), wide)), y = b.abs(b.cast(n.tensor(1), wide));
  Value large = b.maximum(x, y), small = b.minimum(x, y);
  Value plain = b.equal(large, 0.0), infinite = b.logicalOr(b.equal(x, HUGE_VAL), b.equal(y, HUGE_VAL));
  Value ratio = b.divide(small, large);
  Value result = b.mul(large, b.sqrt(b.add(b.square(ratio), 1.0)));
  result = b.where(infinite, HUGE_VAL, b.where(plain, large, result)); // infinite also beside NaN
  return b.asResult(b.cast(result, dtype));
}

// atan of the ratio of magnitudes, then the quadrant by the sign bits: right for signed zeros and
// pairs of infinities.
Value atan2(Node n, Builder &b) {
  Operand first = b.operand(n, 0), second = b.operand(n, 1);
  DType dtype = n.result(0).valueDtype, wide = opmath(dtype);
  Value y = b.as(first, wide), x = b.as(second, wide), ay = b.abs(y), ax = b.abs(x);
  Value ratio = b.where(b.equal(ay, ax), b.cast(b.notEqual(ay, 0.0), wide), b.divide(ay, ax));
  Value angle = b.atan(ratio);
  angle = b.where(signbitOf(b, x), b.sub(b.constant(Scalar(3.14159265358979323846), wide), angle), angle);
  return b.asResult(b.cast(magnitudeWithSign(b, angle, signbitOf(b, y)), dtype));
}

Value copysign(Node n, Builder &b) {
  Operand x = b.operand(n, 0), y = b.operand(n, 1);
  DType dtype = n.result(0).valueDtype;
  Value sign = y.isScalar() ? b.as(y, DType::F32) : y.value();
  return b.asResult(magnitudeWithSign(b, b.abs(b.as(x, dtype)), signbitOf(b, sign)));
}

Value ldexp(Node n, Builder &b) {
  DType dtype = n.result(0).valueDtype, wide = opmath(dtype);
  Value factor = b.pow(b.constant(Scalar(2.0), wide), b.cast(n.tensor(1), wide));
  return b.asResult(b.cast(b.mul(b.cast(n.tensor(0), wide), factor), dtype));
}

// max + log1p(exp(-|x - y|)); equal infinities are their own result.
Value logaddexp(Node n, Builder &b) {
  DType dtype = b.promote({n.tensor(0), n.tensor(1)}), wide = opmath(dtype);
  Value x = b.cast(n.tensor(0), wide), y = b.cast(n.tensor(1), wide), large = b.maximum(x, y);
  Value result = b.add(large, b.log1p(b.exp(b.neg(b.abs(b.sub(x, y))))));
  Value plain = b.logicalAnd(b.equal(x, y), b.equal(b.abs(large), HUGE_VAL));
  return b.asResult(b.cast(b.where(plain, large, result), dtype));
}

Value xlogy(Node n, Builder &b) { // 0 * log(y) is 0, unless y is NaN
  Operand first = b.operand(n, 0), second = b.operand(n, 1);
  DType dtype = n.result(0).valueDtype, wide = opmath(dtype);
  Value x = b.as(first, wide), y = b.as(second, wide);
  Value zero = b.logicalAnd(b.equal(x, 0.0), b.equal(y, y));
  return b.asResult(b.cast(b.where(zero, 0.0, b.mul(x, b.log(y))), dtype));
}

} // namespace sixrung::aten
