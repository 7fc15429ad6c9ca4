// What needs no op: arithmetic on shapes, positions and masks that are constant, and ops that change nothing.
#include "core/ir/fold.hpp"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringSwitch.h"

#include <cstring>

using namespace mlir;

namespace sixrung::ir {
namespace {

bool isInteger(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  return integer && (integer.isSignlessInteger(1) ||
                     (!integer.isSignless() && integer.getWidth() % 8 == 0 && integer.getWidth() <= 64));
}

unsigned bytesOf(Type element) { return std::max(1u, element.getIntOrFloatBitWidth() / 8); }

std::optional<Folded> foldGetShape(Operation *op) {
  RankedTensorType input = tensorType(op->getOperand(0)), type = tensorType(op->getResult(0));
  if (!input || !input.hasStaticShape() || !holdsIntegers(type))
    return std::nullopt;
  for (int64_t dim : input.getShape())
    if (!llvm::isUIntN(type.getElementTypeBitWidth(), dim))
      return std::nullopt;
  return folded(type, input.getShape());
}

std::optional<Folded> foldRange(const GraphBuilder &builder, Operation *op) {
  RankedTensorType type = tensorType(op->getResult(0));
  std::optional<IntegerConstant> start = integerConstant(builder, op->getOperand(0)),
                                 step = integerConstant(builder, op->getOperand(2));
  if (!start || !step || !holdsIntegers(type) || start->isUnsigned())
    return std::nullopt;
  SmallVector<int64_t> values; // as many as inference counted
  uint64_t next = start->values.front();
  for (int64_t i = 0; i < type.getNumElements(); ++i, next += step->values.front())
    values.push_back(next);
  return folded(type, values);
}

// The same elements in the same order under another shape: a constant of any size, its bytes shared.
std::optional<Folded> foldReshape(Operation *op) {
  auto constant = op->getOperand(0).getDefiningOp<coreai::ConstantOp>();
  RankedTensorType type = tensorType(op->getResult(0));
  if (!constant || !type || !type.hasStaticShape())
    return std::nullopt;
  if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
    return Folded{{}, type, {}, dense.reshape(type)};
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue()))
    return Folded{{}, type, {}, DenseResourceElementsAttr::get(type, resource.getRawHandle())};
  return std::nullopt;
}

// Ops that give their first operand when its type, static, is also the result's.
bool isIdentity(Operation *op, StringRef name) {
  if (op->getNumOperands() == 0 || op->getResult(0).getType() != op->getOperand(0).getType())
    return false;
  RankedTensorType type = tensorType(op->getOperand(0));
  bool keepsOrder = llvm::StringSwitch<bool>(name)
                        .Cases("reshape", "broadcast_to", "slice", "expand_dims", "shrink_dims", true)
                        .Default(false);
  return keepsOrder && type && type.hasStaticShape();
}

// There is nothing to work out, and some kernels of the runtime read what is not there.
bool isEmpty(RankedTensorType type) {
  return type.hasStaticShape() && byteSize(type) && type.getNumElements() == 0;
}

} // namespace

RankedTensorType tensorType(Value value) { return dyn_cast<RankedTensorType>(value.getType()); }

bool holdsIntegers(RankedTensorType type) {
  // byteSize first: the number of elements of an absurd shape overflows.
  return type && isInteger(type.getElementType()) && byteSize(type) &&
         type.getNumElements() <= kMaxFoldedElements;
}

int64_t wrapped(uint64_t bits, Type type) {
  unsigned width = type.getIntOrFloatBitWidth();
  if (width == 64)
    return static_cast<int64_t>(bits);
  return type.isSignedInteger() ? llvm::SignExtend64(bits, width)
                                : static_cast<int64_t>(bits & llvm::maskTrailingOnes<uint64_t>(width));
}

std::optional<IntegerConstant> integerConstant(const GraphBuilder &builder, Value constant) {
  if (!holdsIntegers(tensorType(constant)))
    return std::nullopt;
  std::optional<GraphBuilder::ConstantBytes> bytes = builder.constantBytes(constant);
  if (!bytes)
    return std::nullopt;
  IntegerConstant result{bytes->type, {}};
  Type element = bytes->type.getElementType();
  unsigned size = bytesOf(element);
  size_t count = bytes->splat ? 1 : bytes->type.getNumElements();
  if (bytes->bytes.size() != count * size)
    return std::nullopt;
  result.values.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes->bytes.data() + i * size, size); // little-endian, as the file is
    result.values.push_back(wrapped(bits, element));
  }
  if (bytes->splat)
    result.values.assign(bytes->type.getNumElements(), result.values.front());
  return result;
}

std::optional<Folded> folded(RankedTensorType type, ArrayRef<int64_t> values) {
  if (!holdsIntegers(type) || static_cast<int64_t>(values.size()) != type.getNumElements())
    return std::nullopt;
  unsigned size = bytesOf(type.getElementType());
  Folded result{{}, type, std::vector<char>(values.size() * size), {}};
  for (size_t i = 0; i < values.size(); ++i)
    std::memcpy(result.bytes.data() + i * size, &values[i], size);
  return result;
}

int64_t broadcastSource(int64_t linear, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  int64_t position = 0, stride = 1;
  for (int64_t i = 0; i < static_cast<int64_t>(std::min(from.size(), to.size())); ++i) {
    int64_t dim = to[to.size() - 1 - i], own = from[from.size() - 1 - i];
    position += (own == 1 ? 0 : linear % dim) * stride;
    stride *= own;
    linear /= dim;
  }
  return position;
}

std::optional<Folded> fold(const GraphBuilder &builder, Operation *op) {
  if (op->getNumResults() != 1 || !tensorType(op->getResult(0)))
    return std::nullopt;
  StringRef name = op->getName().stripDialect();
  if (isIdentity(op, name))
    return Folded{op->getOperand(0), {}, {}, {}};
  if (isEmpty(tensorType(op->getResult(0))))
    return Folded{{}, tensorType(op->getResult(0)), {}, {}};
  if (std::optional<Folded> splat = foldSplat(op))
    return splat;
  if (name == "cast")
    return foldCast(builder, op);
  if (name == "get_shape")
    return foldGetShape(op);
  if (name == "range")
    return foldRange(builder, op);
  if (llvm::is_contained({"reshape", "expand_dims", "shrink_dims"}, name))
    return foldReshape(op);
  std::optional<Folded> result = foldElementwise(builder, op);
  return result ? result : foldMovement(builder, op);
}

Value throughReshapes(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<coreai::ReshapeOp, coreai::ExpandDimsOp, coreai::ShrinkDimsOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

} // namespace sixrung::ir
