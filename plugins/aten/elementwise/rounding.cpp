#include "elementwise.hpp"

#include <cmath>

namespace sixrung::aten {

Value rounding(Node n, Builder &b, std::string_view mode) {
  Value x = n.tensor(0);
  if (!isFloat(x.dtype()))
    return x;
  if (mode == "floor")
    return b.floor(x);
  if (mode == "ceil")
    return b.ceil(x);
  return mode == "trunc" ? b.trunc(x) : b.round(x);
}

// round(x * 10^d) / 10^d; for negative d the other way round, so that the factor stays exact.
Value roundDecimals(Node n, Builder &b) {
  Value x = n.tensor(0);
  int64_t decimals = n.integer("decimals", 0);
  if (!isFloat(x.dtype()))
    return x;
  double factor = std::pow(10.0, std::abs(static_cast<double>(decimals)));
  Value wide = b.cast(x, opmath(x.dtype()));
  Value scaled = b.round(decimals < 0 ? b.divide(wide, factor) : b.mul(wide, factor));
  return b.asResult(decimals < 0 ? b.mul(scaled, factor) : b.divide(scaled, factor));
}

Value frac(Node n, Builder &b) {
  Value x = n.tensor(0);
  return b.sub(x, b.trunc(x));
}

} // namespace sixrung::aten
