// Element types, sizes and the context.
#include "core/graph/error.hpp"
#include "core/ir/builder.hpp"
#include "core/ir/dialect.hpp"

#include "fmt/format.h"

using namespace mlir;

namespace sixrung::ir {

using graph::DType;

std::unique_ptr<MLIRContext> makeContext() {
  auto context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
  context->loadDialect<coreai::CoreAIDialect, param::ParamDialect>();
  context->printOpOnDiagnostic(false);
  return context;
}

Type elementType(MLIRContext *context, DType dtype) {
  auto integer = [&](unsigned width, IntegerType::SignednessSemantics sign) -> Type {
    return IntegerType::get(context, width, sign);
  };
  constexpr auto kSigned = IntegerType::Signed, kUnsigned = IntegerType::Unsigned;
  Builder builder(context);
  switch (dtype) {
  case DType::kBool:
    return integer(1, IntegerType::Signless);
  case DType::kSI2:
    return integer(2, kSigned);
  case DType::kSI4:
    return integer(4, kSigned);
  case DType::kSI8:
    return integer(8, kSigned);
  case DType::kSI16:
    return integer(16, kSigned);
  case DType::kSI32:
    return integer(32, kSigned);
  case DType::kSI64:
    return integer(64, kSigned);
  case DType::kUI1:
    return integer(1, kUnsigned);
  case DType::kUI2:
    return integer(2, kUnsigned);
  case DType::kUI3:
    return integer(3, kUnsigned);
  case DType::kUI4:
    return integer(4, kUnsigned);
  case DType::kUI6:
    return integer(6, kUnsigned);
  case DType::kUI8:
    return integer(8, kUnsigned);
  case DType::kUI16:
    return integer(16, kUnsigned);
  case DType::kUI32:
    return integer(32, kUnsigned);
  case DType::kUI64:
    return integer(64, kUnsigned);
  case DType::kF16:
    return builder.getF16Type();
  case DType::kBF16:
    return builder.getBF16Type();
  case DType::kF32:
    return builder.getF32Type();
  case DType::kF64:
    return builder.getF64Type();
  case DType::kF8E5M2:
    return builder.getFloat8E5M2Type();
  case DType::kF8E4M3FN:
    return builder.getFloat8E4M3FNType();
  case DType::kComplex64:
    return ComplexType::get(builder.getF32Type());
  default:
    break;
  }
  throw Error(ErrorKind::kUnsupported,
              fmt::format("tensors of {} cannot be expressed; cast them to another type first",
                          graph::dtypeName(dtype)));
}

static std::optional<DType> integerDType(IntegerType type) {
  if (type.isSignless())
    return type.getWidth() == 1 ? std::optional(DType::kBool) : std::nullopt;
  switch (type.getWidth()) {
  case 1:
    return type.isUnsigned() ? std::optional(DType::kUI1) : std::nullopt;
  case 2:
    return type.isSigned() ? DType::kSI2 : DType::kUI2;
  case 3:
    return type.isUnsigned() ? std::optional(DType::kUI3) : std::nullopt;
  case 4:
    return type.isSigned() ? DType::kSI4 : DType::kUI4;
  case 6:
    return type.isUnsigned() ? std::optional(DType::kUI6) : std::nullopt;
  case 8:
    return type.isSigned() ? DType::kSI8 : DType::kUI8;
  case 16:
    return type.isSigned() ? DType::kSI16 : DType::kUI16;
  case 32:
    return type.isSigned() ? DType::kSI32 : DType::kUI32;
  case 64:
    return type.isSigned() ? DType::kSI64 : DType::kUI64;
  default:
    return std::nullopt;
  }
}

std::optional<DType> dtypeOf(Type type) {
  if (!type)
    return std::nullopt;
  if (auto integer = dyn_cast<IntegerType>(type))
    return integerDType(integer);
  if (type.isF16())
    return DType::kF16;
  if (type.isBF16())
    return DType::kBF16;
  if (type.isF32())
    return DType::kF32;
  if (type.isF64())
    return DType::kF64;
  if (isa<Float8E5M2Type>(type))
    return DType::kF8E5M2;
  if (isa<Float8E4M3FNType>(type))
    return DType::kF8E4M3FN;
  if (auto complex = dyn_cast<ComplexType>(type); complex && complex.getElementType().isF32())
    return DType::kComplex64;
  return std::nullopt;
}

std::optional<uint64_t> byteSize(RankedTensorType type) {
  std::optional<DType> dtype = type ? dtypeOf(type.getElementType()) : std::nullopt;
  if (!dtype || !type.hasStaticShape())
    return std::nullopt;
  uint64_t bits = graph::bitWidth(*dtype);
  for (int64_t dim : type.getShape())
    if (__builtin_mul_overflow(bits, static_cast<uint64_t>(dim), &bits))
      return std::nullopt;
  return bits / 8 + (bits % 8 != 0);
}

Type handleType(RankedTensorType tensor) { return coreai::HandleType::get(tensor); }

} // namespace sixrung::ir
