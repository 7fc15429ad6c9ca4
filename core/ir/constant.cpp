// coreai.constant, and reading constants back.
#include "core/ir/builder.hpp"
#include "core/ir/dialect.hpp"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace sixrung::coreai {

LogicalResult ConstantOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, ValueRange,
                                           DictionaryAttr attributes, OpaqueProperties properties,
                                           RegionRange, SmallVectorImpl<Type> &types) {
  ElementsAttr value;
  if (properties)
    value = properties.as<Properties *>()->value;
  if (!value && attributes)
    value = attributes.getAs<ElementsAttr>("value");
  if (!value)
    return emitOptionalError(location, "a constant needs a value");
  types.push_back(value.getType());
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult ConstantOp::verify() {
  auto type = dyn_cast<RankedTensorType>(getValue().getType());
  if (!type || !type.hasStaticShape())
    return emitOpError() << "needs a ranked tensor of static shape, not " << getValue().getType();
  auto resource = dyn_cast<DenseResourceElementsAttr>(getValue());
  if (!resource)
    return success();
  // The runtime checks neither: a missing blob ends the process, a short one reads garbage.
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return emitOpError() << "names the resource '" << resource.getRawHandle().getKey()
                         << "', which has no bytes";
  std::optional<uint64_t> expected = ir::byteSize(type);
  if (!expected || blob->getData().size() != *expected)
    return emitOpError() << "takes " << expected.value_or(0) << " bytes as " << type
                         << ", but its resource has " << blob->getData().size();
  return success();
}

static constexpr int64_t kMaxConstant = 4096;

template <typename Integer> static void append(ArrayRef<char> bytes, llvm::SmallVectorImpl<int64_t> &out) {
  for (size_t i = 0; i + sizeof(Integer) <= bytes.size(); i += sizeof(Integer)) {
    Integer value;
    std::memcpy(&value, bytes.data() + i, sizeof value);
    out.push_back(static_cast<int64_t>(value));
  }
}

// A resource of whole-byte integers.
static std::optional<llvm::SmallVector<int64_t>> integersOf(DenseResourceElementsAttr resource,
                                                            Type element) {
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return std::nullopt;
  llvm::SmallVector<int64_t> result;
  bool isUnsigned = element.isUnsignedInteger() || element.isInteger(1);
  switch (element.isInteger(1) ? 8 : element.getIntOrFloatBitWidth()) {
  case 8:
    isUnsigned ? append<uint8_t>(blob->getData(), result) : append<int8_t>(blob->getData(), result);
    break;
  case 16:
    isUnsigned ? append<uint16_t>(blob->getData(), result) : append<int16_t>(blob->getData(), result);
    break;
  case 32:
    isUnsigned ? append<uint32_t>(blob->getData(), result) : append<int32_t>(blob->getData(), result);
    break;
  case 64:
    append<int64_t>(blob->getData(), result);
    break;
  default:
    return std::nullopt;
  }
  return result;
}

std::optional<llvm::SmallVector<int64_t>> constantIntegers(Value value) {
  auto constant = value ? value.getDefiningOp<ConstantOp>() : ConstantOp();
  if (!constant)
    return std::nullopt;
  auto type = dyn_cast<RankedTensorType>(constant.getType());
  if (!type || !type.hasStaticShape() || type.getNumElements() > kMaxConstant ||
      !isa<IntegerType>(type.getElementType()))
    return std::nullopt;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue()))
    return integersOf(resource, type.getElementType());
  auto dense = dyn_cast<DenseIntElementsAttr>(constant.getValue());
  if (!dense)
    return std::nullopt;
  bool isUnsigned = type.getElementType().isUnsignedInteger() || type.getElementType().isInteger(1);
  llvm::SmallVector<int64_t> result;
  result.reserve(type.getNumElements());
  for (const APInt &element : dense.getValues<APInt>())
    result.push_back(isUnsigned ? static_cast<int64_t>(element.getZExtValue()) : element.getSExtValue());
  return result;
}

std::optional<int64_t> constantInteger(Value value) {
  std::optional<llvm::SmallVector<int64_t>> all = constantIntegers(value);
  if (!all || all->size() != 1)
    return std::nullopt;
  return all->front();
}

} // namespace sixrung::coreai
