// hard_sigmoid: a known operation of Core AI, and the ATen op that is one.
#include "sixrung/sdk.hpp"

namespace sixrung::composites {
namespace {

// clamp(x + 3, 0, 6) / 6; half types are computed in f32, as eager does.
Value body(Node n, Builder &b) {
  Value x = n.tensor("input");
  DType dtype = x.dtype();
  Value wide = dtype == DType::F16 || dtype == DType::BF16 ? b.cast(x, DType::F32) : x;
  return b.cast(b.divide(b.clamp(b.add(wide, 3.0), Operand(0.0), Operand(6.0)), 6.0), dtype);
}

Value hardsigmoid(Node n, Builder &b) { return b.composite("hard_sigmoid", {n.tensor(0)}); }

} // namespace

constexpr Composite kComposites[] = {{.name = "hard_sigmoid", .inputs = {"input"}, .body = body}};
constexpr Lowering kLowerings[] = {{"aten::hardsigmoid.default", hardsigmoid}};

} // namespace sixrung::composites

SIXRUNG_PLUGIN("org.sixrung.composites.hard_sigmoid", "0.1.0", sixrung::composites::kComposites,
               sixrung::composites::kLowerings);
