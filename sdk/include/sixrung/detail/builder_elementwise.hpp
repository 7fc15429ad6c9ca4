// Builder: elementwise arithmetic with PyTorch's promotion and broadcasting.
#pragma once

#include "sixrung/builder.hpp"

namespace sixrung {

namespace detail {
inline bool isArithmetic(std::string_view m) {
  return m == "add" || m == "sub" || m == "mul" || m == "divide" || m == "pow" || m == "floor_divide";
}
// What arithmetic means on booleans; the runtime has none of it on i1.
inline std::string_view booleanForm(std::string_view m) {
  if (m == "add" || m == "maximum")
    return "or";
  if (m == "mul" || m == "minimum")
    return "and";
  return m;
}
} // namespace detail

inline Value Builder::binary(std::string_view mnemonic, const Operand &a, const Operand &b) {
  DType dtype = promote({a, b});
  // Eager multiplies a half tensor by a number, or a wider 0-d tensor, in f32 with that one unrounded.
  for (const Operand *o : {&a, &b})
    if (isHalf(dtype) && detail::isArithmetic(mnemonic) &&
        (o->isScalar() ? !o->scalar().fits(dtype)
                       : o->value().rank() == 0 && bitWidth(o->value().dtype()) > 16))
      return cast(binary(mnemonic, as(a, DType::F32), as(b, DType::F32)), dtype);
  if (dtype == DType::Bool)
    mnemonic = detail::booleanForm(mnemonic);
  Value x = as(a, dtype), y = as(b, dtype);
  bool same = x && y && x.isStatic() && y.isStatic() && x.dims() == y.dims();
  return op((same ? "coreai." : "coreai.decomposable.broadcasting_") + std::string(mnemonic), {x, y});
}

// The runtime folds equal(x, x) to true, but not not_equal(x, x) to false.
inline Value Builder::equal(const Operand &a, const Operand &b) {
  if (!a.isScalar() && a.value() == b.value() && isFloat(a.value().dtype()))
    return logicalNot(notEqual(a, b));
  return binary("equal", a, b);
}

inline Value Builder::greater(const Operand &a, const Operand &b) {
  if (promote({a, b}) != DType::Bool)
    return binary("greater", a, b);
  return binary("greater", as(a, DType::SI8), as(b, DType::SI8)); // no order on i1
}

inline Value Builder::greaterEqual(const Operand &a, const Operand &b) {
  if (isFloat(promote({a, b})))
    return logicalOr(greater(a, b), equal(a, b)); // not(b > a) would be true for NaN
  return logicalNot(greater(b, a));
}

inline Value Builder::where(Value condition, const Operand &a, const Operand &b) {
  DType dtype = promote({a, b});
  Value x = as(a, dtype), y = as(b, dtype);
  bool same = condition && condition.isStatic() && x.isStatic() && y.isStatic() && x.dims() == y.dims() &&
              x.dims() == condition.dims();
  return op(same ? "coreai.where" : "coreai.decomposable.broadcasting_where", {condition, x, y});
}

inline Value Builder::neg(Value x) { return mul(x, constant(Scalar(-1), x.dtype())); }

// Kahan: the rounding error of 1 + x cancels in x / ((1 + x) - 1). Where 1 + x == x (large x, inf) the
// logarithm alone is right; where it is 1, x is.
inline Value Builder::log1p(Value x) {
  Value u = add(x, 1.0), d = sub(u, 1.0), log = this->log(u);
  Value scaled = mul(log, divide(x, d));
  return where(equal(d, 0.0), x, where(equal(u, x), log, scaled));
}

// exp(x) - 1 cancels near 0, where 2t / (1 - t) with t = tanh(x/2) does not.
inline Value Builder::expm1(Value x) {
  Value t = tanh(mul(x, 0.5));
  Value small = divide(add(t, t), sub(constant(Scalar(1.0), x.dtype()), t));
  return where(greater(abs(x), 0.5), sub(exp(x), 1.0), small);
}

// By way of round: floor_divide(x, 1) turns infinities into NaN.
inline Value Builder::floor(Value x) {
  Value r = round(x);
  return where(greater(r, x), sub(r, 1.0), r);
}
inline Value Builder::ceil(Value x) {
  Value r = round(x);
  return where(greater(x, r), add(r, 1.0), r);
}
inline Value Builder::trunc(Value x) {
  Value magnitude = floor(abs(x));
  return where(greater(constant(Scalar(0.0), x.dtype()), x), neg(magnitude), magnitude);
}

// Bounds in order: PyTorch takes `high` where low > high. NaN in x stays.
inline Value Builder::clamp(Value x, std::optional<Operand> low, std::optional<Operand> high) {
  if (low)
    x = maximum(x, *low);
  if (high)
    x = minimum(x, *high);
  return x;
}

} // namespace sixrung
