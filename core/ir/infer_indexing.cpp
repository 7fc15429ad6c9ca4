// Gathers and scatters.
#include "core/ir/infer.hpp"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace sixrung::ir::rules {

// The shape that indices [..., depth] pick out of the input: [...] and what of it they leave whole.
static FailureOr<Dims> picked(Inference &op) {
  llvm::ArrayRef<int64_t> input = op.shape(0), indices = op.shape(1);
  if (indices.empty() || indices.back() == kUnknown)
    return op.reject("the indices need a last dim of known size");
  int64_t depth = indices.back();
  if (depth > int64_t(input.size()))
    return op.reject("the indices name " + llvm::Twine(depth) + " dims of rank " + llvm::Twine(input.size()));
  Dims dims(indices.drop_back());
  dims.append(input.begin() + depth, input.end());
  return dims;
}

LogicalResult gatherNd(Inference &op) {
  FailureOr<Dims> dims = picked(op);
  return failed(dims) ? failure() : op.yield(*dims, op.element(0));
}

LogicalResult scatterNd(Inference &op) {
  FailureOr<Dims> dims = picked(op);
  if (failed(dims) || failed(op.wantSameElements(0, 2)))
    return failure();
  if (failed(verifyCompatibleShape(*dims, op.shape(2))))
    return op.reject("the updates must have shape " + shapeText(*dims) + ", not " + shapeText(op.shape(2)));
  // Core AI knows no more of the updates than of what they replace.
  size_t whole = dims->size() - (op.rank(1) - 1);
  for (size_t i = dims->size() - whole; i < dims->size(); ++i)
    if ((*dims)[i] == kUnknown && op.shape(2)[i] != kUnknown)
      return op.reject("dim " + llvm::Twine(i) +
                       " of the updates must be unknown as in the input; coreai.cast makes it so");
  return op.yield(op.shape(0), op.element(0));
}

// Beside the axis, indices and input have one shape.
static FailureOr<Dims> alongIndices(Inference &op, unsigned axisOperand) {
  llvm::ArrayRef<int64_t> input = op.shape(0), indices = op.shape(1);
  if (input.size() != indices.size())
    return op.reject("the indices have rank " + llvm::Twine(indices.size()) + ", the input " +
                     llvm::Twine(input.size()));
  std::optional<int64_t> given = op.integer(axisOperand);
  Dims dims(indices);
  if (!given)
    return dims;
  FailureOr<int64_t> axis = op.axis(*given, input.size(), "axis");
  if (failed(axis))
    return failure();
  for (int64_t i = 0; i < int64_t(dims.size()); ++i) {
    if (i == *axis)
      continue;
    if (dims[i] == kUnknown)
      dims[i] = input[i];
    else if (input[i] != kUnknown && input[i] != dims[i])
      return op.reject("dim " + llvm::Twine(i) + " of the indices is " + llvm::Twine(dims[i]) +
                       ", of the input " + llvm::Twine(input[i]) + "; they must agree beside the axis");
  }
  return dims;
}

LogicalResult gatherAlongAxis(Inference &op) {
  FailureOr<Dims> dims = alongIndices(op, 2);
  return failed(dims) ? failure() : op.yield(*dims, op.element(0));
}

LogicalResult scatterAlongAxis(Inference &op) {
  FailureOr<Dims> dims = alongIndices(op, 3);
  if (failed(dims) || failed(op.wantSameElements(0, 2)))
    return failure();
  if (failed(op.sameShape(*dims, op.shape(2))))
    return failure();
  return op.yield(op.shape(0), op.element(0));
}

} // namespace sixrung::ir::rules
