#include "shape.hpp"

#include <algorithm>

namespace sixrung::aten {
namespace {

// PyTorch lists pads from the last axis backwards, before and after; coreai wants every axis in order.
Shape padVector(int rank, const Shape &given) {
  Shape result(static_cast<size_t>(rank) * 2, Dim(0));
  for (size_t i = 0; i + 1 < given.size(); i += 2) {
    size_t axis = static_cast<size_t>(rank) - 1 - i / 2;
    result[axis * 2] = given[i];
    result[axis * 2 + 1] = given[i + 1];
  }
  return result;
}

bool allZero(const Shape &pads) {
  return std::all_of(pads.begin(), pads.end(), [](const Dim &d) { return d.is(0); });
}

} // namespace

// Negative pads crop. They are cut off first, since coreai pads only outwards.
Value constantPad(Node n, Builder &b) {
  Value x = n.tensor(0);
  Shape pads = padVector(x.rank(), n.shape(1));
  Shape starts(static_cast<size_t>(x.rank()), Dim(0)), ends(static_cast<size_t>(x.rank()), Dim(int64_t(INT32_MAX)));
  bool crops = false;
  for (size_t axis = 0; axis < starts.size(); ++axis) {
    Dim &before = pads[axis * 2], &after = pads[axis * 2 + 1];
    if (before.isStatic() && before.size() < 0) {
      starts[axis] = -before.size();
      before = 0;
      crops = true;
    }
    if (after.isStatic() && after.size() < 0) {
      ends[axis] = after.size(); // counts from the end
      after = 0;
      crops = true;
    }
  }
  if (crops)
    x = b.slice(x, starts, ends);
  if (allZero(pads))
    return x;
  Value fill = b.constant(n.scalar(2, Scalar(0)), x.dtype());
  return b.op("coreai.pad", {x, b.vector(pads, DType::UI32), fill}, {{"padding_mode", "constant"}},
              Type{x.dtype(), resultDims(n)});
}

Value padMode(Node n, Builder &b, std::string_view mode) {
  Value x = n.tensor(0);
  Shape given = n.shape(1);
  for (const Dim &d : given)
    if (d.isStatic() && d.size() < 0)
      return unsupported("a negative " + std::string(mode) + " pad", "crop with a slice, then pad");
  Shape pads = padVector(x.rank(), given);
  if (allZero(pads))
    return x;
  return b.op("coreai.pad", {x, b.vector(pads, DType::UI32), b.zeros(x.dtype(), {})}, {{"padding_mode", mode}},
              Type{x.dtype(), resultDims(n)});
}

} // namespace sixrung::aten
