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

// How far a pad reaches outwards, and how much it cuts off instead where it is negative. The sign of
// an amount computed at run time is known only there.
Dim outwards(Builder &b, const Dim &pad) {
  return pad.isStatic() ? Dim(std::max<int64_t>(pad.size(), 0)) : Dim(b.maximum(pad.value(), 0));
}
Dim inwards(Builder &b, const Dim &pad) {
  return pad.isStatic() ? Dim(std::max<int64_t>(-pad.size(), 0)) : Dim(b.maximum(b.neg(pad.value()), 0));
}

struct Pads {
  Shape out, in; // before and after each axis in turn
};
Pads split(Builder &b, const Shape &pads) {
  Pads result;
  for (const Dim &pad : pads) {
    result.out.push_back(outwards(b, pad));
    result.in.push_back(inwards(b, pad));
  }
  return result;
}

Value cropped(Builder &b, Value x, const Shape &in) {
  for (int axis = 0; axis < x.rank(); ++axis) {
    const Dim &before = in[static_cast<size_t>(axis) * 2], &after = in[static_cast<size_t>(axis) * 2 + 1];
    if (before.is(0) && after.is(0))
      continue;
    Dim end = after.is(0) ? Dim(int64_t(INT32_MAX)) : b.subDims(b.dim(x, axis), after);
    x = b.sliceAxis(x, axis, before, end);
  }
  return x;
}

Value grown(Builder &b, Value x, const Shape &out, std::string_view mode, Value fill) {
  if (allZero(out))
    return x;
  Ints dims = x.dims();
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    const Dim &before = out[axis * 2], &after = out[axis * 2 + 1];
    bool known = dims[axis] != kDynamic && before.isStatic() && after.isStatic();
    dims[axis] = known ? dims[axis] + before.size() + after.size() : kDynamic;
  }
  return b.op("coreai.pad", {x, b.vector(out, DType::UI32), fill}, {{"padding_mode", mode}},
              Type{x.dtype(), dims});
}

} // namespace

// Negative pads crop. They are cut off first: what is cut must not be filled again.
Value constantPad(Node n, Builder &b) {
  Value x = n.tensor(0);
  Shape given = padVector(x.rank(), n.shape(1));
  if (allZero(given))
    return x;
  Scalar number = n.scalar(2, Scalar(0));
  Ints dims = resultDims(n);
  bool isStatic = std::count(dims.begin(), dims.end(), kDynamic) == 0;
  bool nothing = std::count(dims.begin(), dims.end(), 0) != 0;
  if (isStatic && (nothing || x.elements() == 0)) // the runtime pads no empty tensor
    return b.broadcastTo(b.constant(number, x.dtype()), Shape(dims.begin(), dims.end()));
  Pads pads = split(b, given);
  auto padded = [&](Value part, const Scalar &fill) {
    return grown(b, cropped(b, part, pads.in), pads.out, "constant", b.constant(fill, part.dtype()));
  };
  if (!isComplex(x.dtype()))
    return padded(x, number);
  // The runtime has no complex fill.
  return b.op("coreai.create_complex",
              {padded(b.op("coreai.real_part", {x}), Scalar(number.real)),
               padded(b.op("coreai.imaginary_part", {x}), Scalar(number.imaginary))});
}

// Negative pads crop, after the others have seen the whole of x.
Value padMode(Node n, Builder &b, std::string_view mode) {
  Value x = n.tensor(0);
  Pads pads = split(b, padVector(x.rank(), n.shape(1)));
  if (x.elements() == 0)
    return b.zeros(x.dtype(), resultDims(n));
  return byParts(b, x, [&](Value part) {
    return cropped(b, grown(b, part, pads.out, mode, b.zeros(part.dtype(), {})), pads.in);
  });
}

} // namespace sixrung::aten
