#include "shape.hpp"

#include <algorithm>

namespace sixrung::aten {
namespace {

// Operands of one type; a 1-d tensor of no elements joins anything, as PyTorch still allows.
Values joinable(Node n, Builder &b) {
  Values parts;
  ResultInfo info = n.result(0);
  DType dtype = DType::None;
  Values given = n.tensors(0);
  for (const Value &x : given)
    dtype = promoteTypes(dtype, x.dtype());
  if (!represents(dtype, info.dtype))
    dtype = info.valueDtype;
  for (const Value &x : given) {
    bool empty = x.rank() == 1 && x.dim(0) == 0 && info.rank() != 1;
    if (!empty)
      parts.push_back(b.cast(x, dtype));
  }
  return parts;
}

} // namespace

Value cat(Node n, Builder &b) {
  Values parts = joinable(n, b);
  ResultInfo info = n.result(0);
  if (parts.empty())
    return b.zeros(info.valueDtype, {0});
  int axis = axisOf(n.integer(1, 0), parts[0].rank());
  // Parts without elements along the axis add nothing.
  Values filled;
  for (const Value &x : parts)
    if (x.dim(axis) != 0)
      filled.push_back(x);
  if (filled.empty())
    return parts[0];
  if (filled.size() == 1)
    return filled[0];
  Values operands{b.index(axis)};
  operands.insert(operands.end(), filled.begin(), filled.end());
  Ints dims = info.dims;
  return b.op("coreai.concat", operands, {}, Type{filled[0].dtype(), dims});
}

Value stack(Node n, Builder &b) {
  Values parts = joinable(n, b);
  int axis = axisOf(n.integer(1, 0), parts[0].rank() + 1);
  for (Value &x : parts)
    x = b.expandDims(x, {axis});
  return b.concat(parts, axis);
}

Value repeat(Node n, Builder &b) {
  Value x = n.tensor(0);
  Shape repeats = n.shape(1);
  while (repeats.size() < static_cast<size_t>(x.rank())) // tile pads on the left
    repeats.insert(repeats.begin(), Dim(1));
  Ints lead;
  for (int i = 0; i < static_cast<int>(repeats.size()) - x.rank(); ++i)
    lead.push_back(i);
  x = b.expandDims(x, lead);
  bool once = true, none = false;
  for (const Dim &d : repeats) {
    once = once && d.is(1);
    none = none || d.is(0);
  }
  if (once)
    return x;
  ResultInfo info = n.result(0);
  if (none || x.elements() == 0) { // nothing to tile: only the shape matters
    Shape target;
    for (size_t i = 0; i < repeats.size(); ++i)
      target.push_back(info.dims[i] != kDynamic ? Dim(info.dims[i])
                                                : b.mulDims(b.dim(x, static_cast<int64_t>(i)), repeats[i]));
    return b.broadcastTo(b.zeros(x.dtype(), Ints(repeats.size(), 1)), target);
  }
  return b.op("coreai.tile", {x, b.vector(repeats, DType::UI32)}, {}, Type{x.dtype(), info.dims});
}

Value flip(Node n, Builder &b) {
  Value x = n.tensor(0);
  Ints axes = axesOf(n.ints(1), x.rank());
  if (axes.empty() || x.rank() == 0)
    return x;
  return b.op("coreai.reverse", {x, b.indices(axes)}, {}, x.type());
}

// Each axis: the last `shift` elements come first.
Value roll(Node n, Builder &b) {
  Value x = n.tensor(0);
  Ints shifts = n.ints(1), axes = n.ints(2, Ints{});
  if (x.rank() == 0)
    return x;
  Value rolled = x;
  Shape original = b.shape(x);
  if (axes.empty()) {
    rolled = b.flatten(x);
    axes = {0};
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    int axis = axisOf(axes[i], rolled.rank());
    int64_t size = rolled.dim(axis), shift = shifts[i];
    if (size == 0 || size == 1 || shift == 0)
      continue;
    Dim first; // what comes first
    if (size == kDynamic) {
      // -shift modulo the size; the op's remainder has the dividend's sign.
      Value length = b.dim(rolled, axis).value();
      first = b.modulo(b.add(b.modulo(b.indices({-shift}), length), length), length);
    } else {
      first = ((-shift % size) + size) % size;
      if (first.is(0))
        continue;
    }
    Dim end = int64_t(INT32_MAX);
    Type type{rolled.dtype(), rolled.dims()};
    Value parts = b.sliceAxis(rolled, axis, first, end), rest = b.sliceAxis(rolled, axis, 0, first);
    rolled = b.op("coreai.concat", {b.index(axis), parts, rest}, {}, type);
  }
  return b.reshape(rolled, original);
}

} // namespace sixrung::aten
