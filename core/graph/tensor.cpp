#include "core/graph/error.hpp"
#include "core/graph/program.hpp"

#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace sixrung::graph {

int64_t TensorData::elementCount() const {
  int64_t count = 1;
  for (int64_t size : sizes)
    if (size == 0)
      return 0;
  for (int64_t size : sizes)
    if (size < 0 || __builtin_mul_overflow(count, size, &count))
      throw Error(ErrorKind::kInvalidInput,
                  fmt::format("a tensor of shape [{}] has no countable elements", fmt::join(sizes, ", ")));
  return count;
}

bool TensorData::isContiguous() const {
  if (sizes.size() != strides.size())
    return false;
  for (int64_t size : sizes)
    if (size == 0)
      return true;
  int64_t expected = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] != 1 && strides[i] != expected)
      return false;
    if (__builtin_mul_overflow(expected, sizes[i], &expected))
      return false;
  }
  return true;
}

namespace {

// PyTorch stores narrow types one element a byte.
size_t byteWidth(DType dtype) { return (bitWidth(dtype) + 7) / 8; }

constexpr size_t kMaxRank = 64; // PyTorch's own limit

// Bytes from the first element to the end of the last one reached by the strides.
size_t reach(const TensorData &tensor, size_t width) {
  int64_t last = 0;
  for (size_t i = 0; i < tensor.sizes.size(); ++i) {
    int64_t step = 0;
    if (tensor.strides[i] < 0 || __builtin_mul_overflow(tensor.sizes[i] - 1, tensor.strides[i], &step) ||
        __builtin_add_overflow(last, step, &last))
      return std::numeric_limits<size_t>::max();
  }
  size_t bytes = 0;
  if (__builtin_add_overflow(static_cast<size_t>(last), size_t{1}, &bytes) ||
      __builtin_mul_overflow(bytes, width, &bytes))
    return std::numeric_limits<size_t>::max();
  return bytes;
}

// Copies dimension `dim` and those after it; the innermost one in a run when it is dense.
void copy(const TensorData &tensor, size_t width, size_t dim, const std::byte *from, std::byte *&to) {
  if (dim == tensor.sizes.size()) {
    std::memcpy(to, from, width);
    to += width;
    return;
  }
  auto size = static_cast<size_t>(tensor.sizes[dim]);
  size_t step = static_cast<size_t>(tensor.strides[dim]) * width;
  if (dim + 1 == tensor.sizes.size() && step == width) {
    std::memcpy(to, from, size * width);
    to += size * width;
    return;
  }
  for (size_t i = 0; i < size; ++i)
    copy(tensor, width, dim + 1, from + i * step, to);
}

} // namespace

bool isInside(const TensorData &tensor) {
  size_t width = byteWidth(tensor.dtype);
  if (width == 0 || tensor.sizes.size() != tensor.strides.size() || tensor.sizes.size() > kMaxRank)
    return false;
  bool empty = false;
  int64_t count = static_cast<int64_t>(width); // the dense bytes must be countable too
  for (int64_t size : tensor.sizes) {
    if (size < 0)
      return false;
    empty |= size == 0;
  }
  if (empty)
    return true;
  for (int64_t size : tensor.sizes)
    if (__builtin_mul_overflow(count, size, &count))
      return false;
  return tensor.data && reach(tensor, width) <= tensor.extent;
}

std::vector<std::byte> pack(const TensorData &tensor) {
  auto fail = [&](const char *why) {
    throw Error(ErrorKind::kInvalidInput,
                fmt::format("cannot read a {} tensor of shape [{}] and strides [{}]: {}",
                            dtypeName(tensor.dtype), fmt::join(tensor.sizes, ", "),
                            fmt::join(tensor.strides, ", "), why));
  };
  size_t width = byteWidth(tensor.dtype);
  if (width == 0)
    fail("it has no element type");
  if (tensor.sizes.size() != tensor.strides.size())
    fail("sizes and strides differ in number");
  if (tensor.sizes.size() > kMaxRank)
    fail("PyTorch tensors have at most 64 dimensions");
  auto count = static_cast<size_t>(tensor.elementCount());
  if (count == 0)
    return {};
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, width, &bytes))
    fail("its bytes cannot be counted");
  if (!tensor.data || reach(tensor, width) > tensor.extent)
    fail("it reaches beyond its bytes");
  std::vector<std::byte> packed(bytes);
  std::byte *to = packed.data();
  if (tensor.isContiguous())
    std::memcpy(to, tensor.data, bytes);
  else
    copy(tensor, width, 0, tensor.data, to);
  return packed;
}

bool operator==(const TensorMeta &a, const TensorMeta &b) {
  return a.dtype == b.dtype && a.sizes == b.sizes && a.strides == b.strides &&
         a.storageOffset == b.storageOffset && a.layout == b.layout && a.device == b.device &&
         a.requiresGrad == b.requiresGrad;
}

bool operator==(const ValueMeta &a, const ValueMeta &b) {
  if (a.kind != b.kind)
    return false;
  if (a.kind == ValueMeta::Kind::kTensor)
    return a.tensor == b.tensor;
  return SymInt{std::nullopt, a.expr} == SymInt{std::nullopt, b.expr};
}

} // namespace sixrung::graph
