// The attention family.
#include "sixrung/sdk.hpp"

#include <cmath>
#include <limits>

using namespace sixrung;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Each key and value head serves `groups` query heads in a row.
Value repeatHeads(Builder &b, Value x, const Dim &heads) {
  int head = x.rank() - 3;
  Dim own = b.dim(x, head);
  if (own.isStatic() && heads.isStatic() && own.size() == heads.size())
    return x;
  Dim groups = b.floorDivideDims(heads, own);
  Shape result = b.shape(x), wide = result;
  wide.insert(wide.begin() + head + 1, groups);
  result[static_cast<size_t>(head)] = heads;
  return b.reshape(b.broadcastTo(b.expandDims(x, {head + 1}), wide), result);
}

// 1 / sqrt(E), also where the head size is known only at run time.
Operand defaultScale(Builder &b, Value q) {
  int64_t size = q.dim(-1);
  if (size != kDynamic)
    return 1.0 / std::sqrt(static_cast<double>(size));
  return b.rsqrt(b.scalarOf(b.dim(q, -1), DType::F32));
}

// Query i sees keys 0..i: PyTorch aligns the triangle with the upper left corner.
Value causalMask(Builder &b, Value q, Value k) {
  auto ramp = [&](Value x) {
    Dim size = b.dim(x, -2);
    return b.op("coreai.range", {b.index(0), b.scalarOf(size), b.index(1)}, {},
                Type{DType::SI32, {size.size()}});
  };
  return b.logicalNot(b.greater(b.expandDims(ramp(k), {0}), b.expandDims(ramp(q), {1})));
}

// softmax(q k^T * scale + mask) v. Half types are computed in f32, as eager does inside. A row whose
// keys are all masked gives zeros, not NaN.
Value attend(Builder &b, Value q, Value k, Value v, Value mask, bool causal, const Operand &scale) {
  DType inner = opmath(q.dtype());
  Value scores = b.matmul(b.mul(b.cast(q, inner), scale), b.swapAxes(b.cast(k, inner), -1, -2));
  if (causal) {
    scores = b.where(causalMask(b, q, k), scores, -kInfinity); // every row sees key 0
  }
  Value seen;
  if (mask && mask.dtype() == DType::Bool) {
    scores = b.where(mask, scores, -kInfinity);
    seen = mask.rank() == 0 ? mask : b.reduce("any", mask, {mask.rank() - 1}, true);
  } else if (mask) {
    mask = b.cast(mask, inner);
    scores = b.add(scores, mask);
    Value most = mask.rank() == 0 ? mask : b.reduceMax(mask, {mask.rank() - 1});
    seen = b.notEqual(most, -kInfinity);
  }
  Value weights = b.softmax(scores, -1);
  if (seen)
    weights = b.where(seen, weights, 0.0);
  return b.matmul(weights, b.cast(v, inner));
}

Value scaledDotProductAttention(Node n, Builder &b) {
  Value q = n.tensor(0), k = n.tensor(1), v = n.tensor(2), mask = n.optionalTensor(3);
  if (n.number(4, 0.0) != 0.0)
    return unsupported("attention with dropout", "export the model in eval mode, where dropout_p is 0");
  Operand scale = n.has("scale") ? Operand(n.number("scale")) : defaultScale(b, q);
  if (n.boolean("enable_gqa", false)) {
    Dim heads = b.dim(q, -3);
    k = repeatHeads(b, k, heads);
    v = repeatHeads(b, v, heads);
  }
  ResultInfo info = n.result(0);
  if (k.dim(-2) == 0) { // no keys: zeros
    Shape shape = b.shape(q);
    shape.back() = b.dim(v, -1);
    return b.broadcastTo(b.zeros(info.valueDtype, Ints(shape.size(), 1)), shape);
  }
  return b.cast(attend(b, q, k, v, mask, n.boolean(5, false), scale), info.valueDtype);
}

constexpr Lowering kLowerings[] = {
    {"aten::scaled_dot_product_attention.default", scaledDotProductAttention},
};
} // namespace

SIXRUNG_PLUGIN("org.sixrung.aten.attention", "0.1.0", kLowerings);
