#include "core/lower/tensor_bytes.hpp"

#include "core/lower/types.hpp"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <vector>

namespace sixrung::lower {
namespace {

using graph::DType;
using Bytes = std::vector<std::byte>;

// Element by element through memcpy: a mapped file promises no alignment. Gives nothing when one does not
// fit.
template <typename From, typename To, typename Fits>
std::optional<Bytes> narrow(std::span<const std::byte> from, Fits fits) {
  size_t count = from.size() / sizeof(From);
  Bytes to(count * sizeof(To));
  for (size_t i = 0; i < count; ++i) {
    From element;
    std::memcpy(&element, from.data() + i * sizeof(From), sizeof(From));
    if (!fits(element))
      return std::nullopt;
    To narrowed = static_cast<To>(element);
    std::memcpy(to.data() + i * sizeof(To), &narrowed, sizeof(To));
  }
  return to;
}

bool fitsInt32(int64_t value) {
  return value >= std::numeric_limits<int32_t>::min() && value <= std::numeric_limits<int32_t>::max();
}
// Rounding is the 64-bit rule's price; a finite value that became infinite would be another value.
bool fitsFloat(double value) { return !std::isfinite(value) || std::isfinite(static_cast<float>(value)); }

std::optional<Bytes> narrow(DType dtype, std::span<const std::byte> from) {
  switch (dtype) {
  case DType::kSI64:
    return narrow<int64_t, int32_t>(from, fitsInt32);
  case DType::kF64:
    return narrow<double, float>(from, fitsFloat);
  case DType::kComplex128: // pairs of f64; the dialect has no other complex, so it must do
    return narrow<double, float>(from, [](double) { return true; });
  default:
    return std::nullopt;
  }
}

bool hasOddBools(std::span<const std::byte> bytes) {
  for (std::byte b : bytes)
    if (std::to_integer<unsigned>(b) > 1)
      return true;
  return false;
}

TensorBytes owned(DType dtype, Bytes bytes) {
  auto storage = std::make_shared<const Bytes>(std::move(bytes));
  TensorBytes out;
  out.dtype = dtype;
  out.bytes = *storage;
  out.owner = storage;
  return out;
}

} // namespace

TensorBytes tensorBytes(const graph::TensorData &data, const std::string &name, bool wide) {
  TensorBytes out;
  if (data.isContiguous() && data.data) {
    out.dtype = data.dtype;
    size_t size = static_cast<size_t>(data.elementCount()) * graph::bitWidth(data.dtype) / 8;
    out.bytes = {data.data, size};
    out.owner = data.keepAlive;
    if (data.dtype == DType::kBool && hasOddBools(out.bytes)) {
      Bytes ones(out.bytes.begin(), out.bytes.end());
      for (std::byte &b : ones)
        b = b == std::byte{0} ? std::byte{0} : std::byte{1};
      out = owned(DType::kBool, std::move(ones));
    }
  } else {
    out = owned(data.dtype, graph::pack(data));
  }
  DType target = valueDtype(data.dtype, wide);
  if (target == data.dtype)
    return out;
  if (std::optional<Bytes> bytes = narrow(data.dtype, out.bytes)) {
    out = owned(target, std::move(*bytes));
    out.note = fmt::format("narrowing: {} is {} here, {} in the program", name, graph::dtypeName(target),
                           graph::dtypeName(data.dtype));
  } else {
    out.note = fmt::format("note: {} stays {}: not every element fits in {}", name,
                           graph::dtypeName(data.dtype), graph::dtypeName(target));
  }
  return out;
}

} // namespace sixrung::lower
