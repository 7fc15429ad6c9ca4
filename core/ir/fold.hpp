// Whole numbers and truth values of constants, for folding.
#pragma once

#include "core/ir/builder_impl.hpp"

namespace sixrung::ir {

// What a fold may read and write: a causal mask of 256 positions, and the arithmetic that leads to it.
constexpr int64_t kMaxFoldedElements = 1 << 16;

// The elements of an integer or i1 tensor, row by row; those of ui64 hold its bits.
struct IntegerConstant {
  mlir::RankedTensorType type;
  llvm::SmallVector<int64_t, 8> values;

  llvm::ArrayRef<int64_t> shape() const { return type.getShape(); }
  bool isUnsigned() const { return !type.getElementType().isSignedInteger(); }
};

// Static, no sub-byte numbers, and small enough.
bool holdsIntegers(mlir::RankedTensorType type);
mlir::RankedTensorType tensorType(mlir::Value value);
std::optional<IntegerConstant> integerConstant(const GraphBuilder &builder, mlir::Value constant);
// `values` cut to the width of `type`; nullopt when there are not as many as it has elements.
std::optional<Folded> folded(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> values);
// `bits` as an element of `type` holds them: extended by its sign.
int64_t wrapped(uint64_t bits, mlir::Type type);

// Row-major positions: of element `linear` of `to` in a tensor of shape `from` that is broadcast to it.
int64_t broadcastSource(int64_t linear, llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

std::optional<Folded> foldCast(const GraphBuilder &builder, mlir::Operation *op);
// Arithmetic, comparisons, logic and choices, of constants.
std::optional<Folded> foldElementwise(const GraphBuilder &builder, mlir::Operation *op);
// Elements of constants picked, repeated and put beside one another, and sums along an axis.
std::optional<Folded> foldMovement(const GraphBuilder &builder, mlir::Operation *op);

} // namespace sixrung::ir
