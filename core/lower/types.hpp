// Types at the boundary: sixrung_type, graph metadata and MLIR types into each other; the 64-bit rule.
#pragma once

#include "core/graph/program.hpp"
#include "core/ir/builder.hpp"
#include "sixrung/plugin.h"

#include <string>

namespace sixrung::lower {

// The dtype values of `dtype` have in this conversion: narrowed, or kept when `wide`. The dialect has no
// complex of f64, so complex128 is narrowed always.
graph::DType valueDtype(graph::DType dtype, bool wide);
// Whether a value of element type `actual` may stand for a result of PyTorch dtype `expected`.
bool dtypeFits(graph::DType expected, graph::DType actual);

mlir::Type toMlirType(mlir::MLIRContext *context, const sixrung_type &type);
// The dims are borrowed from the type, which lives as long as the context.
sixrung_type toAbiType(mlir::Type type);
// Throws Error(kUnsupported) when the dialect has no such element type.
mlir::RankedTensorType tensorType(mlir::MLIRContext *context, const graph::TensorMeta &meta,
                                  graph::DType dtype);
mlir::RankedTensorType tensorType(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> dims,
                                  graph::DType dtype);

llvm::SmallVector<int64_t> dimsOf(const graph::TensorMeta &meta); // SIXRUNG_DYNAMIC where symbolic
std::string printed(mlir::Type type);
// "int64[2, ?]" for messages.
std::string printed(graph::DType dtype, llvm::ArrayRef<int64_t> dims);

} // namespace sixrung::lower
