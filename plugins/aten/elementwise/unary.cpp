#include "elementwise.hpp"

#include <algorithm>
#include <limits>

namespace sixrung::aten {

constexpr double kInf = std::numeric_limits<double>::infinity();

namespace {
// Those the dialect computes of complex numbers too.
bool knowsComplex(std::string_view op) {
  constexpr std::string_view kKnown[] = {"coreai.cos", "coreai.cosh",    "coreai.exp",
                                         "coreai.log", "coreai.sigmoid", "coreai.silu",
                                         "coreai.sin", "coreai.sinh",    "coreai.tan"};
  return std::find(std::begin(kKnown), std::end(kKnown), op) != std::end(kKnown);
}
Failed refuseComplex(std::string_view what) {
  return unsupported(std::string(what) + " of complex numbers",
                     "compute it from real and imaginary parts in the model");
}
} // namespace

Value unaryFloat(Node n, Builder &b, std::string_view op) {
  if (isComplex(n.tensor(0).dtype()) && !knowsComplex(op))
    return refuseComplex(op.substr(op.find('.') + 1));
  return b.asResult(b.op(op, {floating(n, b, n.tensor(0))}));
}
Value unaryAny(Node n, Builder &b, std::string_view op) { return b.asResult(b.op(op, {n.tensor(0)})); }

Value neg(Node n, Builder &b) { return b.neg(n.tensor(0)); }

Value absolute(Node n, Builder &b) {
  Value x = n.tensor(0);
  if (!isComplex(x.dtype()))
    return isUnsigned(x.dtype()) || x.dtype() == DType::Bool ? x : b.abs(x);
  Value re = b.op("coreai.real_part", {x}, {}, Type{realType(x.dtype()), x.dims()});
  Value im = b.op("coreai.imaginary_part", {x}, {}, Type{realType(x.dtype()), x.dims()});
  return b.asResult(b.sqrt(b.add(b.square(re), b.square(im))));
}

// (x > 0) - (x < 0): 0 for NaN and for zeros of either sign, as eager gives.
Value sign(Node n, Builder &b) {
  Value x = n.tensor(0);
  if (x.dtype() == DType::Bool)
    return x;
  Value positive = b.cast(b.greater(x, 0), x.dtype());
  return isUnsigned(x.dtype()) ? positive : b.sub(positive, b.cast(b.less(x, 0), x.dtype()));
}

Value signbitOf(Builder &b, Value x) {
  Value below = b.less(x, 0);
  if (!isFloat(x.dtype()))
    return below;
  return b.logicalOr(below, b.less(b.divide(b.constant(Scalar(1.0), x.dtype()), x), 0.0)); // 1 / -0.0 is -inf
}
Value signbit(Node n, Builder &b) { return signbitOf(b, n.tensor(0)); }

Value reciprocal(Node n, Builder &b) {
  Value x = floating(n, b, n.tensor(0));
  return b.asResult(b.divide(b.constant(Scalar(1.0), x.dtype()), x));
}
Value square(Node n, Builder &b) {
  Value x = n.tensor(0);
  return x.dtype() == DType::Bool ? b.cast(x, n.result(0).valueDtype) : b.square(x);
}
Value exp2(Node n, Builder &b) {
  Value x = precise(n, b, n.tensor(0));
  return b.asResult(b.pow(b.constant(Scalar(2.0), x.dtype()), x));
}
Value expm1(Node n, Builder &b) { return b.asResult(b.expm1(precise(n, b, n.tensor(0)))); }
Value log1p(Node n, Builder &b) { return b.asResult(b.log1p(precise(n, b, n.tensor(0)))); }
Value logBase(Node n, Builder &b, std::string_view base) {
  double ln = base == "2" ? 0.69314718055994530942 : 2.30258509299404568402;
  return b.asResult(b.divide(b.log(precise(n, b, n.tensor(0))), ln));
}

Value isnan(Node n, Builder &b) { return b.isNan(n.tensor(0)); }
Value isinf(Node n, Builder &b) {
  Value x = n.tensor(0);
  return isFloat(x.dtype()) ? b.equal(b.abs(x), kInf) : b.isNan(x); // ints: false
}
Value isfinite(Node n, Builder &b) {
  Value x = n.tensor(0);
  return isFloat(x.dtype()) ? b.greater(kInf, b.abs(x)) : b.equal(x, x); // NaN compares false
}
Value infinityTest(Node n, Builder &b, std::string_view sign) {
  Value x = n.tensor(0);
  return isFloat(x.dtype()) ? b.equal(x, sign == "+" ? kInf : -kInf) : b.isNan(x);
}

Value nanToNum(Node n, Builder &b) {
  Value x = n.tensor(0);
  if (!isFloat(x.dtype()))
    return x;
  double largest = x.dtype() == DType::F16 ? 65504.0 : x.dtype() == DType::BF16 ? 0x1.fep127 : 0x1.fffffep127;
  Value result = b.where(b.isNan(x), n.number(1, 0.0), x);
  result = b.where(b.equal(x, kInf), n.number(2, largest), result);
  return b.where(b.equal(x, -kInf), n.number(3, -largest), result);
}

Value bitwiseNot(Node n, Builder &b) {
  Value x = n.tensor(0);
  // All bits set, whatever the signedness: exact for every integer.
  return x.dtype() == DType::Bool ? b.logicalNot(x) : b.bitwiseXor(x, b.constant(Scalar(-1), x.dtype()));
}
Value logicalNot(Node n, Builder &b) {
  Value x = n.tensor(0);
  return x.dtype() == DType::Bool ? b.logicalNot(x) : b.equal(x, 0);
}

} // namespace sixrung::aten
