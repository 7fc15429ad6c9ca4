// Lowers acme::rotate_half(x, *, interleaved=False): the half turn of rotary position embeddings.
// Halves:      [a b c d] -> [-c -d a b].
// Interleaved: [a b c d] -> [-b a -d c].
#include "sixrung/sdk.hpp"

using namespace sixrung;

namespace {

// The rotated pairs of x seen as [..., 2 along `axis`, ...].
Value rotate(Builder &b, Value x, int64_t axis, const Dim &half) {
  Value first = b.sliceAxis(x, axis, 0, half);
  Value second = b.sliceAxis(x, axis, half, b.dim(x, axis));
  return b.concat({b.neg(second), first}, axis);
}

Value rotateHalf(Node n, Builder &b) {
  Value x = n.tensor("x");
  if (x.rank() == 0)
    return unsupported("acme::rotate_half needs at least one axis", "unsqueeze the scalar before the op");
  int64_t size = x.dim(-1);
  if (size == kDynamic || size % 2 != 0)
    return unsupported(
        "acme::rotate_half needs a last axis of even size known when converting, and this is " + x.text(),
        "export with a static last dimension");
  if (!n.boolean("interleaved", false))
    return rotate(b, x, x.rank() - 1, size / 2);
  Shape pairs = b.shape(x);
  pairs.back() = size / 2;
  pairs.push_back(2);
  return b.reshape(rotate(b, b.reshape(x, pairs), x.rank(), 1), b.shape(x));
}

constexpr Lowering kLowerings[] = {{"acme::rotate_half.default", rotateHalf}};

} // namespace

SIXRUNG_PLUGIN("com.acme.rotate_half", "1.0.0", kLowerings);
