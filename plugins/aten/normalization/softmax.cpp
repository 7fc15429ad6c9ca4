#include "normalization.hpp"

#include <cmath>

namespace sixrung::aten {
namespace {

// What softmax works on: halves in f32, a 0-d tensor as one row.
Value rows(Node n, Builder &b) {
  Value x = n.tensor(0);
  x = widened(b, isFloat(x.dtype()) ? x : b.cast(x, n.result(0).valueDtype));
  return x.rank() == 0 ? b.reshape(x, {1}) : x;
}

Value finished(Node n, Builder &b, Value result) {
  return b.asResult(n.tensor(0).rank() == 0 ? b.scalar(result) : result);
}

} // namespace

Value softmax(Node n, Builder &b) {
  Value x = rows(n, b);
  if (x.elements() == 0)
    return b.asResult(x);
  return finished(n, b, b.softmax(x, n.integer(1)));
}

Value logSoftmax(Node n, Builder &b) {
  Value x = rows(n, b);
  if (x.elements() == 0)
    return b.asResult(x);
  Ints axis{axisOf(n.integer(1), x.rank())};
  Value shifted = b.sub(x, b.reduceMax(x, axis));
  return finished(n, b, b.sub(shifted, b.log(b.sum(b.exp(shifted), axis))));
}

} // namespace sixrung::aten
