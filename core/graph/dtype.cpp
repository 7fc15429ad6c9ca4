#include "core/graph/dtype.hpp"

#include <array>

namespace sixrung::graph {
namespace {

struct Row {
  DType dtype;
  std::string_view name;
  unsigned bits;
};

// In the order of the enumeration, so that a dtype is its own index.
constexpr std::array<Row, 28> kRows{{
    {DType::kNone, "none", 0},
    {DType::kBool, "bool", 8},
    {DType::kSI8, "int8", 8},
    {DType::kSI16, "int16", 16},
    {DType::kSI32, "int32", 32},
    {DType::kSI64, "int64", 64},
    {DType::kUI8, "uint8", 8},
    {DType::kUI16, "uint16", 16},
    {DType::kUI32, "uint32", 32},
    {DType::kUI64, "uint64", 64},
    {DType::kF16, "float16", 16},
    {DType::kBF16, "bfloat16", 16},
    {DType::kF32, "float32", 32},
    {DType::kF64, "float64", 64},
    {DType::kF8E5M2, "float8_e5m2", 8},
    {DType::kF8E4M3FN, "float8_e4m3fn", 8},
    {DType::kComplex32, "complex32", 32},
    {DType::kComplex64, "complex64", 64},
    {DType::kComplex128, "complex128", 128},
    {DType::kSI2, "int2", 2},
    {DType::kSI4, "int4", 4},
    {DType::kUI1, "uint1", 1},
    {DType::kUI2, "uint2", 2},
    {DType::kUI3, "uint3", 3},
    {DType::kUI4, "uint4", 4},
    {DType::kUI6, "uint6", 6},
    {DType::kF4E2M1FN, "float4_e2m1fn", 4},
    {DType::kF8E8M0FNU, "float8_e8m0fnu", 8},
}};

constexpr bool indexedByDType() {
  for (size_t i = 0; i < kRows.size(); ++i)
    if (static_cast<size_t>(kRows[i].dtype) != i)
      return false;
  return true;
}
static_assert(indexedByDType());

const Row &row(DType dtype) {
  auto index = static_cast<size_t>(dtype);
  return kRows[index < kRows.size() ? index : 0];
}

} // namespace

unsigned bitWidth(DType dtype) { return row(dtype).bits; }

std::string_view dtypeName(DType dtype) { return row(dtype).name; }

std::optional<DType> dtypeFromName(std::string_view name) {
  constexpr std::string_view prefix = "torch.";
  if (name.substr(0, prefix.size()) == prefix)
    name.remove_prefix(prefix.size());
  for (const Row &r : kRows)
    if (r.name == name && r.dtype != DType::kNone)
      return r.dtype;
  return std::nullopt;
}

DType narrowed(DType dtype) {
  switch (dtype) {
  case DType::kSI64:
    return DType::kSI32;
  case DType::kF64:
    return DType::kF32;
  case DType::kComplex128:
    return DType::kComplex64;
  default:
    return dtype;
  }
}

} // namespace sixrung::graph
