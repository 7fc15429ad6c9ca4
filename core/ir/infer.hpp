// Result types of the compute ops: one rule each, named after what it does, on shapes and constants.
// The ops' inferReturnTypes call infer() with their rule (ops/Inference.td).
#pragma once

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

#include <limits>
#include <optional>

namespace sixrung::ir {

using Dims = llvm::SmallVector<int64_t>; // ShapedType::kDynamic where unknown
inline constexpr int64_t kUnknown = mlir::ShapedType::kDynamic;
// Sizes are computed wide and then brought back, so that absurd ones cannot overflow.
using Wide = __int128;
inline int64_t saturated(Wide value) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  return value > kMost ? kMost : value < -kMost ? -kMost : int64_t(value);
}
// What is known of an integer vector: an element may be known where its neighbour is not.
using Integers = llvm::SmallVector<std::optional<int64_t>>;

// One op under inference: its operands, and where its results and its complaint go.
class Inference {
public:
  Inference(llvm::StringRef op, std::optional<mlir::Location> location, mlir::ValueRange operands,
            llvm::SmallVectorImpl<mlir::Type> &results)
      : op_(op), location_(location), operands_(operands), results_(results) {}

  size_t operandCount() const { return operands_.size(); }
  mlir::RankedTensorType type(unsigned operand) const {
    return llvm::cast<mlir::RankedTensorType>(operands_[operand].getType());
  }
  llvm::ArrayRef<int64_t> shape(unsigned operand) const { return type(operand).getShape(); }
  mlir::Type element(unsigned operand) const { return type(operand).getElementType(); }
  int64_t rank(unsigned operand) const { return type(operand).getRank(); }

  // A 0-D or 1-D integer operand, as far as constants and shape arithmetic tell. nullopt when not
  // even its length is known.
  std::optional<Integers> integers(unsigned operand) const;
  std::optional<int64_t> integer(unsigned operand) const; // of a 0-D operand
  // All of them or nothing.
  std::optional<Dims> constants(unsigned operand) const;
  mlir::Value operand(unsigned index) const { return operands_[index]; }

  mlir::LogicalResult reject(const llvm::Twine &reason) const;
  mlir::LogicalResult yield(llvm::ArrayRef<int64_t> dims, mlir::Type element, mlir::Attribute encoding = {});

  // Steps shared by rules; each rejects by itself.
  mlir::LogicalResult wantRank(unsigned operand, int64_t rank, llvm::StringRef role) const;
  mlir::LogicalResult wantSameElements(unsigned a, unsigned b) const;
  // `axis` of a tensor of this rank, made non-negative.
  mlir::FailureOr<int64_t> axis(int64_t axis, int64_t rank, llvm::StringRef role) const;
  mlir::FailureOr<Dims> axes(llvm::ArrayRef<int64_t> axes, int64_t rank, llvm::StringRef role) const;
  mlir::FailureOr<Dims> sameShape(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b) const;
  mlir::FailureOr<Dims> broadcast(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b) const;

private:
  llvm::StringRef op_;
  std::optional<mlir::Location> location_;
  mlir::ValueRange operands_;
  llvm::SmallVectorImpl<mlir::Type> &results_;
};

using Rule = llvm::function_ref<mlir::LogicalResult(Inference &)>;

// What is known of a vector of integers: constants, shapes, and the arithmetic that joins them.
std::optional<Integers> knownIntegers(mlir::Value value);

// Refuses operands that are too few or no ranked tensors (inference runs before verification), then
// applies `rule`.
mlir::LogicalResult infer(llvm::StringRef op, unsigned operandCount, std::optional<mlir::Location> location,
                          mlir::ValueRange operands, Rule rule, llvm::SmallVectorImpl<mlir::Type> &results);

// The same for ops that take sparse tensors; all others take dense ones.
mlir::LogicalResult inferSparse(llvm::StringRef op, unsigned operandCount,
                                std::optional<mlir::Location> location, mlir::ValueRange operands, Rule rule,
                                llvm::SmallVectorImpl<mlir::Type> &results);

// Whether `given` results contradict the inferred ones: same rank, element type and encoding, and
// no dim with two known sizes.
bool compatibleResults(mlir::TypeRange inferred, mlir::TypeRange given);
// The same for index results, whose width is the builder's choice.
bool compatibleIndexResults(mlir::TypeRange inferred, mlir::TypeRange given);
// The same, where all known dims must be known of the result as well: the rows of non_zero.
bool countedIndexResults(mlir::TypeRange inferred, mlir::TypeRange given);
// Core AI parses or saves the results of some ops only when they say what it infers, no more, no less.
bool exactResults(mlir::TypeRange inferred, mlir::TypeRange given);

// Types that the operands of some ops must be cast to first, because Core AI wants their shapes
// alike down to which dims are known. Empty when they are alike, or contradict each other.
llvm::SmallVector<mlir::Type> alikeOperands(mlir::OperationName op, mlir::ValueRange operands);
// Verifies the results of split: where constants do not tell how many there are, they are as given.
mlir::LogicalResult verifySplit(llvm::StringRef op, std::optional<mlir::Location> location,
                                mlir::ValueRange operands, mlir::TypeRange given);

// "2x?x3", as in a tensor type; "scalar" for rank 0.
std::string shapeText(llvm::ArrayRef<int64_t> dims);

// How many operands an op takes, at least.
template <typename Op> constexpr unsigned operandCountOf() {
  using namespace mlir::OpTrait;
  if constexpr (Op::template hasTrait<OneOperand>() || Op::template hasTrait<AtLeastNOperands<1>::Impl>())
    return 1;
  else if constexpr (Op::template hasTrait<NOperands<2>::Impl>())
    return 2;
  else if constexpr (Op::template hasTrait<NOperands<3>::Impl>())
    return 3;
  else if constexpr (Op::template hasTrait<NOperands<4>::Impl>())
    return 4;
  else if constexpr (Op::template hasTrait<NOperands<5>::Impl>())
    return 5;
  else {
    static_assert(Op::template hasTrait<NOperands<7>::Impl>(), "an operand count not seen before");
    return 7;
  }
}

// Looks a table up: the dims of the result, and how many elements an index stands for.
mlir::FailureOr<Dims> lookedUp(Inference &op, int64_t &vector);

namespace rules {
#define SIXRUNG_RULE(name) mlir::LogicalResult name(Inference &)
// infer_elementwise.cpp
SIXRUNG_RULE(sameAsFirst);
SIXRUNG_RULE(sameType);
SIXRUNG_RULE(compareSameShape);
SIXRUNG_RULE(whereSameShape);
SIXRUNG_RULE(broadcasting);
SIXRUNG_RULE(compareBroadcasting);
SIXRUNG_RULE(whereBroadcasting);
SIXRUNG_RULE(createComplex);
SIXRUNG_RULE(complexPart);
SIXRUNG_RULE(range);
// infer_broadcast.cpp
SIXRUNG_RULE(broadcastTo);
SIXRUNG_RULE(broadcastInDims);
SIXRUNG_RULE(broadcastShapes);
SIXRUNG_RULE(tile);
// infer_reduction.cpp
SIXRUNG_RULE(reduction);
SIXRUNG_RULE(reduceIndex);
SIXRUNG_RULE(alongAxis);
SIXRUNG_RULE(argmax);
SIXRUNG_RULE(argsort);
SIXRUNG_RULE(nonZero);
// infer_shape.cpp
SIXRUNG_RULE(reshape);
SIXRUNG_RULE(transpose);
SIXRUNG_RULE(expandDims);
SIXRUNG_RULE(shrinkDims);
SIXRUNG_RULE(reverse);
SIXRUNG_RULE(getShape);
SIXRUNG_RULE(pad);
// infer_slice.cpp
SIXRUNG_RULE(slice);
SIXRUNG_RULE(sliceUpdate);
SIXRUNG_RULE(concat);
SIXRUNG_RULE(split);
// infer_indexing.cpp
SIXRUNG_RULE(gatherNd);
SIXRUNG_RULE(gatherAlongAxis);
SIXRUNG_RULE(scatterAlongAxis);
SIXRUNG_RULE(scatterNd);
// infer_linear_algebra.cpp
SIXRUNG_RULE(batchMatmul);
SIXRUNG_RULE(broadcastingBatchMatmul);
// infer_window.cpp
SIXRUNG_RULE(conv2d);
SIXRUNG_RULE(conv3d);
SIXRUNG_RULE(convTranspose2d);
SIXRUNG_RULE(convTranspose3d);
SIXRUNG_RULE(maxPool2d);
SIXRUNG_RULE(maxPool3d);
SIXRUNG_RULE(sumPool2d);
SIXRUNG_RULE(sumPool3d);
SIXRUNG_RULE(interpolate);
SIXRUNG_RULE(interpolateCoordinates);
// infer_quantization.cpp
SIXRUNG_RULE(quantize);
SIXRUNG_RULE(dequantize);
SIXRUNG_RULE(blockwiseShiftScale);
SIXRUNG_RULE(lutToDense);
SIXRUNG_RULE(symmetricStatistics);
SIXRUNG_RULE(asymmetricStatistics);
// infer_sparse.cpp
SIXRUNG_RULE(buildSparse);
SIXRUNG_RULE(sparseToDense);
SIXRUNG_RULE(lutToSparse);
#undef SIXRUNG_RULE
} // namespace rules

} // namespace sixrung::ir
