// Folding of ops with a constant that is the same everywhere: moved about it stays so, and a neutral one
// leaves the other operand as it is.
#include "core/ir/builder_impl.hpp"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace sixrung::ir {
namespace {

DenseElementsAttr splatConstant(Value value) {
  auto constant = value.getDefiningOp<coreai::ConstantOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
  return dense && dense.isSplat() && dense.getNumElements() > 0 ? dense : DenseElementsAttr();
}

// Which constant changes nothing; floats take only what is exact for every operand, -0.0 and NaN too.
enum class Neutral { kNone, kZero, kOne, kTrue };

Neutral neutral(StringRef name, Type element) {
  name.consume_front("decomposable.broadcasting_");
  if (element.isSignlessInteger(1))
    return llvm::StringSwitch<Neutral>(name)
        .Cases("and", "bitwise_and", Neutral::kTrue)
        .Cases("or", "bitwise_or", "xor", "bitwise_xor", Neutral::kZero)
        .Default(Neutral::kNone);
  Neutral scaling =
      llvm::StringSwitch<Neutral>(name).Cases("mul", "divide", Neutral::kOne).Default(Neutral::kNone);
  if (!isa<IntegerType>(element))
    return isa<FloatType>(element) ? scaling : Neutral::kNone;
  return llvm::StringSwitch<Neutral>(name)
      .Cases("add", "sub", "bitwise_or", "bitwise_xor", Neutral::kZero)
      .Case("floor_divide", Neutral::kOne)
      .Default(scaling);
}

bool commutes(StringRef name) {
  name.consume_front("decomposable.broadcasting_");
  return name != "sub" && name != "divide" && name != "floor_divide";
}

bool isValue(DenseElementsAttr splat, Neutral wanted) {
  if (auto floating = dyn_cast<FloatType>(splat.getElementType()))
    return wanted == Neutral::kOne && splat.getSplatValue<APFloat>().isExactlyValue(1.0);
  if (!isa<IntegerType>(splat.getElementType()))
    return false;
  APInt value = splat.getSplatValue<APInt>();
  return wanted == Neutral::kZero ? value.isZero() : value == 1; // a true i1 is 1 too
}

// Whether broadcasting with `constant` leaves the shape of `kept` alone, whatever its dynamic dims are.
bool keepsShape(RankedTensorType kept, RankedTensorType constant) {
  if (!kept || constant.getRank() > kept.getRank())
    return false;
  ArrayRef<int64_t> tail = kept.getShape().take_back(constant.getRank());
  return llvm::all_of(llvm::zip(tail, constant.getShape()), [](auto dims) {
    return std::get<1>(dims) == 1 || std::get<1>(dims) == std::get<0>(dims);
  });
}

std::optional<Folded> foldNeutral(Operation *op, StringRef name) {
  if (op->getNumOperands() != 2)
    return std::nullopt;
  for (unsigned constant : {1u, 0u}) {
    if (constant == 0 && !commutes(name))
      continue;
    DenseElementsAttr splat = splatConstant(op->getOperand(constant));
    Value kept = op->getOperand(1 - constant);
    if (!splat || kept.getType() != op->getResult(0).getType())
      continue;
    Neutral wanted = neutral(name, splat.getElementType());
    if (wanted != Neutral::kNone && isValue(splat, wanted) &&
        keepsShape(dyn_cast<RankedTensorType>(kept.getType()), cast<RankedTensorType>(splat.getType())))
      return Folded{kept, {}, {}, {}};
  }
  return std::nullopt;
}

} // namespace

std::optional<Folded> foldSplat(Operation *op) {
  StringRef name = op->getName().stripDialect();
  bool moves =
      llvm::StringSwitch<bool>(name).Cases("broadcast_to", "tile", "transpose", "slice", true).Default(false);
  if (!moves)
    return foldNeutral(op, name);
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  DenseElementsAttr splat = splatConstant(op->getOperand(0));
  if (!splat || !type || !byteSize(type) || type.getNumElements() == 0 ||
      type.getElementType() != splat.getElementType())
    return std::nullopt;
  return Folded{{}, type, {}, splat.resizeSplat(type)};
}

} // namespace sixrung::ir
