#include "core/lower/declared.hpp"

#include "core/graph/dtype.hpp"
#include "core/lower/boundary.hpp"

#include <bit>
#include <fmt/format.h>

namespace sixrung::lower {
namespace {

template <typename T, typename Make>
mlir::Attribute listed(mlir::Builder &builder, const sixrung_arg &value, const std::string &what, Make make) {
  const T *entries = reinterpret_cast<const T *>(static_cast<uintptr_t>(value.payload));
  if (value.count != 0 && !entries)
    throw failure(SIXRUNG_INVALID_ARGUMENT, what + " is a list and NULL");
  llvm::SmallVector<mlir::Attribute> attributes;
  for (uint32_t i = 0; i < value.count; ++i)
    attributes.push_back(make(entries[i]));
  return builder.getArrayAttr(attributes);
}

} // namespace

mlir::Attribute declaredAttribute(mlir::Builder &builder, const sixrung_arg &value, const std::string &what) {
  auto integer = [&](int64_t number) -> mlir::Attribute {
    return builder.getIntegerAttr(builder.getIntegerType(64, /*isSigned=*/true), number);
  };
  auto real = [&](double number) -> mlir::Attribute {
    return builder.getF32FloatAttr(static_cast<float>(number));
  };
  auto string = [&](sixrung_str text) -> mlir::Attribute {
    return builder.getStringAttr(fromStr(text, what.c_str()));
  };
  switch (value.tag) {
  case SIXRUNG_ARG_NONE:
    return {};
  case SIXRUNG_ARG_BOOL:
    return builder.getBoolAttr(value.payload != 0);
  case SIXRUNG_ARG_INT:
    return integer(static_cast<int64_t>(value.payload));
  case SIXRUNG_ARG_FLOAT:
    return real(std::bit_cast<double>(value.payload));
  case SIXRUNG_ARG_STRING:
    return string({reinterpret_cast<const char *>(static_cast<uintptr_t>(value.payload)), value.count});
  case SIXRUNG_ARG_DTYPE:
    if (value.payload == SIXRUNG_DTYPE_NONE || value.payload > SIXRUNG_F8E8M0FNU)
      throw failure(SIXRUNG_INVALID_ARGUMENT, what + " is no element type");
    return builder.getStringAttr(graph::dtypeName(static_cast<graph::DType>(value.payload)));
  case SIXRUNG_ARG_BOOL_LIST:
    return listed<uint8_t>(builder, value, what,
                           [&](uint8_t flag) -> mlir::Attribute { return builder.getBoolAttr(flag != 0); });
  case SIXRUNG_ARG_INT_LIST:
    return listed<int64_t>(builder, value, what, integer);
  case SIXRUNG_ARG_FLOAT_LIST:
    return listed<double>(builder, value, what, real);
  case SIXRUNG_ARG_STRING_LIST:
    return listed<sixrung_str>(builder, value, what, string);
  default:
    throw failure(SIXRUNG_INVALID_ARGUMENT,
                  fmt::format("{} has the tag {}, which makes no attribute of a composite", what, value.tag));
  }
}

} // namespace sixrung::lower
