#include "elementwise.hpp"

namespace sixrung::aten {

Value compare(Node n, Builder &b, std::string_view op) {
  Operand x = b.operand(n, 0), y = b.operand(n, 1);
  if (op == "eq")
    return b.equal(x, y);
  if (op == "ne")
    return b.notEqual(x, y);
  if (op == "gt")
    return b.greater(x, y);
  if (op == "lt")
    return b.less(x, y);
  return op == "ge" ? b.greaterEqual(x, y) : b.lessEqual(x, y);
}

Value logical(Node n, Builder &b, std::string_view op) {
  return b.binary(op, b.toBool(n.tensor(0)), b.toBool(n.tensor(1)));
}

Value where(Node n, Builder &b) {
  return b.asResult(b.where(b.toBool(n.tensor(0)), b.operand(n, 1), b.operand(n, 2)));
}

namespace {

// A bound no si32 can pass does nothing to a narrowed int64, and would widen it.
bool idle(Value x, const Operand &bound, bool low) {
  if (x.dtype() != DType::SI32 || !bound.isScalar() || !bound.scalar().isIntegral())
    return false;
  return low ? bound.scalar().toInt() <= INT32_MIN : bound.scalar().toInt() >= INT32_MAX;
}

Value bounded(Builder &b, Value x, std::optional<Operand> low, std::optional<Operand> high) {
  std::vector<Operand> all{x};
  for (const auto &bound : {low, high})
    if (bound)
      all.push_back(*bound);
  if (low && idle(x, *low, true))
    low.reset();
  if (high && idle(x, *high, false))
    high.reset();
  if (low || high)
    x = b.cast(x, b.promote(all)); // an int clamped by a float is a float
  return b.asResult(b.clamp(x, low, high));
}

std::optional<Operand> bound(Node n, Builder &b, Arg which) {
  return n.has(which) ? std::optional<Operand>(b.operand(n, which)) : std::nullopt;
}

} // namespace

Value clamp(Node n, Builder &b) { return bounded(b, n.tensor(0), bound(n, b, 1), bound(n, b, 2)); }
Value clampMax(Node n, Builder &b) { return bounded(b, n.tensor(0), {}, bound(n, b, 1)); }

} // namespace sixrung::aten
