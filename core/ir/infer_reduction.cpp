// Reductions, scans, sorts and searches.
#include "core/ir/infer.hpp"

using namespace mlir;

namespace sixrung::ir::rules {

// Reduced dims stay, as 1.
LogicalResult reduction(Inference &op) {
  Dims dims(op.shape(0));
  if (failed(op.wantRank(1, 1, "axes")))
    return failure();
  if (op.shape(1)[0] > op.rank(0)) // also where the axes are no constants
    return op.reject("has " + llvm::Twine(op.shape(1)[0]) + " axes for rank " + llvm::Twine(op.rank(0)));
  // The runtime then reduces every dim, yet sizes an unknown result as if it reduced none.
  if (op.shape(1)[0] == 0 && op.rank(0) != 0)
    return op.reject("needs its axes named: with none the runtime's result has a shape of its own");
  if (std::optional<Dims> given = op.constants(1)) {
    FailureOr<Dims> axes = op.axes(*given, op.rank(0), "axis");
    if (failed(axes))
      return failure();
    for (int64_t axis : *axes)
      dims[axis] = 1;
  } else {
    for (int64_t &dim : dims)
      dim = dim == 1 ? 1 : kUnknown;
  }
  return op.yield(dims, op.element(0));
}

// The runtime cannot do without a dim to work along.
static LogicalResult wantDims(Inference &op) {
  return op.rank(0) ? success() : op.reject("takes no tensor of rank 0");
}

static LogicalResult oneAxis(Inference &op, Type element) {
  Dims dims(op.shape(0));
  if (failed(wantDims(op)))
    return failure();
  if (std::optional<int64_t> given = op.integer(1)) {
    FailureOr<int64_t> axis = op.axis(*given, op.rank(0), "axis");
    if (failed(axis))
      return failure();
    dims[*axis] = 1;
  } else {
    for (int64_t &dim : dims)
      dim = dim == 1 ? 1 : kUnknown;
  }
  return op.yield(dims, element);
}
LogicalResult argmax(Inference &op) {
  return oneAxis(op, IntegerType::get(op.element(0).getContext(), 32, IntegerType::Unsigned));
}
LogicalResult reduceIndex(Inference &op) { return oneAxis(op, op.element(3)); }

static LogicalResult wholeShape(Inference &op, Type element) {
  if (failed(wantDims(op)))
    return failure();
  if (std::optional<int64_t> given = op.integer(1))
    if (failed(op.axis(*given, op.rank(0), "axis")))
      return failure();
  return op.yield(op.shape(0), element);
}
LogicalResult alongAxis(Inference &op) { return wholeShape(op, op.element(0)); }
LogicalResult argsort(Inference &op) {
  return wholeShape(op, IntegerType::get(op.element(0).getContext(), 32, IntegerType::Signed));
}

LogicalResult nonZero(Inference &op) {
  return op.yield({kUnknown, op.rank(0)},
                  IntegerType::get(op.element(0).getContext(), 32, IntegerType::Signed));
}

} // namespace sixrung::ir::rules
