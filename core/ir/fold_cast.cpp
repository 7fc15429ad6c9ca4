// Casts of constants, with the numerics of the runtime: its own rewrite folds some to other numbers, and
// wraps where the runtime saturates.
#include "core/ir/fold.hpp"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;

namespace sixrung::ir {
namespace {

// Floats are folded where they are arithmetic on shapes: of more, a cast would make a second copy.
constexpr int64_t kMaxFloats = 64;

bool isSmall(RankedTensorType type) {
  Type element = type.getElementType();
  return (element.isF16() || element.isBF16() || element.isF32() || element.isF64()) && byteSize(type) &&
         type.getNumElements() <= kMaxFloats;
}

void put(std::vector<char> &bytes, const APInt &bits) {
  uint64_t value = bits.getZExtValue();
  for (unsigned i = 0; i < std::max(1u, bits.getBitWidth() / 8); ++i)
    bytes.push_back(static_cast<char>(value >> (8 * i)));
}

APSInt exact(int64_t value, Type type) {
  unsigned width = type.getIntOrFloatBitWidth();
  return APSInt(APInt(64, value).trunc(width), !type.isSignedInteger());
}

APInt saturated(const APSInt &value, unsigned width, bool toUnsigned) {
  APSInt wide(value.extend(66), /*isUnsigned=*/false);
  APSInt low(APSInt::getMinValue(width, toUnsigned).extend(66), false);
  APSInt high(APSInt::getMaxValue(width, toUnsigned).extend(66), false);
  return std::clamp(wide, low, high).trunc(width);
}

APInt castInteger(const APSInt &value, Type to) {
  if (auto floating = dyn_cast<FloatType>(to)) {
    APFloat result(floating.getFloatSemantics());
    result.convertFromAPInt(value, value.isSigned(), APFloat::rmNearestTiesToEven);
    return result.bitcastToAPInt();
  }
  if (to.isSignlessInteger(1))
    return APInt(1, !value.isZero());
  return saturated(value, to.getIntOrFloatBitWidth(), to.isUnsignedInteger());
}

APInt castFloat(APFloat value, Type to) {
  if (auto floating = dyn_cast<FloatType>(to)) {
    bool inexact = false;
    value.convert(floating.getFloatSemantics(), APFloat::rmNearestTiesToEven, &inexact);
    return value.bitcastToAPInt();
  }
  if (to.isSignlessInteger(1))
    return APInt(1, !value.isZero()); // NaN is true
  if (value.isNaN())
    return APInt(to.getIntOrFloatBitWidth(), 0);
  bool inexact = false;
  APSInt result(to.getIntOrFloatBitWidth(), to.isUnsignedInteger());
  value.convertToInteger(result, APFloat::rmTowardZero, &inexact); // saturates
  return result;
}

} // namespace

std::optional<Folded> foldCast(const GraphBuilder &builder, Operation *op) {
  Value input = op->getOperand(0);
  RankedTensorType from = tensorType(input), type = tensorType(op->getResult(0));
  if (!from || !(holdsIntegers(type) || isSmall(type)))
    return std::nullopt;
  Folded result{{}, type, {}, {}};
  Type to = type.getElementType();
  if (std::optional<IntegerConstant> whole = integerConstant(builder, input)) {
    for (int64_t value : whole->values)
      put(result.bytes, castInteger(exact(value, from.getElementType()), to));
    return result;
  }
  auto constant = input.getDefiningOp<coreai::ConstantOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
  if (!dense || !isSmall(from))
    return std::nullopt;
  for (const APFloat &value : dense.getValues<APFloat>())
    put(result.bytes, castFloat(value, to));
  return result;
}

} // namespace sixrung::ir
