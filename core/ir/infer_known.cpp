// What is known of an integer operand before the program runs: shapes, permutations, axes, bounds.
#include "core/ir/dialect.hpp"
#include "core/ir/infer.hpp"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

using namespace mlir;

namespace sixrung::ir {
namespace {

constexpr unsigned kDepth = 16;      // of shape arithmetic followed
constexpr int64_t kLongest = 4096;   // elements of a vector looked at
constexpr int64_t kSafe = 1LL << 15; // what every index type can hold, so that a cast keeps it

std::optional<Integers> known(Value value, unsigned depth);

// Elements of a scalar or vector of integers; nullopt for anything else.
std::optional<int64_t> lengthOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getRank() > 1 || !tensor.hasStaticShape() ||
      !isa<IntegerType>(tensor.getElementType()))
    return std::nullopt;
  int64_t length = tensor.getNumElements();
  return length <= kLongest ? std::optional(length) : std::nullopt;
}

std::optional<Integers> joined(OperandRange inputs, unsigned depth) {
  Integers all;
  for (Value input : inputs) {
    std::optional<Integers> part = known(input, depth);
    if (!part)
      return std::nullopt;
    all.append(*part);
  }
  return all;
}

std::optional<Integers> sliced(coreai::SliceOp slice, unsigned depth) {
  std::optional<Integers> source = known(slice.getInput(), depth);
  std::optional<int64_t> begin = coreai::constantInteger(slice.getStartIndices()),
                         end = coreai::constantInteger(slice.getEndIndices()),
                         step = coreai::constantInteger(slice.getStrides());
  if (!source || !begin || !end || step != 1)
    return std::nullopt;
  int64_t length = source->size();
  auto clamp = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + length : at, 0, length); };
  int64_t first = clamp(*begin), last = std::max(clamp(*end), first);
  return Integers(source->begin() + first, source->begin() + last);
}

std::optional<Integers> shapeOf(coreai::GetShapeOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!type)
    return std::nullopt;
  Integers dims;
  for (int64_t dim : type.getShape())
    dims.push_back(dim == kUnknown ? std::nullopt : std::optional(dim));
  return dims;
}

// The runtime saturates where the constant folder wraps; a value both keep is known.
std::optional<Integers> converted(Value input, unsigned depth) {
  std::optional<Integers> values = known(input, depth);
  if (!values)
    return std::nullopt;
  for (std::optional<int64_t> &value : *values)
    if (value && (*value < 0 || *value >= kSafe))
      value = std::nullopt;
  return values;
}

std::optional<Integers> computed(Operation *op, unsigned depth) {
  return llvm::TypeSwitch<Operation *, std::optional<Integers>>(op)
      .Case<coreai::GetShapeOp>(shapeOf)
      .Case<coreai::ConcatOp>([&](auto concat) { return joined(concat.getInputs(), depth); })
      .Case<coreai::SliceOp>([&](auto slice) { return sliced(slice, depth); })
      .Case<coreai::CastOp>([&](auto cast) { return converted(cast.getInput(), depth); })
      .Case<coreai::ReshapeOp, coreai::ExpandDimsOp, coreai::ShrinkDimsOp>(
          [&](auto same) { return known(same.getInput(), depth); })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<Integers> known(Value value, unsigned depth) {
  if (!value)
    return std::nullopt;
  std::optional<int64_t> length = lengthOf(value.getType());
  if (!length)
    return std::nullopt;
  if (std::optional<llvm::SmallVector<int64_t>> constant = coreai::constantIntegers(value))
    return Integers(constant->begin(), constant->end());
  if (Operation *op = value.getDefiningOp(); op && depth < kDepth)
    if (std::optional<Integers> values = computed(op, depth + 1);
        values && int64_t(values->size()) == *length)
      return values;
  return Integers(*length);
}

} // namespace

std::optional<Integers> knownIntegers(Value value) { return known(value, 0); }

} // namespace sixrung::ir
