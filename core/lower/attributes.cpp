#include "core/lower/attributes.hpp"

#include "core/lower/boundary.hpp"
#include "core/lower/types.hpp"

#include <fmt/format.h>
#include <limits>

namespace sixrung::lower {
namespace {

template <typename T> T fromBits(uint64_t payload) {
  T value;
  std::memcpy(&value, &payload, sizeof(value));
  return value;
}

template <typename T> llvm::ArrayRef<T> listOf(const sixrung_arg &value) {
  const T *entries = reinterpret_cast<const T *>(static_cast<uintptr_t>(value.payload));
  if (value.count != 0 && !entries)
    throw failure(SIXRUNG_INVALID_ARGUMENT, "a list attribute is NULL");
  return {entries, value.count};
}

mlir::Attribute integer(mlir::Builder &builder, int64_t value) {
  // The dialect's integer properties are 32 bits wide.
  bool fits = value >= std::numeric_limits<int32_t>::min() && value <= std::numeric_limits<int32_t>::max();
  return fits ? builder.getI32IntegerAttr(static_cast<int32_t>(value)) : builder.getI64IntegerAttr(value);
}

mlir::Attribute integers(mlir::Builder &builder, llvm::StringRef name, llvm::ArrayRef<int64_t> values) {
  // MLIR's own name for the sizes of operand groups, which are 32 bits wide.
  if (name != "operandSegmentSizes" && name != "resultSegmentSizes")
    return builder.getDenseI64ArrayAttr(values);
  llvm::SmallVector<int32_t> narrow(values.begin(), values.end());
  return builder.getDenseI32ArrayAttr(narrow);
}

mlir::Attribute strings(mlir::Builder &builder, llvm::ArrayRef<sixrung_str> values) {
  llvm::SmallVector<llvm::StringRef> texts;
  for (sixrung_str value : values)
    texts.push_back(fromStr(value, "a string of a list attribute"));
  return builder.getStrArrayAttr(texts);
}

} // namespace

std::optional<mlir::NamedAttribute> toAttribute(GraphLowering &lowering, const std::string &op,
                                                const sixrung_named_arg &given) {
  mlir::Builder builder(lowering.context());
  std::string name(fromStr(given.name, "an attribute's name"));
  if (name.empty())
    throw failure(SIXRUNG_INVALID_ARGUMENT, fmt::format("an attribute of {} has no name", op));
  mlir::Attribute attribute;
  switch (given.value.tag) {
  case SIXRUNG_ARG_NONE:
    return std::nullopt;
  case SIXRUNG_ARG_BOOL: // flags of the dialect are unit attributes: there or not
    if (given.value.payload == 0)
      return std::nullopt;
    attribute = builder.getUnitAttr();
    break;
  case SIXRUNG_ARG_INT:
    attribute = integer(builder, fromBits<int64_t>(given.value.payload));
    break;
  case SIXRUNG_ARG_FLOAT:
    attribute = builder.getF32FloatAttr(static_cast<float>(fromBits<double>(given.value.payload)));
    break;
  case SIXRUNG_ARG_STRING: {
    sixrung_str text{reinterpret_cast<const char *>(static_cast<uintptr_t>(given.value.payload)),
                     given.value.count};
    std::string_view word = fromStr(text, "a string attribute");
    try {
      attribute = lowering.builder().attributeFromText(op, name, word);
    } catch (const Error &error) {
      throw failure(SIXRUNG_INVALID_ARGUMENT,
                    fmt::format("attribute '{}' of {}: {}", name, op, error.what()));
    }
    break;
  }
  case SIXRUNG_ARG_DTYPE:
    if (given.value.payload == SIXRUNG_DTYPE_NONE || given.value.payload > SIXRUNG_F8E8M0FNU)
      throw failure(SIXRUNG_INVALID_ARGUMENT,
                    fmt::format("attribute '{}' of {} is no element type", name, op));
    attribute = mlir::TypeAttr::get(
        ir::elementType(lowering.context(), static_cast<graph::DType>(given.value.payload)));
    break;
  case SIXRUNG_ARG_INT_LIST:
    attribute = integers(builder, name, listOf<int64_t>(given.value));
    break;
  case SIXRUNG_ARG_FLOAT_LIST:
    attribute = builder.getF64ArrayAttr(listOf<double>(given.value));
    break;
  case SIXRUNG_ARG_STRING_LIST:
    attribute = strings(builder, listOf<sixrung_str>(given.value));
    break;
  default:
    throw failure(
        SIXRUNG_INVALID_ARGUMENT,
        fmt::format("attribute '{}' of {} has the tag {}, which makes no attribute; MLIR text after '#' "
                    "can say anything",
                    name, op, given.value.tag));
  }
  if (!attribute)
    throw failure(SIXRUNG_INVALID_ARGUMENT,
                  fmt::format("attribute '{}' of {} has no form in the dialect", name, op));
  return builder.getNamedAttr(name, attribute);
}

} // namespace sixrung::lower
