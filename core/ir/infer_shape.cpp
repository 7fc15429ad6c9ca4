// Reshapes and permutations.
#include "core/ir/infer.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace sixrung::ir::rules {

// The product of the known dims; nullopt when it overflows. `whole` tells whether all are known.
static std::optional<int64_t> product(llvm::ArrayRef<int64_t> dims, bool &whole) {
  int64_t count = 1;
  whole = true;
  for (int64_t dim : dims)
    if (dim == kUnknown)
      whole = false;
    else if (__builtin_mul_overflow(count, dim, &count))
      return std::nullopt;
  return count;
}

LogicalResult reshape(Inference &op) {
  std::optional<Integers> shape = op.integers(1);
  if (!shape)
    return op.reject("needs a shape of known length");
  Dims dims;
  std::optional<size_t> inferred; // where the -1 stands
  for (auto [i, size] : llvm::enumerate(*shape)) {
    if (size == -1 && inferred)
      return op.reject("only one dim of the new shape may be -1");
    if (size == -1)
      inferred = i;
    else if (size && *size < 0)
      return op.reject("the new dim " + llvm::Twine(i) + " is " + llvm::Twine(*size));
    else if (size == 0) // what Core AI itself refuses
      return op.reject("the new dim " + llvm::Twine(i) + " must not be 0");
    dims.push_back(size && *size >= 0 ? *size : kUnknown);
  }
  bool wholeInput, wholeTarget;
  std::optional<int64_t> count = product(op.shape(0), wholeInput), target = product(dims, wholeTarget);
  if (!count || !target)
    return op.reject("has more elements than 64 bits count");
  std::string from = shapeText(op.shape(0)), to = shapeText(dims);
  // Each side's known part must divide the other side where that is known as a whole.
  if (wholeInput && wholeTarget && *count != *target)
    return op.reject("cannot reshape " + from + " to " + to + ": " + llvm::Twine(*count) + " elements, not " +
                     llvm::Twine(*target));
  if (wholeInput && *count % *target != 0)
    return op.reject("cannot reshape " + from + " to " + to + ": " + llvm::Twine(*count) +
                     " elements are no multiple of " + llvm::Twine(*target));
  if (wholeTarget && (*count == 0 ? *target != 0 : *target % *count != 0))
    return op.reject("cannot reshape " + from + " to " + to + ": " + llvm::Twine(*target) +
                     " elements are no multiple of " + llvm::Twine(*count));
  // One unknown dim is what remains, whoever left it unknown.
  if (wholeInput && llvm::count(dims, kUnknown) == 1)
    *llvm::find(dims, kUnknown) = *count / *target;
  return op.yield(dims, op.element(0));
}

LogicalResult transpose(Inference &op) {
  std::optional<Integers> permutation = op.integers(1);
  int64_t rank = op.rank(0);
  if (permutation && int64_t(permutation->size()) != rank)
    return op.reject("the permutation has " + llvm::Twine(permutation->size()) + " entries for rank " +
                     llvm::Twine(rank));
  Dims dims(rank, kUnknown);
  llvm::SmallBitVector seen(rank);
  for (int64_t i = 0; permutation && i < rank; ++i) {
    std::optional<int64_t> from = (*permutation)[i];
    if (!from)
      continue;
    if (*from < 0 || *from >= rank || seen.test(*from))
      return op.reject("entry " + llvm::Twine(i) + " of the permutation, " + llvm::Twine(*from) +
                       (*from >= 0 && *from < rank ? ", is given twice" : ", is out of range"));
    seen.set(*from);
    dims[i] = op.shape(0)[*from];
  }
  return op.yield(dims, op.element(0));
}

static constexpr int64_t kMostAxes = 64; // no tensor has as many dims

// Axes count in the result.
LogicalResult expandDims(Inference &op) {
  if (failed(op.wantRank(1, 1, "axes")))
    return failure();
  int64_t count = op.shape(1)[0];
  if (count == kUnknown)
    return op.reject("needs a known number of axes");
  if (count > kMostAxes)
    return op.reject("has " + llvm::Twine(count) + " axes, more than " + llvm::Twine(kMostAxes));
  int64_t rank = op.rank(0) + count;
  std::optional<Dims> given = op.constants(1);
  if (!given)
    return op.yield(Dims(rank, kUnknown), op.element(0));
  FailureOr<Dims> axes = op.axes(*given, rank, "axis");
  if (failed(axes))
    return failure();
  Dims dims;
  const int64_t *next = op.shape(0).begin();
  for (int64_t i = 0; i < rank; ++i)
    dims.push_back(llvm::is_contained(*axes, i) ? 1 : *next++);
  return op.yield(dims, op.element(0));
}

LogicalResult shrinkDims(Inference &op) {
  if (failed(op.wantRank(1, 1, "axes")))
    return failure();
  int64_t count = op.shape(1)[0], rank = op.rank(0);
  if (count == kUnknown)
    return op.reject("needs a known number of axes");
  std::optional<Dims> given = op.constants(1);
  if (!given && count > rank)
    return op.reject("has " + llvm::Twine(count) + " axes for rank " + llvm::Twine(rank));
  if (!given)
    return op.yield(Dims(rank - count, kUnknown), op.element(0));
  FailureOr<Dims> axes = op.axes(*given, rank, "axis");
  if (failed(axes))
    return failure();
  Dims dims;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t dim = op.shape(0)[i];
    if (!llvm::is_contained(*axes, i))
      dims.push_back(dim);
    else if (dim == kUnknown)
      return op.reject("dim " + llvm::Twine(i) +
                       " is not known to be 1, so it cannot be dropped; use coreai.reshape");
    else if (dim != 1)
      return op.reject("dim " + llvm::Twine(i) + " has size " + llvm::Twine(dim) +
                       ", so it cannot be dropped");
  }
  return op.yield(dims, op.element(0));
}

LogicalResult reverse(Inference &op) {
  if (std::optional<Dims> given = op.constants(1))
    if (failed(op.axes(*given, op.rank(0), "dim")))
      return failure();
  return op.yield(op.shape(0), op.element(0));
}

LogicalResult getShape(Inference &op) {
  return op.yield(op.rank(0), IntegerType::get(op.element(0).getContext(), 32, IntegerType::Unsigned));
}

// Padding is (before, after) of each dim in turn.
LogicalResult pad(Inference &op) {
  if (failed(op.wantSameElements(0, 2)))
    return failure();
  std::optional<Integers> padding = op.integers(1);
  int64_t rank = op.rank(0);
  if (padding && int64_t(padding->size()) != 2 * rank)
    return op.reject("the padding has " + llvm::Twine(padding->size()) + " entries, not two a dim for rank " +
                     llvm::Twine(rank));
  Dims dims(rank, kUnknown);
  for (int64_t i = 0; padding && i < rank; ++i) {
    std::optional<int64_t> before = (*padding)[2 * i], after = (*padding)[2 * i + 1];
    if ((before && *before < 0) || (after && *after < 0))
      return op.reject("the padding of dim " + llvm::Twine(i) + " is negative");
    if (int64_t dim = op.shape(0)[i]; dim != kUnknown && before && after)
      dims[i] = saturated(Wide(dim) + *before + *after);
  }
  return op.yield(dims, op.element(0));
}

} // namespace sixrung::ir::rules
