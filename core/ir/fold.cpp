// Shape arithmetic on constants, with the numerics of the runtime (its own rewrite folds some casts
// to other numbers: it wraps where the runtime saturates).
#include "core/ir/builder_impl.hpp"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace sixrung::ir {
namespace {

constexpr int64_t kMaxElements = 64;

using Integers = SmallVector<APSInt>;

bool isFoldable(Type element) {
  if (auto integer = dyn_cast<IntegerType>(element))
    return integer.getWidth() % 8 == 0 || integer.isSignlessInteger(1);
  return element.isF16() || element.isBF16() || element.isF32() || element.isF64();
}

bool isInteger(RankedTensorType type) {
  auto integer = dyn_cast<IntegerType>(type.getElementType());
  return integer && !integer.isSignless() && integer.getWidth() % 8 == 0;
}

bool isSmall(RankedTensorType type) {
  // byteSize first: the number of elements of an absurd shape overflows.
  return type && byteSize(type) && type.getNumElements() <= kMaxElements && isFoldable(type.getElementType());
}

RankedTensorType typeOf(Value value) { return dyn_cast<RankedTensorType>(value.getType()); }

DenseElementsAttr smallConstant(Value value) {
  auto constant = value.getDefiningOp<coreai::ConstantOp>();
  return constant && isSmall(typeOf(value)) ? dyn_cast<DenseElementsAttr>(constant.getValue())
                                            : DenseElementsAttr();
}

std::optional<Integers> smallIntegers(Value value) {
  DenseElementsAttr dense = smallConstant(value);
  if (!dense || !isInteger(typeOf(value)))
    return std::nullopt;
  bool isUnsigned = typeOf(value).getElementType().isUnsignedInteger();
  Integers result;
  for (const APInt &element : dense.getValues<APInt>())
    result.emplace_back(element, isUnsigned);
  return result;
}

// Axes and bounds, whatever their width.
std::optional<SmallVector<int64_t>> indices(Value value) {
  std::optional<Integers> integers = smallIntegers(value);
  if (!integers)
    return std::nullopt;
  SmallVector<int64_t> result;
  for (const APSInt &integer : *integers)
    result.push_back(integer.getExtValue());
  return result;
}

void put(std::vector<char> &bytes, const APInt &bits) {
  uint64_t value = bits.getZExtValue();
  for (unsigned i = 0; i < std::max(1u, bits.getBitWidth() / 8); ++i)
    bytes.push_back(static_cast<char>(value >> (8 * i)));
}

std::optional<Folded> folded(RankedTensorType type, const Integers &values) {
  if (!isSmall(type) || static_cast<int64_t>(values.size()) != type.getNumElements())
    return std::nullopt;
  Folded result{{}, type, {}, {}};
  for (const APSInt &value : values)
    put(result.bytes, value);
  return result;
}

//===-- cast ------------------------------------------------------------------------------------===//

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

std::optional<Folded> foldCast(coreai::CastOp op) {
  DenseElementsAttr dense = smallConstant(op->getOperand(0));
  RankedTensorType type = typeOf(op->getResult(0));
  if (!dense || !isSmall(type))
    return std::nullopt;
  Folded result{{}, type, {}, {}};
  Type from = dense.getElementType(), to = type.getElementType();
  if (isa<FloatType>(from))
    for (const APFloat &value : dense.getValues<APFloat>())
      put(result.bytes, castFloat(value, to));
  else
    for (const APInt &value : dense.getValues<APInt>())
      put(result.bytes, castInteger(APSInt(value, !from.isSignedInteger()), to));
  return result;
}

//===-- Arithmetic ------------------------------------------------------------------------------===//

std::optional<APSInt> floorDivide(const APSInt &left, const APSInt &right) {
  // Either ends the process at run time: left as it is, to be seen there.
  if (right.isZero() || (left.isSigned() && left.isMinSignedValue() && right.isAllOnes()))
    return std::nullopt;
  if (left.isUnsigned())
    return APSInt(left.udiv(right), true);
  APInt quotient = left.sdiv(right);
  if (!left.srem(right).isZero() && left.isNegative() != right.isNegative())
    --quotient;
  return APSInt(quotient, false);
}

using Arithmetic = std::optional<APSInt> (*)(const APSInt &, const APSInt &);

Arithmetic arithmetic(StringRef name) {
  name.consume_front("decomposable.broadcasting_");
  return llvm::StringSwitch<Arithmetic>(name)
      .Case("add",
            [](const APSInt &l, const APSInt &r) { return std::optional(l + r); }) // wraps, as at run time
      .Case("sub", [](const APSInt &l, const APSInt &r) { return std::optional(l - r); })
      .Case("mul", [](const APSInt &l, const APSInt &r) { return std::optional(l * r); })
      .Case("maximum", [](const APSInt &l, const APSInt &r) { return std::optional(std::max(l, r)); })
      .Case("minimum", [](const APSInt &l, const APSInt &r) { return std::optional(std::min(l, r)); })
      .Case("floor_divide", floorDivide)
      .Default(nullptr);
}

// Position in an operand of shape `from` of element `linear` of a result of shape `to`.
int64_t sourceOf(int64_t linear, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  int64_t position = 0, stride = 1;
  for (int64_t i = 0; i < static_cast<int64_t>(to.size()); ++i) {
    int64_t dim = to[to.size() - 1 - i], index = linear % dim;
    linear /= dim;
    if (i >= static_cast<int64_t>(from.size()))
      continue;
    int64_t own = from[from.size() - 1 - i];
    position += (own == 1 ? 0 : index) * stride;
    stride *= own;
  }
  return position;
}

std::optional<Folded> foldArithmetic(Operation *op, Arithmetic apply) {
  RankedTensorType type = typeOf(op->getResult(0));
  std::optional<Integers> left = smallIntegers(op->getOperand(0)), right = smallIntegers(op->getOperand(1));
  if (!left || !right || !isSmall(type))
    return std::nullopt;
  Integers values;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    std::optional<APSInt> value =
        apply((*left)[sourceOf(i, typeOf(op->getOperand(0)).getShape(), type.getShape())],
              (*right)[sourceOf(i, typeOf(op->getOperand(1)).getShape(), type.getShape())]);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return folded(type, values);
}

//===-- Moving elements -------------------------------------------------------------------------===//

std::optional<Folded> foldSlice(Operation *op) {
  std::optional<Integers> input = smallIntegers(op->getOperand(0));
  std::optional<SmallVector<int64_t>> starts = indices(op->getOperand(1)), ends = indices(op->getOperand(2)),
                                      strides = indices(op->getOperand(3));
  RankedTensorType from = typeOf(op->getOperand(0)), type = typeOf(op->getResult(0));
  // Shapes are vectors; nothing of higher rank is arithmetic on them.
  if (!input || !starts || !ends || !strides || from.getRank() != 1 || starts->size() != 1 ||
      ends->size() != 1 || strides->size() != 1 || strides->front() <= 0)
    return std::nullopt;
  int64_t dim = from.getDimSize(0);
  auto bound = [&](int64_t index) { return std::clamp<int64_t>(index < 0 ? index + dim : index, 0, dim); };
  Integers values;
  for (int64_t i = bound(starts->front()); i < bound(ends->front()); i += strides->front())
    values.push_back((*input)[i]);
  return folded(type, values);
}

std::optional<Folded> foldConcat(Operation *op) {
  RankedTensorType type = typeOf(op->getResult(0));
  if (op->getNumOperands() == 2)
    return Folded{op->getOperand(1), {}, {}, {}};
  if (!isSmall(type) || type.getRank() != 1)
    return std::nullopt;
  Integers values;
  for (Value operand : llvm::drop_begin(op->getOperands())) {
    std::optional<Integers> part = smallIntegers(operand);
    if (!part)
      return std::nullopt;
    values.append(part->begin(), part->end());
  }
  return folded(type, values);
}

std::optional<Folded> foldGetShape(Operation *op) {
  RankedTensorType input = typeOf(op->getOperand(0)), type = typeOf(op->getResult(0));
  if (!input || !input.hasStaticShape() || !isSmall(type) || !isInteger(type))
    return std::nullopt;
  unsigned width = type.getElementTypeBitWidth();
  Integers values;
  for (int64_t dim : input.getShape()) {
    if (!llvm::isUIntN(width, dim))
      return std::nullopt;
    values.emplace_back(APInt(width, dim), /*isUnsigned=*/true);
  }
  return folded(type, values);
}

std::optional<Folded> foldRange(Operation *op) {
  RankedTensorType type = typeOf(op->getResult(0));
  std::optional<Integers> start = smallIntegers(op->getOperand(0)), step = smallIntegers(op->getOperand(2));
  if (!start || !step || !isSmall(type) || !isInteger(type) || start->front().isUnsigned())
    return std::nullopt;
  Integers values; // as many as inference counted
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    values.push_back(values.empty() ? start->front() : values.back() + step->front());
  return folded(type, values);
}

// The same elements in the same order under another shape: a constant of any size, its bytes shared.
std::optional<Folded> foldReshape(Operation *op) {
  auto constant = op->getOperand(0).getDefiningOp<coreai::ConstantOp>();
  RankedTensorType type = typeOf(op->getResult(0));
  if (!constant || !type || !type.hasStaticShape())
    return std::nullopt;
  if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
    return Folded{{}, type, {}, dense.reshape(type)};
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue()))
    return Folded{{}, type, {}, DenseResourceElementsAttr::get(type, resource.getRawHandle())};
  return std::nullopt;
}

// Ops that give their first operand when its type, static, is also the result's.
bool isIdentity(Operation *op, StringRef name) {
  if (op->getNumOperands() == 0 || op->getResult(0).getType() != op->getOperand(0).getType())
    return false;
  RankedTensorType type = typeOf(op->getOperand(0));
  bool keepsOrder = llvm::StringSwitch<bool>(name)
                        .Cases("reshape", "broadcast_to", "slice", "expand_dims", "shrink_dims", true)
                        .Default(false);
  return keepsOrder && type && type.hasStaticShape();
}

} // namespace

std::optional<Folded> fold(Operation *op) {
  if (op->getNumResults() != 1 || !typeOf(op->getResult(0)))
    return std::nullopt;
  StringRef name = op->getName().stripDialect();
  if (isIdentity(op, name))
    return Folded{op->getOperand(0), {}, {}, {}};
  if (std::optional<Folded> splat = foldSplat(op))
    return splat;
  if (auto cast = dyn_cast<coreai::CastOp>(op))
    return foldCast(cast);
  if (Arithmetic apply = arithmetic(name); apply && op->getNumOperands() == 2)
    return foldArithmetic(op, apply);
  using Folder = std::optional<Folded> (*)(Operation *);
  Folder folder = llvm::StringSwitch<Folder>(name)
                      .Case("slice", foldSlice)
                      .Case("concat", foldConcat)
                      .Case("get_shape", foldGetShape)
                      .Case("range", foldRange)
                      .Cases("reshape", "expand_dims", "shrink_dims", foldReshape)
                      .Default(nullptr);
  return folder ? folder(op) : std::nullopt;
}

Value throughReshapes(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<coreai::ReshapeOp, coreai::ExpandDimsOp, coreai::ShrinkDimsOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

} // namespace sixrung::ir
