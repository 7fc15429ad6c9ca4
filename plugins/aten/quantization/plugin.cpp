// The quantization family: fake quantization, what models trained for small integers are exported with.
#include "sixrung/sdk.hpp"

using namespace sixrung;

namespace {

// Scale and zero point in f32, shaped to broadcast against the tensor.
struct Affine {
  Value scale, inverse, zeroPoint;
};

Value one(Builder &b) { return b.constant(Scalar(1.0), DType::F32); }

// (result, whether each element lay within the bounds, which are arguments `low` and the one after).
// Rounded before the zero point is added, as eager does: at ties that tells.
Values fake(Node n, Builder &b, const Affine &affine, int low, Value enabled = {}) {
  Value x = n.tensor(0), wide = b.cast(x, DType::F32);
  double least = n.number(low), most = n.number(low + 1);
  Value q = b.add(b.round(b.mul(wide, affine.inverse)), affine.zeroPoint);
  Value kept = b.minimum(b.maximum(q, least), most);
  Value result = b.mul(b.sub(kept, affine.zeroPoint), affine.scale);
  Value within = b.logicalAnd(b.greaterEqual(q, least), b.lessEqual(q, most));
  if (enabled) {
    result = b.where(enabled, result, wide);
    within = b.logicalOr(within, b.logicalNot(enabled));
  }
  return {b.cast(result, x.dtype()), within};
}

// (input, scale, zero_point, quant_min, quant_max): eager rounds the scale to f32 before it inverts it.
Values perTensor(Node n, Builder &b) {
  float scale = static_cast<float>(n.number(1));
  auto number = [&](double v) { return b.constant(Scalar(v), DType::F32); };
  return fake(n, b, {number(scale), number(1.0f / scale), number(n.number(2))}, 3);
}

// (input, scale, zero_point, fake_quant_enabled, quant_min, quant_max)
Values perTensorByTensors(Node n, Builder &b) {
  Value scale = b.cast(b.scalar(n.tensor(1)), DType::F32);
  Value zeroPoint = b.cast(b.scalar(n.tensor(2)), DType::F32);
  return fake(n, b, {scale, b.divide(one(b), scale), zeroPoint}, 4, b.notEqual(b.scalar(n.tensor(3)), 0));
}

// (input, scale, zero_point, axis, quant_min, quant_max)
Values perChannel(Node n, Builder &b) {
  if (isFloat(n.tensor(2).dtype()))
    return unsupported("fake quantization with zero points that are no integers", "make them int32")
        .operator Values();
  int rank = n.tensor(0).rank();
  auto placed = [&](Value x) {
    Shape spread(static_cast<size_t>(rank), Dim(1));
    spread[static_cast<size_t>(axisOf(n.integer(3), rank))] = b.dim(x, 0);
    return b.reshape(b.cast(x, DType::F32), spread);
  };
  Value scale = placed(n.tensor(1));
  return fake(n, b, {scale, b.divide(one(b), scale), placed(n.tensor(2))}, 4);
}

constexpr Lowering kLowerings[] = {
    {"aten::fake_quantize_per_tensor_affine_cachemask.default", perTensor},
    {"aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams.default", perTensorByTensors},
    {"aten::fake_quantize_per_channel_affine_cachemask.default", perChannel},
};
} // namespace

SIXRUNG_PLUGIN("org.sixrung.aten.quantization", "0.1.0", kLowerings);
