// Matrix products.
#include "core/ir/infer.hpp"

using namespace mlir;

namespace sixrung::ir::rules {

static LogicalResult matmul(Inference &op, bool broadcasts) {
  llvm::ArrayRef<int64_t> x = op.shape(0), y = op.shape(1);
  if (failed(op.wantSameElements(0, 1)))
    return failure();
  if (x.size() < 2 || y.size() < 2)
    return op.reject("takes matrices; the shapes are " + shapeText(x) + " and " + shapeText(y));
  int64_t inner = x.back(), other = y[y.size() - 2];
  if (inner != other && inner != kUnknown && other != kUnknown)
    return op.reject("cannot multiply " + shapeText(x) + " and " + shapeText(y) + ": the inner dims are " +
                     llvm::Twine(inner) + " and " + llvm::Twine(other));
  FailureOr<Dims> dims = broadcasts ? op.broadcast(x.drop_back(2), y.drop_back(2))
                                    : op.sameShape(x.drop_back(2), y.drop_back(2));
  if (failed(dims))
    return failure();
  dims->push_back(x[x.size() - 2]);
  dims->push_back(y.back());
  return op.yield(*dims, op.element(0));
}
LogicalResult batchMatmul(Inference &op) { return matmul(op, false); }
LogicalResult broadcastingBatchMatmul(Inference &op) { return matmul(op, true); }

} // namespace sixrung::ir::rules
