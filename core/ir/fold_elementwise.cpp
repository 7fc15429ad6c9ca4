// Arithmetic, comparisons, logic and choices whose operands are constant, element by element.
#include "core/ir/fold.hpp"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace sixrung::ir {
namespace {

bool less(int64_t left, int64_t right, bool isUnsigned) {
  return isUnsigned ? static_cast<uint64_t>(left) < static_cast<uint64_t>(right) : left < right;
}

std::optional<int64_t> floorDivide(int64_t left, int64_t right, Type type) {
  if (right == 0)
    return std::nullopt; // ends the process at run time: left as it is, to be seen there
  if (!type.isSignedInteger())
    return static_cast<int64_t>(static_cast<uint64_t>(left) / static_cast<uint64_t>(right));
  if (right == -1) // of the smallest number it ends the process too
    return left == llvm::minIntN(type.getIntOrFloatBitWidth()) ? std::nullopt : std::optional(-left);
  return left / right - (left % right != 0 && (left < 0) != (right < 0) ? 1 : 0);
}

// One element of a result, from those of the operands, which have the type `type`; wraps as at run time.
using Binary = std::optional<int64_t> (*)(int64_t, int64_t, Type type);

Binary arithmeticOf(StringRef name) {
  using Bits = uint64_t;
  return llvm::StringSwitch<Binary>(name)
      .Case("add", [](int64_t l, int64_t r, Type) { return std::optional<int64_t>(Bits(l) + Bits(r)); })
      .Case("sub", [](int64_t l, int64_t r, Type) { return std::optional<int64_t>(Bits(l) - Bits(r)); })
      .Case("mul", [](int64_t l, int64_t r, Type) { return std::optional<int64_t>(Bits(l) * Bits(r)); })
      .Case("maximum", [](int64_t l, int64_t r,
                          Type t) { return std::optional(less(l, r, !t.isSignedInteger()) ? r : l); })
      .Case("minimum", [](int64_t l, int64_t r,
                          Type t) { return std::optional(less(l, r, !t.isSignedInteger()) ? l : r); })
      .Case("floor_divide", floorDivide)
      .Default(nullptr);
}

Binary logic(StringRef name) {
  return llvm::StringSwitch<Binary>(name)
      .Cases("bitwise_and", "and", [](int64_t l, int64_t r, Type) { return std::optional(l & r); })
      .Cases("bitwise_or", "or", [](int64_t l, int64_t r, Type) { return std::optional(l | r); })
      .Cases("bitwise_xor", "xor", [](int64_t l, int64_t r, Type) { return std::optional(l ^ r); })
      .Default(nullptr);
}

Binary comparison(StringRef name) {
  return llvm::StringSwitch<Binary>(name)
      .Case("equal", [](int64_t l, int64_t r, Type) { return std::optional<int64_t>(l == r); })
      .Case("not_equal", [](int64_t l, int64_t r, Type) { return std::optional<int64_t>(l != r); })
      .Case("greater", [](int64_t l, int64_t r,
                          Type t) { return std::optional<int64_t>(less(r, l, !t.isSignedInteger())); })
      .Default(nullptr);
}

Binary binary(StringRef name, Type element) {
  Binary apply = logic(name);
  if (!apply)
    apply = comparison(name);
  return apply || element.isSignlessInteger(1) ? apply : arithmeticOf(name);
}

int64_t at(const IntegerConstant &operand, int64_t linear, RankedTensorType result) {
  return operand.values[broadcastSource(linear, operand.shape(), result.getShape())];
}

std::optional<Folded> foldBinary(const GraphBuilder &builder, Operation *op, StringRef name) {
  RankedTensorType type = tensorType(op->getResult(0)), operandType = tensorType(op->getOperand(0));
  Binary apply = operandType ? binary(name, operandType.getElementType()) : nullptr;
  if (!apply || !holdsIntegers(type))
    return std::nullopt;
  std::optional<IntegerConstant> left = integerConstant(builder, op->getOperand(0)),
                                 right = integerConstant(builder, op->getOperand(1));
  if (!left || !right || left->type.getElementType() != right->type.getElementType())
    return std::nullopt;
  SmallVector<int64_t> values;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    std::optional<int64_t> value =
        apply(at(*left, i, type), at(*right, i, type), operandType.getElementType());
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return folded(type, values);
}

std::optional<Folded> foldNot(const GraphBuilder &builder, Operation *op) {
  std::optional<IntegerConstant> input = integerConstant(builder, op->getOperand(0));
  if (!input)
    return std::nullopt;
  for (int64_t &value : input->values)
    value = ~value; // cut to its width when written
  if (input->type.getElementType().isSignlessInteger(1))
    for (int64_t &value : input->values)
      value &= 1;
  return folded(tensorType(op->getResult(0)), input->values);
}

// A choice that is everywhere the same is no choice: also between values that are not constant.
std::optional<Folded> foldWhere(const GraphBuilder &builder, Operation *op) {
  RankedTensorType type = tensorType(op->getResult(0));
  std::optional<IntegerConstant> condition = integerConstant(builder, op->getOperand(0));
  if (!condition || !type.hasStaticShape() || condition->values.empty())
    return std::nullopt;
  if (llvm::all_equal(condition->values)) {
    Value chosen = op->getOperand(condition->values.front() ? 1 : 2);
    if (chosen.getType() == type)
      return Folded{chosen, {}, {}, {}};
  }
  std::optional<IntegerConstant> yes = integerConstant(builder, op->getOperand(1)),
                                 no = integerConstant(builder, op->getOperand(2));
  if (!yes || !no || !holdsIntegers(type))
    return std::nullopt;
  SmallVector<int64_t> values;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    values.push_back(at(at(*condition, i, type) ? *yes : *no, i, type));
  return folded(type, values);
}

} // namespace

std::optional<Folded> foldElementwise(const GraphBuilder &builder, Operation *op) {
  StringRef name = op->getName().stripDialect();
  name.consume_front("decomposable.broadcasting_");
  switch (op->getNumOperands()) {
  case 1:
    return name == "not" || name == "bitwise_not" ? foldNot(builder, op) : std::nullopt;
  case 2:
    return foldBinary(builder, op, name);
  case 3:
    return name == "where" ? foldWhere(builder, op) : std::nullopt;
  default:
    return std::nullopt;
  }
}

} // namespace sixrung::ir
