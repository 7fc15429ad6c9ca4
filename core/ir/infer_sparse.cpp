// Sparse tensors.
#include "core/ir/dialect.hpp"
#include "core/ir/infer.hpp"

using namespace mlir;

namespace sixrung::ir::rules {

static Attribute bitmask(Inference &op, int64_t values) {
  return coreai::SparseTensorEncodingAttr::get(op.element(0).getContext(), coreai::SparseScheme::Bitmask,
                                               values, 1, 1);
}

// The encoding of operand 0, which must be one of a bitmask.
static FailureOr<int64_t> valuesOf(Inference &op) {
  auto encoding = dyn_cast_or_null<coreai::SparseTensorEncodingAttr>(op.type(0).getEncoding());
  if (!encoding || encoding.getScheme() != coreai::SparseScheme::Bitmask)
    return op.reject("takes a tensor that is sparse by a bitmask");
  return encoding.getNumNonZero();
}

LogicalResult buildSparse(Inference &op) {
  if (failed(op.wantRank(0, 1, "values")))
    return failure();
  int64_t values = op.shape(0)[0];
  if (values == kUnknown)
    return op.reject("needs a known number of values");
  if (op.type(1).hasStaticShape() && values > op.type(1).getNumElements())
    return op.reject("has " + llvm::Twine(values) + " values for " +
                     llvm::Twine(op.type(1).getNumElements()) + " elements");
  return op.yield(op.shape(1), op.element(0), bitmask(op, values));
}

LogicalResult sparseToDense(Inference &op) {
  return failure(failed(valuesOf(op)) || failed(op.yield(op.shape(0), op.element(0))));
}

LogicalResult lutToSparse(Inference &op) {
  FailureOr<int64_t> values = valuesOf(op);
  if (failed(values))
    return failure();
  int64_t vector;
  FailureOr<Dims> dims = lookedUp(op, vector);
  return failed(dims) ? failure() : op.yield(*dims, op.element(1), bitmask(op, *values * vector));
}

} // namespace sixrung::ir::rules
