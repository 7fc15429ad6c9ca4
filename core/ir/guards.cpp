// What coreai-core's own rewrite would take for something else, kept apart by an op that changes no value.
// The rewrite runs whenever a program is saved or run, and says nothing:
//   - a cast there and back, float -> int -> float or int -> float -> int, is dropped: `round` between them;
//   - (x * a) / b becomes x * (a / b), and the other way round, on integers too, where a / b is rounded
//     first: (x * 3) / 2 gives x, and (x / 65536) / 65536 divides by zero. `x | x` between them;
//   - the same on floats, and (x + a) - b, where the rounding of the first step is the point: it is what
//     log1p corrects by, and what rounds to f16's largest: the greater of x and x between them. And where a
//     and b, worked out of constants, have different shapes: merging them ends the process.
#include "core/ir/builder_impl.hpp"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace sixrung::ir {
namespace {

bool isThereAndBack(Value operand, Type result) {
  auto first = operand.getDefiningOp<coreai::CastOp>();
  if (!first)
    return false;
  Type source = getElementTypeOrSelf(first.getInput().getType());
  Type middle = getElementTypeOrSelf(operand.getType()), target = getElementTypeOrSelf(result);
  auto whole = [](Type type) { return type.isInteger() && type.getIntOrFloatBitWidth() >= 16; };
  return (isa<FloatType>(source) && whole(middle) && isa<FloatType>(target)) ||
         (whole(source) && isa<FloatType>(middle) && whole(target));
}

// "mul" of both coreai.mul and coreai.decomposable.broadcasting_mul; empty for what is no arithmetic.
StringRef arithmetic(StringRef op) {
  if (!op.consume_front("coreai.decomposable.broadcasting_") && !op.consume_front("coreai."))
    return {};
  return llvm::is_contained({"add", "sub", "mul", "divide"}, op) ? op : StringRef();
}

// A constant whose elements are all one number.
bool isNumber(Value value) {
  auto constant = value.getDefiningOp<coreai::ConstantOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
  return dense && dense.isSplat();
}

bool isFactor(StringRef kind) { return kind == "mul" || kind == "divide"; }

// Whether the rewrite would merge the op that gives `operand` into `op`, to another result.
bool isMerged(StringRef op, Value operand, ArrayRef<Value> operands,
              llvm::function_ref<bool(Value)> isKnown) {
  Operation *producer = operand.getDefiningOp();
  StringRef first = producer ? arithmetic(producer->getName().getStringRef()) : StringRef();
  if (first.empty())
    return false;
  Type element = getElementTypeOrSelf(operand.getType());
  if (element.isInteger())
    return (first == "divide" && (op == "divide" || op == "mul")) || (first == "mul" && op == "divide");
  if (!isa<FloatType>(element) || isFactor(first) != isFactor(op))
    return false;
  auto merge = [&](Value one, Value two) {
    return (isNumber(one) && isNumber(two)) ||
           (one.getType() != two.getType() && isKnown(one) && isKnown(two));
  };
  return llvm::any_of(operands, [&](Value other) {
    return other != operand &&
           llvm::any_of(producer->getOperands(), [&](Value inner) { return merge(inner, other); });
  });
}

} // namespace

std::optional<std::vector<Value>> keptApart(GraphBuilder &builder, StringRef op, ArrayRef<Value> operands,
                                            ArrayRef<Type> results, llvm::function_ref<bool(Value)> isKnown) {
  if (op == coreai::CastOp::getOperationName()) {
    if (operands.size() != 1 || results.size() != 1 || !isThereAndBack(operands[0], results[0]))
      return std::nullopt;
    return builder.build(coreai::RoundOp::getOperationName(), operands);
  }
  StringRef kind = arithmetic(op);
  if (kind.empty() || operands.size() != 2)
    return std::nullopt;
  std::vector<Value> apart(operands.begin(), operands.end());
  for (Value &operand : apart)
    if (isMerged(kind, operand, operands, isKnown)) {
      bool integer = getElementTypeOrSelf(operand.getType()).isInteger();
      operand = builder.build(integer ? "coreai.bitwise_or" : "coreai.maximum", {operand, operand}).front();
    }
  if (ArrayRef<Value>(apart) == operands)
    return std::nullopt;
  return apart;
}

} // namespace sixrung::ir
