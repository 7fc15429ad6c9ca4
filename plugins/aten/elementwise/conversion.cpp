#include "elementwise.hpp"

namespace sixrung::aten {

Value same(Node n, Builder &) { return n.tensor(0); }

Value toDtype(Node n, Builder &b) {
  Value x = n.tensor(0);
  ResultInfo info = n.result(0);
  if (represents(x.dtype(), info.dtype))
    return x;
  if (info.dtype == DType::SI64 && info.valueDtype == DType::SI32 && isFloat(x.dtype()))
    b.narrowing("a float becomes int64 in 32 bits: beyond them it saturates");
  return b.wrapCast(x, info.valueDtype);
}

Value copyInto(Node n, Builder &b) {
  Value self = n.tensor(0), src = n.tensor(1);
  ResultInfo info = n.result(0);
  Value cast = represents(src.dtype(), info.dtype) ? src : b.wrapCast(src, info.valueDtype);
  return b.broadcastTo(cast, b.shape(self));
}

Values dropout(Node n, Builder &b) {
  Value x = n.tensor(0);
  if (n.boolean(2, true))
    return unsupported("dropout while training", "call model.eval() before torch.export.export");
  if (n.resultCount() == 1)
    return {x};
  return {x, n.result(1).used ? b.broadcastTo(b.constant(Scalar(true), DType::Bool), b.shape(x)) : Value()};
}

} // namespace sixrung::aten
