// The classes generated from CoreAIOps.td and Param.td.
#pragma once

#include "core/ir/traits.hpp"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

#include "ParamDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "ParamTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ParamAttrs.h.inc"

#include "CoreAIDialect.h.inc"
#include "CoreAIEnums.h.inc"
#define GET_TYPEDEF_CLASSES
#include "CoreAITypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "CoreAIAttrs.h.inc"
#define GET_OP_CLASSES
#include "CoreAIOps.h.inc"

namespace sixrung::coreai {

// The integers (or booleans) of a constant operand, row-major, for inference: axes, shapes, bounds.
// nullopt when the value is no constant, or holds more than 4,096 elements.
std::optional<llvm::SmallVector<int64_t>> constantIntegers(mlir::Value value);
// The same of a constant of one element.
std::optional<int64_t> constantInteger(mlir::Value value);

// Whether `invoke` fits the graph it names; says why not.
mlir::LogicalResult verifyInvoke(InvokeOp invoke, GraphOp callee);

inline constexpr llvm::StringLiteral kNameAttribute = "coreai.name";

} // namespace sixrung::coreai
