// Traits of ops that MLIR has no word for.
#pragma once

#include "mlir/IR/OpDefinition.h"

namespace sixrung::ir {

// Operands must be alike down to which dims are known, or Core AI does not take the op: where they
// are merely compatible, GraphBuilder casts them (infer_alike.cpp).
template <typename ConcreteType>
class AlikeOperands : public mlir::OpTrait::TraitBase<ConcreteType, AlikeOperands> {};

} // namespace sixrung::ir
