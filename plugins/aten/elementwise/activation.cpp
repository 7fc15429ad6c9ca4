#include "elementwise.hpp"

namespace sixrung::aten {

Value relu6(Node n, Builder &b) { return b.asResult(b.clamp(n.tensor(0), Operand(0), Operand(6))); }

Value gelu(Node n, Builder &b) {
  std::string form = n.string("approximate", "none");
  return b.asResult(b.op("coreai.gelu", {precise(n, b, n.tensor(0))}, {{"approximate", form}}));
}

Value leakyRelu(Node n, Builder &b) { // a product for NaN too: it stays NaN
  Value x = n.tensor(0);
  return b.where(b.greater(x, 0.0), x, b.mul(x, n.number(1, 0.01)));
}

// (input, noise, lower, upper, training, generator): outside of training the slope is the middle one.
Values randomLeakyRelu(Node n, Builder &b) {
  if (n.boolean(4, false))
    return unsupported("rrelu while training", "call model.eval() before torch.export.export")
        .operator Values();
  Value x = n.tensor(0);
  double slope = (n.number(2, 1.0 / 8) + n.number(3, 1.0 / 3)) / 2;
  return {b.where(b.greater(x, 0.0), x, b.mul(x, slope)), n.tensor(1)};
}

Value elu(Node n, Builder &b) {
  double alpha = n.number(1, 1.0), scale = n.number(2, 1.0), inputScale = n.number(3, 1.0);
  Value x = precise(n, b, n.tensor(0));
  auto times = [&](Value v, double factor) { return factor == 1.0 ? v : b.mul(v, factor); };
  Value negative = times(b.expm1(times(x, inputScale)), alpha * scale);
  return b.asResult(b.where(b.greater(x, 0.0), times(x, scale), negative));
}

namespace {
Value hardGate(Builder &b, Value x) { // relu6(x + 3)
  return b.clamp(b.add(x, 3.0), Operand(0.0), Operand(6.0));
}
// log1p(exp(x)) without overflow.
Value stableSoftplus(Builder &b, Value x) {
  return b.add(b.maximum(x, 0.0), b.log1p(b.exp(b.neg(b.abs(x)))));
}
} // namespace

Value hardswish(Node n, Builder &b) {
  Value x = precise(n, b, n.tensor(0));
  return b.asResult(b.divide(b.mul(x, hardGate(b, x)), 6.0));
}

Value softplus(Node n, Builder &b) {
  double beta = n.number(1, 1.0), threshold = n.number(2, 20.0);
  Value x = precise(n, b, n.tensor(0)), scaled = beta == 1.0 ? x : b.mul(x, beta);
  Value soft = stableSoftplus(b, scaled);
  soft = beta == 1.0 ? soft : b.divide(soft, beta);
  return b.asResult(b.where(b.greater(scaled, threshold), x, soft));
}
Value mish(Node n, Builder &b) {
  Value x = precise(n, b, n.tensor(0));
  return b.asResult(b.mul(x, b.tanh(stableSoftplus(b, x))));
}
Value logSigmoid(Node n, Builder &b) {
  Value x = precise(n, b, n.tensor(0));
  return b.asResult(b.sub(b.minimum(x, 0.0), b.log1p(b.exp(b.neg(b.abs(x))))));
}

Value logit(Node n, Builder &b) {
  Value x = precise(n, b, n.tensor(0));
  if (n.has(1))
    x = b.clamp(x, Operand(n.number(1)), Operand(1.0 - n.number(1)));
  return b.asResult(b.log(b.divide(x, b.sub(b.constant(Scalar(1.0), x.dtype()), x))));
}

Value threshold(Node n, Builder &b) { // NaN stays
  Value x = n.tensor(0);
  return b.where(b.lessEqual(x, b.as(b.operand(n, 1), x.dtype())), b.as(b.operand(n, 2), x.dtype()), x);
}

Value shrink(Node n, Builder &b, std::string_view kind) {
  Value x = n.tensor(0);
  double lambda = n.number(1, 0.5);
  Value inside = b.lessEqual(b.abs(x), lambda);
  if (kind == "hard")
    return b.where(inside, 0.0, x);
  Value shrunk = b.where(b.greater(x, 0.0), b.sub(x, lambda), b.add(x, lambda));
  return b.where(inside, b.mul(x, 0.0), shrunk);
}

} // namespace sixrung::aten
