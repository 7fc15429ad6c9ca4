// Element types, their categories, and PyTorch's promotion between them.
#pragma once

#include "sixrung/plugin.h"

#include <bit>
#include <cstdint>
#include <string_view>

namespace sixrung {

// Numbered as in plugin.h. PyTorch's int64 is SI64, float64 is F64; values usually hold the narrowed
// forms SI32 and F32 (see `narrowed`).
enum class DType : uint32_t {
  None = SIXRUNG_DTYPE_NONE,
  Bool = SIXRUNG_BOOL,
  SI8 = SIXRUNG_SI8,
  SI16 = SIXRUNG_SI16,
  SI32 = SIXRUNG_SI32,
  SI64 = SIXRUNG_SI64,
  UI8 = SIXRUNG_UI8,
  UI16 = SIXRUNG_UI16,
  UI32 = SIXRUNG_UI32,
  UI64 = SIXRUNG_UI64,
  F16 = SIXRUNG_F16,
  BF16 = SIXRUNG_BF16,
  F32 = SIXRUNG_F32,
  F64 = SIXRUNG_F64,
  F8E5M2 = SIXRUNG_F8E5M2,
  F8E4M3FN = SIXRUNG_F8E4M3FN,
  Complex32 = SIXRUNG_COMPLEX32,
  Complex64 = SIXRUNG_COMPLEX64,
  Complex128 = SIXRUNG_COMPLEX128,
  SI2 = SIXRUNG_SI2,
  SI4 = SIXRUNG_SI4,
  UI1 = SIXRUNG_UI1,
  UI2 = SIXRUNG_UI2,
  UI3 = SIXRUNG_UI3,
  UI4 = SIXRUNG_UI4,
  UI6 = SIXRUNG_UI6,
  F4E2M1FN = SIXRUNG_F4E2M1FN,
  F8E8M0FNU = SIXRUNG_F8E8M0FNU,
};

constexpr bool isFloat(DType d) {
  return (d >= DType::F16 && d <= DType::F8E4M3FN) || d == DType::F4E2M1FN || d == DType::F8E8M0FNU;
}
constexpr bool isComplex(DType d) { return d >= DType::Complex32 && d <= DType::Complex128; }
constexpr bool isInteger(DType d) {
  return (d >= DType::SI8 && d <= DType::UI64) || (d >= DType::SI2 && d <= DType::UI6);
}
constexpr bool isUnsigned(DType d) {
  return (d >= DType::UI8 && d <= DType::UI64) || (d >= DType::UI1 && d <= DType::UI6);
}
constexpr bool isSigned(DType d) { return isInteger(d) && !isUnsigned(d); }
// f16 and bf16: what eager PyTorch computes in f32 inside (its "opmath" type).
constexpr bool isHalf(DType d) { return d == DType::F16 || d == DType::BF16; }

constexpr unsigned bitWidth(DType d) {
  switch (d) {
  case DType::None:
    return 0;
  case DType::Bool:
  case DType::SI8:
  case DType::UI8:
  case DType::F8E5M2:
  case DType::F8E4M3FN:
  case DType::F8E8M0FNU:
    return 8;
  case DType::SI16:
  case DType::UI16:
  case DType::F16:
  case DType::BF16:
    return 16;
  case DType::SI32:
  case DType::UI32:
  case DType::F32:
  case DType::Complex32:
    return 32;
  case DType::SI64:
  case DType::UI64:
  case DType::F64:
  case DType::Complex64:
    return 64;
  case DType::Complex128:
    return 128;
  case DType::UI1:
    return 1;
  case DType::SI2:
  case DType::UI2:
    return 2;
  case DType::UI3:
    return 3;
  case DType::SI4:
  case DType::UI4:
  case DType::F4E2M1FN:
    return 4;
  case DType::UI6:
    return 6;
  }
  return 0;
}

constexpr std::string_view dtypeName(DType d) {
  constexpr std::string_view names[] = {
      "none",       "bool",    "int8",          "int16",         "int32",     "int64",
      "uint8",      "uint16",  "uint32",        "uint64",        "float16",   "bfloat16",
      "float32",    "float64", "float8_e5m2",   "float8_e4m3fn", "complex32", "complex64",
      "complex128", "int2",    "int4",          "uint1",         "uint2",     "uint3",
      "uint4",      "uint6",   "float4_e2m1fn", "float8_e8m0fnu"};
  return static_cast<uint32_t>(d) < sizeof names / sizeof *names ? names[static_cast<uint32_t>(d)]
                                                                 : "unknown";
}

// The 64-bit rule: the type values of a PyTorch dtype usually have.
constexpr DType narrowed(DType d) {
  switch (d) {
  case DType::SI64:
    return DType::SI32;
  case DType::F64:
    return DType::F32;
  case DType::Complex128:
    return DType::Complex64;
  default:
    return d;
  }
}

// True when a value of type `value` may stand for a result PyTorch calls `torch`.
constexpr bool represents(DType value, DType torch) { return value == torch || value == narrowed(torch); }

// The type a sum of products is held in: f32 for f16 and bf16, else the type itself.
constexpr DType opmath(DType d) { return isHalf(d) ? DType::F32 : d; }
// The part of a complex type.
constexpr DType realType(DType d) {
  switch (d) {
  case DType::Complex32:
    return DType::F16;
  case DType::Complex64:
    return DType::F32;
  case DType::Complex128:
    return DType::F64;
  default:
    return d;
  }
}

// torch.promote_types over value types. Narrowed forms promote as what they stand for, so that
// si32 (an int64, perhaps) with si64 is si64 and f16 with f32 is f32.
constexpr DType promoteTypes(DType a, DType b) {
  if (a == b || b == DType::None)
    return a;
  if (a == DType::None)
    return b;
  if (isComplex(a) || isComplex(b)) {
    if (isComplex(a) && isComplex(b))
      return bitWidth(a) > bitWidth(b) ? a : b;
    DType complexOne = isComplex(a) ? a : b, other = isComplex(a) ? b : a;
    if (!isFloat(other))
      return complexOne;
    if (other == DType::F64)
      return DType::Complex128;
    if (complexOne == DType::Complex32 && (other == DType::F32 || other == DType::BF16))
      return DType::Complex64;
    return complexOne;
  }
  if (isFloat(a) != isFloat(b))
    return isFloat(a) ? a : b;
  if (isFloat(a)) {
    if (bitWidth(a) != bitWidth(b))
      return bitWidth(a) > bitWidth(b) ? a : b;
    return DType::F32; // f16 with bf16
  }
  if (a == DType::Bool || b == DType::Bool)
    return a == DType::Bool ? b : a;
  if (isUnsigned(a) == isUnsigned(b))
    return bitWidth(a) > bitWidth(b) ? a : b;
  DType s = isUnsigned(a) ? b : a, u = isUnsigned(a) ? a : b;
  if (bitWidth(s) > bitWidth(u))
    return s;
  switch (bitWidth(u)) { // the next signed type that holds both
  case 8:
    return DType::SI16;
  case 16:
    return DType::SI32;
  case 32:
    return DType::SI64;
  default:
    return DType::SI64;
  }
}

// IEEE half and bfloat16 bits of a float, rounded to nearest even.
constexpr uint16_t toBF16(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return static_cast<uint16_t>((bits >> 16) | 0x40u); // NaN stays NaN
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}
constexpr float fromBF16(uint16_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }
constexpr uint16_t toF16(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return static_cast<uint16_t>(sign | 0x7e00u);
  if (magnitude >= 0x477ff000u) // rounds to 65520 or more
    return static_cast<uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) { // subnormal half: align, then round
    if (magnitude < 0x33000000u)
      return sign;
    uint32_t exponent = magnitude >> 23, mantissa = (magnitude & 0x7fffffu) | 0x800000u;
    uint32_t shift = 126u - exponent, half = mantissa >> shift, rest = mantissa & ((1u << shift) - 1u);
    uint32_t middle = 1u << (shift - 1u);
    return static_cast<uint16_t>(sign | (half + (rest > middle || (rest == middle && (half & 1u)))));
  }
  uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
  return static_cast<uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
}
constexpr float fromF16(uint16_t bits) {
  uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16, exponent = (bits >> 10) & 31u,
           mantissa = bits & 0x3ffu;
  if (exponent == 31)
    return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
  if (exponent == 0) {
    float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | ((exponent + 112u) << 23) | (mantissa << 13));
}

} // namespace sixrung
