#include "spectral.hpp"

#include <cmath>

namespace sixrung::aten {
namespace {

constexpr double kTurn = 6.283185307179586476925286766559;
// Up to here one product is cheaper than the two of a split, and its constants stay below 2 MiB.
constexpr int64_t kDirect = 512;
// A prime beyond this would need constants of more than 128 MiB.
constexpr int64_t kLargest = 4096;

struct Table {
  Value cosine, sine;
};

// [rows, columns] of cos and sign * sin of a turn's n k / length; `weight(n)` scales row n. The angle is
// reduced in integers, so large n k lose nothing.
template <typename F>
Table table(Builder &b, int64_t rows, int64_t columns, int64_t length, int sign, F weight) {
  std::vector<float> cosine, sine;
  for (int64_t n = 0; n < rows; ++n)
    for (int64_t k = 0; k < columns; ++k) {
      int64_t part = n * k % length;
      double angle = kTurn * static_cast<double>(part) / static_cast<double>(length);
      // Half a turn has no sine, where the angle's rounding would leave one.
      double s = 2 * part == length ? 0 : std::sin(angle);
      cosine.push_back(static_cast<float>(weight(n) * std::cos(angle)));
      sine.push_back(static_cast<float>(weight(n) * sign * s));
    }
  uint64_t bytes = cosine.size() * sizeof(float);
  return {b.data(DType::F32, {rows, columns}, cosine.data(), bytes),
          b.data(DType::F32, {rows, columns}, sine.data(), bytes)};
}
Table table(Builder &b, int64_t rows, int64_t columns, int64_t length, int sign) {
  return table(b, rows, columns, length, sign, [](int64_t) { return 1.0; });
}

// The same of sizes known only at run time. Integers of 64 bits: n k of two int32 may leave 32.
Table tableAtRunTime(Builder &b, const Dim &rows, const Dim &columns, const Dim &length, int sign) {
  auto count = [&](const Dim &d) { return b.cast(b.range(0, b.scalarOf(d), 1, DType::SI32), DType::SI64); };
  Value n = b.expandDims(count(rows), {1}), k = b.expandDims(count(columns), {0});
  Value part = b.cast(b.modulo(b.mul(n, k), b.scalarOf(length, DType::SI64)), DType::F32);
  Value angle = b.divide(b.mul(part, kTurn), b.cast(b.scalarOf(length), DType::F32));
  return {b.cos(angle), b.mul(b.sin(angle), static_cast<double>(sign))};
}

// (a + bi) (c + si), `product` being elementwise or of matrices.
template <typename F> Parts multiply(Builder &b, const Parts &x, const Table &t, F product) {
  Value real = product(x.real, t.cosine), imaginary = product(x.real, t.sine);
  if (!x.imaginary)
    return {real, imaginary};
  return {b.sub(real, product(x.imaginary, t.sine)), b.add(imaginary, product(x.imaginary, t.cosine))};
}

int64_t largestDivisorToRoot(int64_t n) {
  int64_t best = 1;
  for (int64_t d = 2; d * d <= n; ++d)
    if (n % d == 0)
      best = d;
  return best;
}

// Cooley and Tukey's split: n = B n1 + n2, k = k1 + A k2 with N = A B.
Parts split(Builder &b, const Parts &x, int sign, int64_t length, int64_t a) {
  int64_t rest = length / a;
  Shape shape = b.shape(x.real), parted = shape;
  parted.back() = a;
  parted.push_back(rest);
  auto part = [&](Value v) { return v ? b.swapAxes(b.reshape(v, parted), -1, -2) : v; };
  Parts y = transformLast(b, {part(x.real), part(x.imaginary)}, sign, a); // [..., n2, k1]
  y = multiply(b, y, table(b, rest, a, length, sign), [&](Value v, Value w) { return b.mul(v, w); });
  y = {b.swapAxes(y.real, -1, -2), b.swapAxes(y.imaginary, -1, -2)};
  y = transformLast(b, y, sign, rest); // [..., k1, k2]
  auto join = [&](Value v) { return b.reshape(b.swapAxes(v, -1, -2), shape); };
  return {join(y.real), join(y.imaginary)};
}

Value refuseLength(int64_t length) {
  return unsupported("a Fourier transform whose length " + std::to_string(length) +
                         " has a prime factor above " + std::to_string(kLargest),
                     "pad the signal to a length with small factors, a power of two for one");
}

} // namespace

Value axisLast(Builder &b, Value x, int64_t axis) {
  return x && axis != x.rank() - 1 ? b.swapAxes(x, axis, -1) : x;
}
Parts axisLast(Builder &b, const Parts &x, int64_t axis) {
  return {axisLast(b, x.real, axis), axisLast(b, x.imaginary, axis)};
}

Parts transformLast(Builder &b, Parts x, int sign, const Dim &kept) {
  Dim length = b.dim(x.real, -1);
  auto product = [&](Value v, Value w) { return b.matmul(v, w); };
  if (!length.isStatic() || !kept.isStatic())
    return multiply(b, x, tableAtRunTime(b, length, kept, length, sign), product);
  int64_t size = length.size(), a = size <= kDirect ? 1 : largestDivisorToRoot(size);
  if (a == 1) {
    if (size > kLargest)
      return {refuseLength(size), {}};
    return multiply(b, x, table(b, size, kept.size(), size, sign), product);
  }
  Parts whole = split(b, x, sign, size, a);
  return {b.sliceAxis(whole.real, -1, 0, kept), b.sliceAxis(whole.imaginary, -1, 0, kept)};
}

// Every frequency but the first and the middle one stands for its conjugate too; of those two the
// imaginary part does not count.
Value realSignalLast(Builder &b, const Parts &x, const Dim &length) {
  Value real = x.real, imaginary = x.imaginary;
  if (!length.isStatic()) {
    Dim count = b.dim(real, -1);
    Value k = b.range(0, b.scalarOf(count), 1, DType::SI32);
    Value single = b.logicalOr(b.equal(k, 0), b.equal(b.mul(k, 2), b.scalarOf(length)));
    Table t = tableAtRunTime(b, count, length, length, 1);
    real = b.mul(real, b.where(single, b.constant(1.0, DType::F32), b.constant(2.0, DType::F32)));
    imaginary = b.where(single, b.constant(0.0, DType::F32), b.mul(imaginary, 2.0));
    return b.sub(b.matmul(real, t.cosine), b.matmul(imaginary, t.sine));
  }
  int64_t size = length.size(), count = size / 2 + 1;
  real = b.sliceAxis(real, -1, 0, count);
  imaginary = b.sliceAxis(imaginary, -1, 0, count);
  if (size <= kDirect) {
    auto weight = [&](int64_t k) { return k == 0 || 2 * k == size ? 1.0 : 2.0; };
    Table t = table(b, count, size, size, 1, weight);
    return b.sub(b.matmul(real, t.cosine), b.matmul(imaginary, t.sine));
  }
  std::vector<float> counts(static_cast<size_t>(count), 1.0f);
  counts.front() = 0;
  if (size % 2 == 0)
    counts.back() = 0;
  imaginary = b.mul(imaginary, b.data(DType::F32, {count}, counts.data(), counts.size() * sizeof(float)));
  auto mirrored = [&](Value v) { // the conjugates, from the last frequency down
    Value tail = b.sliceAxis(v, -1, 1, size - count + 1);
    return b.op("coreai.reverse", {tail, b.indices({tail.rank() - 1})}, {}, tail.type());
  };
  Parts full{b.concat({real, mirrored(real)}, -1), b.concat({imaginary, b.neg(mirrored(imaginary))}, -1)};
  return transformLast(b, full, 1, size).real;
}

} // namespace sixrung::aten
