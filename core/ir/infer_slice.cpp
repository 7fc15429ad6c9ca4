// Taking tensors apart and joining them.
#include "core/ir/infer.hpp"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlir;

namespace sixrung::ir::rules {

// How many elements begin:end:step takes of `dim`; bounds count from the end when negative, and
// are clamped.
static int64_t sliceLength(int64_t dim, std::optional<int64_t> begin, std::optional<int64_t> end,
                           int64_t step) {
  if (dim == 0)
    return 0;
  if (!begin || !end)
    return kUnknown;
  if (dim != kUnknown) {
    auto clamp = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + dim : at, 0, dim); };
    int64_t length = clamp(*end) - clamp(*begin);
    return length > 0 ? (length - 1) / step + 1 : 0;
  }
  bool oneOrigin = (*begin < 0) == (*end < 0);
  return oneOrigin && *end <= *begin ? 0 : kUnknown;
}

// Operands 1 to 3 are begin, end and step.
static FailureOr<Dims> slicedShape(Inference &op) {
  llvm::ArrayRef<int64_t> shape = op.shape(0);
  std::optional<Integers> bounds[3];
  static constexpr const char *kRoles[] = {"start indices", "end indices", "strides"};
  for (unsigned i = 0; i < 3; ++i) {
    bounds[i] = op.integers(1 + i);
    if (bounds[i] && bounds[i]->size() != shape.size())
      return op.reject(llvm::Twine("has ") + llvm::Twine(bounds[i]->size()) + " " + kRoles[i] + " for rank " +
                       llvm::Twine(shape.size()));
  }
  Dims dims;
  for (size_t i = 0; i < shape.size(); ++i) {
    auto at = [&](unsigned which) { return bounds[which] ? (*bounds[which])[i] : std::nullopt; };
    std::optional<int64_t> step = at(2);
    if (step && *step <= 0) // the runtime misreads some bounds of negative ones
      return op.reject("the stride of dim " + llvm::Twine(i) + " is " + llvm::Twine(*step) +
                       "; it must be positive (use coreai.reverse to go backwards)");
    dims.push_back(step || shape[i] == 0 ? sliceLength(shape[i], at(0), at(1), step.value_or(1)) : kUnknown);
  }
  return dims;
}

LogicalResult slice(Inference &op) {
  FailureOr<Dims> dims = slicedShape(op);
  return failed(dims) ? failure() : op.yield(*dims, op.element(0));
}

LogicalResult sliceUpdate(Inference &op) {
  if (failed(op.wantSameElements(0, 4)))
    return failure();
  FailureOr<Dims> dims = slicedShape(op);
  if (failed(dims))
    return failure();
  if (failed(verifyCompatibleShape(*dims, op.shape(4))))
    return op.reject("the update has shape " + shapeText(op.shape(4)) + ", the slice " + shapeText(*dims));
  return op.yield(op.shape(0), op.element(0));
}

LogicalResult concat(Inference &op) {
  if (op.operandCount() < 2)
    return op.reject("needs a tensor to concatenate");
  int64_t rank = op.rank(1);
  std::optional<int64_t> axis = op.integer(0);
  if (axis) {
    FailureOr<int64_t> normal = op.axis(*axis, rank, "dimension");
    if (failed(normal))
      return failure();
    axis = *normal;
  }
  Dims dims(op.shape(1));
  if (!axis && op.operandCount() > 2)
    return op.reject("needs a constant dimension");
  for (unsigned i = 2; i < op.operandCount(); ++i) {
    if (failed(op.wantSameElements(1, i)) || failed(op.wantRank(i, rank, "operand " + std::to_string(i))))
      return failure();
    for (int64_t d = 0; d < rank; ++d) {
      int64_t more = op.shape(i)[d];
      int64_t &dim = dims[d];
      if (d == *axis)
        dim = dim == kUnknown || more == kUnknown ? kUnknown : saturated(Wide(dim) + more);
      else if (more != dim) // Core AI takes no known dim beside an unknown one either
        return op.reject("operand " + llvm::Twine(i) + " has shape " + shapeText(op.shape(i)) +
                         ", which differs from " + shapeText(op.shape(1)) + " beside dim " +
                         llvm::Twine(*axis) +
                         (dim == kUnknown || more == kUnknown ? "; coreai.cast makes them alike" : ""));
    }
  }
  return op.yield(dims, op.element(1));
}

static constexpr int64_t kMostSections = 65536; // each one a result of its own

// The sizes of the results along the axis. `count`: how many there are, when constants do not tell.
static FailureOr<Integers> sections(Inference &op, int64_t whole, std::optional<size_t> count) {
  std::optional<Integers> given = op.integers(1);
  if (op.rank(1) == 1) {
    if (!given && !count)
      return op.reject("needs its result types: how many there are is not known");
    return given ? *given : Integers(*count);
  }
  if (op.rank(1) > 1)
    return op.reject("takes a size, or a vector of sizes");
  // One size for all; the last one may be smaller.
  std::optional<int64_t> size = given ? given->front() : std::nullopt;
  if (size && *size <= 0)
    return op.reject("the split size must be at least 1, not " + llvm::Twine(*size));
  if (size && whole != kUnknown) {
    if (whole / *size > kMostSections)
      return op.reject("makes " + llvm::Twine(whole / *size) + " results, more than " +
                       llvm::Twine(kMostSections));
    Integers sizes;
    for (int64_t at = 0; at < whole; at += *size)
      sizes.push_back(std::min(*size, whole - at));
    return sizes;
  }
  if (!count)
    return op.reject("needs its result types: how many there are is not known");
  Integers sizes(*count, size);
  if (!sizes.empty())
    sizes.back() = std::nullopt;
  return sizes;
}

static LogicalResult splitInto(Inference &op, std::optional<size_t> count) {
  std::optional<int64_t> axis = op.integer(2);
  if (axis) {
    FailureOr<int64_t> normal = op.axis(*axis, op.rank(0), "dim");
    if (failed(normal))
      return failure();
    axis = *normal;
  }
  int64_t whole = axis ? op.shape(0)[*axis] : kUnknown;
  FailureOr<Integers> sizes = sections(op, whole, count);
  if (failed(sizes))
    return failure();
  int64_t sum = 0;
  for (const std::optional<int64_t> &size : *sizes)
    sum = size && sum != kUnknown ? saturated(Wide(sum) + *size) : kUnknown;
  if (whole != kUnknown && sum != kUnknown && sum != whole)
    return op.reject("the sections add up to " + llvm::Twine(sum) + ", dim " + llvm::Twine(*axis) + " has " +
                     llvm::Twine(whole));
  for (const std::optional<int64_t> &size : *sizes) {
    Dims dims(op.shape(0));
    if (axis)
      dims[*axis] = size.value_or(kUnknown);
    else
      dims.assign(dims.size(), kUnknown);
    if (failed(op.yield(dims, op.element(0))))
      return failure();
  }
  return success();
}

LogicalResult split(Inference &op) { return splitInto(op, std::nullopt); }

} // namespace sixrung::ir::rules

namespace sixrung::ir {

LogicalResult verifySplit(llvm::StringRef op, std::optional<Location> location, ValueRange operands,
                          TypeRange given) {
  llvm::SmallVector<Type> inferred;
  auto counted = [&](Inference &inference) { return rules::splitInto(inference, given.size()); };
  if (failed(infer(op, 3, location, operands, counted, inferred)))
    return failure();
  if (compatibleResults(inferred, given))
    return success();
  return emitOptionalError(location, "'", op, "' op inferred type(s) ", inferred,
                           " are incompatible with return type(s) of operation ", given);
}

} // namespace sixrung::ir
