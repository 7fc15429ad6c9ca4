// Ops whose operands must be alike down to which dims are known.
#include "core/ir/dialect.hpp"
#include "core/ir/infer.hpp"
#include "core/ir/traits.hpp"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace sixrung::ir {

llvm::SmallVector<Type> alikeOperands(OperationName op, ValueRange operands) {
  if (!op.hasTrait<AlikeOperands>())
    return {};
  bool concat = op.getStringRef() == coreai::ConcatOp::getOperationName();
  // Not among the alike: the dimension of concat, the condition of where.
  size_t first = concat || op.getStringRef() == coreai::WhereOp::getOperationName() ? 1 : 0;
  if (operands.size() < first + 2 ||
      !llvm::all_of(operands, [](Value operand) { return isa<RankedTensorType>(operand.getType()); }))
    return {};
  auto shape = [&](size_t i) { return cast<RankedTensorType>(operands[i].getType()).getShape(); };
  int64_t rank = shape(first).size(), axis = -1; // the one dim that may differ
  if (concat) {
    std::optional<int64_t> given = coreai::constantInteger(operands[0]);
    if (!given || *given < -rank || *given >= rank)
      return {};
    axis = *given < 0 ? *given + rank : *given;
  }
  Dims merged(shape(first));
  bool alike = true;
  for (size_t i = first + 1; i < operands.size(); ++i) {
    if (int64_t(shape(i).size()) != rank)
      return {};
    for (int64_t d = 0; d < rank; ++d) {
      if (d == axis || merged[d] == shape(i)[d])
        continue;
      alike = false;
      if (merged[d] != kUnknown && shape(i)[d] != kUnknown)
        return {};
      if (merged[d] == kUnknown)
        merged[d] = shape(i)[d];
    }
  }
  if (alike)
    return {};
  llvm::SmallVector<Type> types(operands.getTypes());
  for (size_t i = first; i < operands.size(); ++i) {
    Dims dims(merged);
    if (axis >= 0)
      dims[axis] = shape(i)[axis];
    types[i] = RankedTensorType::get(dims, cast<RankedTensorType>(types[i]).getElementType());
  }
  return types;
}

} // namespace sixrung::ir
