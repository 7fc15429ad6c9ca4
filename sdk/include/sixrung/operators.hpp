// Optional: a + b, a * 2.0, -a, ... for values, through the builder of the running call.
#pragma once

#include "sixrung/builder.hpp"

namespace sixrung::operators {

inline Builder builder() { return Builder(detail::current); }
#define SIXRUNG_OPERATOR(symbol, method)                                                                     \
  inline Value operator symbol(const Value &a, const Value &b) { return builder().method(a, b); }            \
  inline Value operator symbol(const Value &a, double b) { return builder().method(a, b); }                  \
  inline Value operator symbol(double a, const Value &b) { return builder().method(a, b); }
SIXRUNG_OPERATOR(+, add)
SIXRUNG_OPERATOR(-, sub)
SIXRUNG_OPERATOR(*, mul)
SIXRUNG_OPERATOR(/, divide)
SIXRUNG_OPERATOR(>, greater)
SIXRUNG_OPERATOR(<, less)
#undef SIXRUNG_OPERATOR
inline Value operator-(const Value &x) { return builder().neg(x); }

} // namespace sixrung::operators
