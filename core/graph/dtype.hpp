// Element types of PyTorch tensors, numbered as in sixrung/plugin.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sixrung::graph {

enum class DType : uint32_t {
  kNone = 0,
  kBool = 1,
  kSI8 = 2,
  kSI16 = 3,
  kSI32 = 4,
  kSI64 = 5,
  kUI8 = 6,
  kUI16 = 7,
  kUI32 = 8,
  kUI64 = 9,
  kF16 = 10,
  kBF16 = 11,
  kF32 = 12,
  kF64 = 13,
  kF8E5M2 = 14,
  kF8E4M3FN = 15,
  kComplex32 = 16,
  kComplex64 = 17,
  kComplex128 = 18,
  kSI2 = 19,
  kSI4 = 20,
  kUI1 = 21,
  kUI2 = 22,
  kUI3 = 23,
  kUI4 = 24,
  kUI6 = 25,
  kF4E2M1FN = 26,
  kF8E8M0FNU = 27,
};

// Bits of one element: 8 for bool (as PyTorch stores it), 1 for ui1, 0 for kNone.
unsigned bitWidth(DType dtype);
// "float32", "int64", "bool": PyTorch's word without "torch."; "none" for kNone.
std::string_view dtypeName(DType dtype);
// The inverse of dtypeName, also with the "torch." prefix.
std::optional<DType> dtypeFromName(std::string_view name);

inline bool isFloat(DType d) {
  return (d >= DType::kF16 && d <= DType::kF8E4M3FN) || d == DType::kF4E2M1FN || d == DType::kF8E8M0FNU;
}
inline bool isComplex(DType d) { return d >= DType::kComplex32 && d <= DType::kComplex128; }
inline bool isInteger(DType d) {
  return (d >= DType::kSI8 && d <= DType::kUI64) || (d >= DType::kSI2 && d <= DType::kUI6);
}

// The 64-bit rule: the type values of this dtype usually have (int64 -> si32,
// float64 -> f32, complex128 -> complex64; anything else itself).
DType narrowed(DType dtype);

} // namespace sixrung::graph
