// Elements of constants picked, repeated and put beside one another, and sums along an axis.
#include "core/ir/fold.hpp"

#include "llvm/ADT/StringSwitch.h"

#include <utility>

using namespace mlir;

namespace sixrung::ir {
namespace {

SmallVector<int64_t> stridesOf(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

// Every position of `shape`, row by row.
template <typename Visit> void forEachPosition(ArrayRef<int64_t> shape, Visit visit) {
  int64_t count = 1;
  for (int64_t dim : shape)
    count *= dim;
  SmallVector<int64_t> position(shape.size(), 0);
  for (int64_t i = 0; i < count; ++i) {
    visit(ArrayRef<int64_t>(position));
    for (size_t axis = shape.size(); axis-- > 0;) {
      if (++position[axis] < shape[axis])
        break;
      position[axis] = 0;
    }
  }
}

std::optional<int64_t> axisOf(const GraphBuilder &builder, Value operand, int64_t rank) {
  std::optional<IntegerConstant> axis = integerConstant(builder, operand);
  if (!axis || axis->values.size() != 1)
    return std::nullopt;
  int64_t value = axis->values.front() < 0 ? axis->values.front() + rank : axis->values.front();
  return value >= 0 && value < rank ? std::optional(value) : std::nullopt;
}

int64_t offsetAt(ArrayRef<int64_t> position, ArrayRef<int64_t> strides) {
  int64_t offset = 0;
  for (auto [index, stride] : llvm::zip_equal(position, strides))
    offset += index * stride;
  return offset;
}

// The elements of `input` at `offset` and, for every axis of `type`, so many elements on.
std::optional<Folded> strided(const IntegerConstant &input, RankedTensorType type, ArrayRef<int64_t> strides,
                              int64_t offset = 0) {
  SmallVector<int64_t> values;
  forEachPosition(type.getShape(), [&](ArrayRef<int64_t> position) {
    values.push_back(input.values[offset + offsetAt(position, strides)]);
  });
  return folded(type, values);
}

std::optional<Folded> foldSlice(const GraphBuilder &builder, Operation *op) {
  std::optional<IntegerConstant> input = integerConstant(builder, op->getOperand(0)),
                                 starts = integerConstant(builder, op->getOperand(1)),
                                 ends = integerConstant(builder, op->getOperand(2)),
                                 steps = integerConstant(builder, op->getOperand(3));
  RankedTensorType type = tensorType(op->getResult(0));
  if (!input || !starts || !ends || !steps || !holdsIntegers(type))
    return std::nullopt;
  SmallVector<int64_t> strides = stridesOf(input->shape());
  int64_t offset = 0;
  for (size_t axis = 0; axis < strides.size(); ++axis) {
    int64_t dim = input->shape()[axis], step = steps->values[axis];
    auto bound = [&](int64_t index) { return std::clamp<int64_t>(index < 0 ? index + dim : index, 0, dim); };
    int64_t first = bound(starts->values[axis]), last = bound(ends->values[axis]);
    if (step <= 0 || type.getDimSize(axis) != std::max<int64_t>(0, (last - first + step - 1) / step))
      return std::nullopt;
    offset += first * strides[axis];
    strides[axis] *= step;
  }
  return strided(*input, type, strides, offset);
}

std::optional<Folded> foldConcat(const GraphBuilder &builder, Operation *op) {
  if (op->getNumOperands() == 2)
    return Folded{op->getOperand(1), {}, {}, {}};
  RankedTensorType type = tensorType(op->getResult(0));
  std::optional<int64_t> axis = axisOf(builder, op->getOperand(0), type.getRank());
  if (!axis || !holdsIntegers(type))
    return std::nullopt;
  SmallVector<int64_t> strides = stridesOf(type.getShape());
  SmallVector<int64_t> values(type.getNumElements(), 0);
  int64_t offset = 0, filled = 0;
  for (Value operand : llvm::drop_begin(op->getOperands())) {
    std::optional<IntegerConstant> part = integerConstant(builder, operand);
    if (!part || part->type.getRank() != type.getRank())
      return std::nullopt;
    const int64_t *next = part->values.begin();
    forEachPosition(part->shape(), [&](ArrayRef<int64_t> position) {
      values[offset + offsetAt(position, strides)] = *next++;
    });
    offset += part->shape()[*axis] * strides[*axis];
    filled += part->values.size();
  }
  return filled == type.getNumElements() ? folded(type, values) : std::nullopt;
}

std::optional<Folded> foldTranspose(const GraphBuilder &builder, Operation *op) {
  std::optional<IntegerConstant> input = integerConstant(builder, op->getOperand(0)),
                                 order = integerConstant(builder, op->getOperand(1));
  RankedTensorType type = tensorType(op->getResult(0));
  if (!input || !order || !holdsIntegers(type))
    return std::nullopt;
  SmallVector<int64_t> strides = stridesOf(input->shape()), turned;
  for (int64_t axis : order->values)
    turned.push_back(strides[axis]);
  return strided(*input, type, turned);
}

std::optional<Folded> foldBroadcast(const GraphBuilder &builder, Operation *op) {
  std::optional<IntegerConstant> input = integerConstant(builder, op->getOperand(0));
  RankedTensorType type = tensorType(op->getResult(0));
  if (!input || !holdsIntegers(type) || input->values.empty())
    return std::nullopt;
  SmallVector<int64_t> values;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    values.push_back(input->values[broadcastSource(i, input->shape(), type.getShape())]);
  return folded(type, values);
}

// The last axis of the indices counts along the first axes of the input.
std::optional<Folded> foldGather(const GraphBuilder &builder, Operation *op) {
  std::optional<IntegerConstant> input = integerConstant(builder, op->getOperand(0)),
                                 indices = integerConstant(builder, op->getOperand(1));
  RankedTensorType type = tensorType(op->getResult(0));
  if (!input || !indices || indices->shape().empty() || !holdsIntegers(type))
    return std::nullopt;
  int64_t depth = indices->shape().back();
  if (depth <= 0 || depth > input->type.getRank())
    return std::nullopt;
  SmallVector<int64_t> strides = stridesOf(input->shape()), values;
  int64_t length = strides[depth - 1];
  for (size_t at = 0; at < indices->values.size(); at += depth) {
    int64_t source = 0;
    for (int64_t axis = 0; axis < depth; ++axis) {
      int64_t index = indices->values[at + axis], dim = input->shape()[axis];
      index = index < 0 ? index + dim : index;
      if (index < 0 || index >= dim)
        return std::nullopt; // an error of the runtime's
      source += index * strides[axis];
    }
    values.append(input->values.begin() + source, input->values.begin() + source + length);
  }
  return folded(type, values);
}

// An index for every element of the result, along one axis; beside it both have the same shape.
std::optional<Folded> foldGatherAlongAxis(const GraphBuilder &builder, Operation *op) {
  std::optional<IntegerConstant> input = integerConstant(builder, op->getOperand(0)),
                                 indices = integerConstant(builder, op->getOperand(1));
  RankedTensorType type = tensorType(op->getResult(0));
  if (!input || !indices || indices->type.getShape() != type.getShape())
    return std::nullopt;
  std::optional<int64_t> axis = axisOf(builder, op->getOperand(2), type.getRank());
  if (!axis)
    return std::nullopt;
  SmallVector<int64_t> beside = stridesOf(input->shape()), values;
  int64_t dim = input->shape()[*axis], stride = std::exchange(beside[*axis], 0);
  bool inside = true;
  const int64_t *next = indices->values.begin();
  forEachPosition(type.getShape(), [&](ArrayRef<int64_t> position) {
    int64_t index = *next < 0 ? *next + dim : *next;
    ++next;
    inside = inside && index >= 0 && index < dim;
    values.push_back(inside ? input->values[index * stride + offsetAt(position, beside)] : 0);
  });
  return inside ? folded(type, values) : std::nullopt;
}

// Inclusive, from the first to the last.
std::optional<Folded> foldSum(const GraphBuilder &builder, Operation *op) {
  auto scan = cast<coreai::ScanOp>(op);
  std::optional<IntegerConstant> input = integerConstant(builder, op->getOperand(0)),
                                 reverse = integerConstant(builder, op->getOperand(2));
  if (!input || !reverse || reverse->values.size() != 1 || reverse->values.front() ||
      scan.getScanOp() != coreai::ScanKind::Sum)
    return std::nullopt;
  std::optional<int64_t> axis = axisOf(builder, op->getOperand(1), input->type.getRank());
  if (!axis)
    return std::nullopt;
  int64_t stride = stridesOf(input->shape())[*axis], dim = input->shape()[*axis];
  for (size_t i = 0; i < input->values.size(); ++i)
    if (static_cast<int64_t>(i) / stride % dim != 0)
      input->values[i] = wrapped(static_cast<uint64_t>(input->values[i]) + input->values[i - stride],
                                 input->type.getElementType());
  return folded(tensorType(op->getResult(0)), input->values);
}

std::optional<Folded> foldTruth(const GraphBuilder &builder, Operation *op, bool all) {
  std::optional<IntegerConstant> input = integerConstant(builder, op->getOperand(0));
  RankedTensorType type = tensorType(op->getResult(0));
  if (!input || !holdsIntegers(type) || type.getRank() != input->type.getRank())
    return std::nullopt;
  SmallVector<int64_t> values(type.getNumElements(), all);
  for (auto [i, truth] : llvm::enumerate(input->values)) {
    int64_t &value = values[broadcastSource(i, type.getShape(), input->shape())]; // reduced axes are 1
    value = all ? value & truth : value | truth;
  }
  return folded(type, values);
}

} // namespace

std::optional<Folded> foldMovement(const GraphBuilder &builder, Operation *op) {
  StringRef name = op->getName().stripDialect();
  if (name == "any" || name == "all")
    return foldTruth(builder, op, name == "all");
  using Folder = std::optional<Folded> (*)(const GraphBuilder &, Operation *);
  Folder folder = llvm::StringSwitch<Folder>(name)
                      .Case("slice", foldSlice)
                      .Case("concat", foldConcat)
                      .Case("transpose", foldTranspose)
                      .Case("broadcast_to", foldBroadcast)
                      .Case("gather_nd", foldGather)
                      .Case("gather_along_axis", foldGatherAlongAxis)
                      .Case("scan", foldSum)
                      .Default(nullptr);
  return folder ? folder(builder, op) : std::nullopt;
}

} // namespace sixrung::ir
