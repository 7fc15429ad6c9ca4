// Quantization and look-up tables.
#include "core/ir/infer.hpp"

using namespace mlir;

namespace sixrung::ir {

// The table is [groups of each index dim..., entries, vector]; vectors lie along the axis.
FailureOr<Dims> lookedUp(Inference &op, int64_t &vector) {
  int64_t rank = op.rank(0);
  if (failed(op.wantRank(1, rank + 2, "look-up table")))
    return failure();
  llvm::ArrayRef<int64_t> lut = op.shape(1);
  if (!op.type(0).hasStaticShape() || !op.type(1).hasStaticShape())
    return op.reject("takes tensors of known shape only");
  Dims dims(op.shape(0));
  for (int64_t i = 0; i < rank; ++i)
    if (lut[i] == 0 || dims[i] % lut[i] != 0)
      return op.reject("dim " + llvm::Twine(i) + " of size " + llvm::Twine(dims[i]) +
                       " does not divide into " + llvm::Twine(lut[i]) + " groups");
  auto index = dyn_cast<IntegerType>(op.element(0));
  if (!index || index.getWidth() > 8)
    return op.reject("the indices must be unsigned integers of at most 8 bits");
  int64_t entries = lut[rank], wanted = int64_t(1) << index.getWidth();
  if (entries != wanted)
    return op.reject("the table has " + llvm::Twine(entries) + " entries, indices of " +
                     llvm::Twine(index.getWidth()) + " bits need " + llvm::Twine(wanted));
  vector = lut[rank + 1];
  if (vector == 1)
    return dims;
  std::optional<int64_t> given = op.integer(2);
  if (!given)
    return op.reject("needs a constant axis for vectors");
  FailureOr<int64_t> axis = op.axis(*given, rank, "axis");
  if (failed(axis))
    return failure();
  if (__builtin_mul_overflow(dims[*axis], vector, &dims[*axis]))
    return op.reject("dim " + llvm::Twine(*axis) + " becomes too large");
  return dims;
}

namespace rules {

// Scale and offsets: one shape, scalar or one entry for each index of the axis.
static LogicalResult wantParameters(Inference &op) {
  for (unsigned i = 2; i <= 3; ++i)
    if (failed(op.sameShape(op.shape(1), op.shape(i))))
      return failure();
  if (op.rank(1) == 0)
    return success();
  if (failed(op.wantRank(1, 1, "scale")))
    return failure();
  std::optional<int64_t> given = op.integer(4);
  if (!given)
    return op.reject("needs a constant axis for parameters of each channel");
  FailureOr<int64_t> axis = op.axis(*given, op.rank(0), "axis");
  if (failed(axis))
    return failure();
  int64_t dim = op.shape(0)[*axis], count = op.shape(1)[0];
  if (dim != count && dim != kUnknown && count != kUnknown)
    return op.reject("has " + llvm::Twine(count) + " scales for dim " + llvm::Twine(*axis) + " of size " +
                     llvm::Twine(dim));
  return success();
}

LogicalResult quantize(Inference &op) {
  if (failed(op.wantSameElements(0, 3)) || failed(wantParameters(op)))
    return failure();
  return op.yield(op.shape(0), op.element(2));
}

LogicalResult dequantize(Inference &op) {
  if (failed(op.wantSameElements(0, 2)) || failed(wantParameters(op)))
    return failure();
  return op.yield(op.shape(0), op.element(3));
}

LogicalResult blockwiseShiftScale(Inference &op) {
  if (failed(op.wantSameElements(0, 2)))
    return failure();
  for (unsigned i = 2; i <= 3; ++i)
    if (failed(op.sameShape(op.shape(1), op.shape(i))))
      return failure();
  llvm::ArrayRef<int64_t> data = op.shape(0), scale = op.shape(1);
  if (failed(op.wantRank(1, data.size(), "scale")))
    return failure();
  for (size_t i = 0; i < data.size(); ++i)
    if (data[i] != kUnknown && scale[i] != kUnknown && (scale[i] == 0 || data[i] % scale[i] != 0))
      return op.reject("dim " + llvm::Twine(i) + " of size " + llvm::Twine(data[i]) +
                       " does not divide into " + llvm::Twine(scale[i]) + " blocks");
  return op.yield(data, op.element(3));
}

LogicalResult lutToDense(Inference &op) {
  int64_t vector;
  FailureOr<Dims> dims = lookedUp(op, vector);
  return failed(dims) ? failure() : op.yield(*dims, op.element(1));
}

// One scale for each index of the axis, from the [min, max] of what it maps to.
static FailureOr<int64_t> channels(Inference &op) {
  if (failed(op.wantRank(1, 1, "range")))
    return failure();
  if (int64_t size = op.shape(1)[0]; size != 2 && size != kUnknown)
    return op.reject("the range must be [min, max], not " + llvm::Twine(size) + " numbers");
  std::optional<int64_t> given = op.integer(2);
  if (!given)
    return kUnknown;
  FailureOr<int64_t> axis = op.axis(*given, op.rank(0), "axis");
  return failed(axis) ? FailureOr<int64_t>(failure()) : op.shape(0)[*axis];
}

LogicalResult symmetricStatistics(Inference &op) {
  FailureOr<int64_t> count = channels(op);
  return failed(count) ? failure() : op.yield(*count, op.element(0));
}

LogicalResult asymmetricStatistics(Inference &op) {
  FailureOr<int64_t> count = channels(op);
  return failure(failed(count) || failed(op.yield(*count, op.element(0))) ||
                 failed(op.yield(*count, op.element(1))));
}

} // namespace rules
} // namespace sixrung::ir
