// Explicit broadcasting and tiling.
#include "core/ir/infer.hpp"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace sixrung::ir::rules {

LogicalResult broadcastTo(Inference &op) {
  std::optional<Integers> shape = op.integers(1);
  if (!shape)
    return op.reject("needs a shape of known length");
  llvm::ArrayRef<int64_t> input = op.shape(0);
  if (shape->size() < input.size())
    return op.reject("cannot broadcast " + shapeText(input) + " to rank " + llvm::Twine(shape->size()));
  Dims dims;
  size_t lead = shape->size() - input.size();
  for (auto [i, wanted] : llvm::enumerate(*shape)) {
    int64_t dim = i < lead ? 1 : input[i - lead];
    if (!wanted) // at run time: whatever a dim of 1 takes, itself otherwise
      dims.push_back(dim == 1 ? kUnknown : dim);
    else if (dim == 1 || dim == kUnknown || dim == *wanted)
      dims.push_back(*wanted);
    else
      return op.reject("cannot broadcast " + shapeText(input) + ": dim " + llvm::Twine(i - lead) + " is " +
                       llvm::Twine(dim) + ", not 1 or " + llvm::Twine(*wanted));
  }
  return op.yield(dims, op.element(0));
}

LogicalResult broadcastInDims(Inference &op) {
  std::optional<Integers> sizes = op.integers(1);
  std::optional<Dims> given = op.constants(2);
  Dims dims(op.shape(0));
  if (!given) { // any dim of 1 may become anything
    for (int64_t &dim : dims)
      dim = dim == 1 ? kUnknown : dim;
    return op.yield(dims, op.element(0));
  }
  FailureOr<Dims> axes = op.axes(*given, op.rank(0), "axis");
  if (failed(axes))
    return failure();
  if (sizes && sizes->size() != axes->size())
    return op.reject("has " + llvm::Twine(axes->size()) + " axes but " + llvm::Twine(sizes->size()) +
                     " sizes");
  for (auto [i, axis] : llvm::enumerate(*axes)) {
    std::optional<int64_t> size = sizes ? (*sizes)[i] : std::nullopt;
    int64_t &dim = dims[axis];
    if (size && dim != 1 && dim != kUnknown && dim != *size)
      return op.reject("cannot broadcast dim " + llvm::Twine(axis) + " of size " + llvm::Twine(dim) + " to " +
                       llvm::Twine(*size));
    if (dim == 1 || dim == kUnknown)
      dim = size.value_or(kUnknown);
  }
  return op.yield(dims, op.element(0));
}

LogicalResult broadcastShapes(Inference &op) {
  if (failed(op.wantSameElements(0, 1)) || failed(op.wantRank(0, 1, "first shape")) ||
      failed(op.wantRank(1, 1, "second shape")))
    return failure();
  if (auto a = op.constants(0), b = op.constants(1); a && b)
    if (failed(op.broadcast(*a, *b)))
      return failure();
  int64_t a = op.shape(0)[0], b = op.shape(1)[0];
  return op.yield(a == kUnknown || b == kUnknown ? kUnknown : std::max(a, b), op.element(0));
}

// Repeats are aligned with the last dims.
LogicalResult tile(Inference &op) {
  std::optional<Integers> repeats = op.integers(1);
  Dims dims(op.shape(0));
  if (!repeats) {
    for (int64_t &dim : dims)
      dim = dim == 0 ? 0 : kUnknown;
    return op.yield(dims, op.element(0));
  }
  if (repeats->size() > dims.size())
    return op.reject("has " + llvm::Twine(repeats->size()) + " repeats for rank " + llvm::Twine(dims.size()));
  size_t lead = dims.size() - repeats->size();
  for (auto [i, repeat] : llvm::enumerate(*repeats)) {
    int64_t &dim = dims[lead + i];
    int64_t product;
    if (dim == 0 || repeat == 0)
      dim = 0;
    else if (dim == kUnknown || !repeat)
      dim = kUnknown;
    else if (__builtin_mul_overflow(dim, *repeat, &product))
      return op.reject("dim " + llvm::Twine(lead + i) + " becomes too large");
    else
      dim = product;
  }
  return op.yield(dims, op.element(0));
}

} // namespace sixrung::ir::rules
