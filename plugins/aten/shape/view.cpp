#include "shape.hpp"

namespace sixrung::aten {

// Sizes come from three places: the program's metadata where static, the argument where given, and
// for -1 whatever the other sizes leave.
Value view(Node n, Builder &b) {
  Value x = n.tensor(0);
  Shape target = n.shape(1);
  Ints known = resultDims(n);
  int open = -1;
  for (size_t i = 0; i < target.size(); ++i) {
    if (i < known.size() && known[i] != kDynamic)
      target[i] = known[i];
    else if (target[i].is(-1))
      open = static_cast<int>(i);
  }
  if (open >= 0) {
    Shape others = target;
    others.erase(others.begin() + open);
    bool allStatic = true;
    for (const Dim &d : others)
      allStatic = allStatic && d.isStatic();
    if (allStatic) {
      // reshape() leaves a single unknown size to the op itself; it only needs to know there is one.
      bool zero = false;
      for (const Dim &d : others)
        zero = zero || d.is(0);
      if (!zero) {
        Ints dims = staticDims(target), type = dims;
        for (size_t i = 0; i < type.size(); ++i)
          type[i] = known[i] == kDynamic ? kDynamic : type[i];
        return b.op("coreai.reshape", {x, b.indices(dims)}, {}, Type{x.dtype(), type});
      }
    }
    target[static_cast<size_t>(open)] = b.floorDivideDims(b.product(b.shape(x)), b.product(others));
  }
  // Sizes given as numbers where the program has an expression of symbols stay as open as it says.
  Ints dims = staticDims(target);
  for (size_t i = 0; i < dims.size(); ++i)
    if (known[i] == kDynamic && dims[i] != kDynamic)
      return b.op("coreai.reshape", {x, b.vector(target)}, {}, Type{x.dtype(), known});
  return b.reshape(x, target);
}

Value unsqueeze(Node n, Builder &b) {
  Value x = n.tensor(0);
  return b.expandDims(x, {n.integer(1)});
}

// Without dims every size-1 axis goes; a dim whose size is not 1 stays, as PyTorch has it.
Value squeeze(Node n, Builder &b) {
  Value x = n.tensor(0);
  Ints asked, axes;
  if (n.argCount() > 1 && n.has(1))
    asked = axesOf(n.ints(1), x.rank());
  else
    asked = b.allAxes(x);
  if (x.rank() == 0)
    return x;
  for (int64_t axis : asked)
    if (x.dim(static_cast<int>(axis)) == 1)
      axes.push_back(axis);
  return b.shrinkDims(x, axes);
}

Value expand(Node n, Builder &b) {
  Value x = n.tensor(0);
  Shape target = n.shape(1);
  Ints known = resultDims(n);
  size_t added = target.size() - static_cast<size_t>(x.rank());
  for (size_t i = 0; i < target.size(); ++i) {
    if (known[i] != kDynamic)
      target[i] = known[i];
    else if (target[i].is(-1) && i >= added)
      target[i] = b.dim(x, static_cast<int64_t>(i - added));
  }
  return b.broadcastTo(x, target);
}

Value permute(Node n, Builder &b) {
  Value x = n.tensor(0);
  return b.transpose(x, n.ints(1));
}

Value transposeInt(Node n, Builder &b) {
  Value x = n.tensor(0);
  return x.rank() == 0 ? x : b.swapAxes(x, n.integer(1), n.integer(2));
}

Value transposeAll(Node n, Builder &b) {
  Value x = n.tensor(0);
  return x.rank() < 2 ? x : b.swapAxes(x, 0, 1);
}

// [..., C*r*r, H, W] -> [..., C, H*r, W*r]
Value pixelShuffle(Node n, Builder &b) {
  Value x = n.tensor(0);
  int64_t r = n.integer(1);
  Shape s = b.shape(x);
  size_t lead = s.size() - 3;
  Dim channels = b.floorDivideDims(s[lead], r * r);
  Shape split(s.begin(), s.begin() + static_cast<long>(lead));
  Shape result = split;
  for (const Dim &d : {channels, Dim(r), Dim(r), s[lead + 1], s[lead + 2]})
    split.push_back(d);
  Ints order;
  for (size_t i = 0; i < lead; ++i)
    order.push_back(static_cast<int64_t>(i));
  int64_t base = static_cast<int64_t>(lead);
  for (int64_t axis : {base, base + 3, base + 1, base + 4, base + 2})
    order.push_back(axis);
  result.push_back(channels);
  result.push_back(b.mulDims(s[lead + 1], r));
  result.push_back(b.mulDims(s[lead + 2], r));
  return b.reshape(b.transpose(b.reshape(x, split), order), result);
}

// [..., C, H*r, W*r] -> [..., C*r*r, H, W]
Value pixelUnshuffle(Node n, Builder &b) {
  Value x = n.tensor(0);
  int64_t r = n.integer(1);
  Shape s = b.shape(x);
  size_t lead = s.size() - 3;
  Dim height = b.floorDivideDims(s[lead + 1], r), width = b.floorDivideDims(s[lead + 2], r);
  Shape split(s.begin(), s.begin() + static_cast<long>(lead));
  Shape result = split;
  for (const Dim &d : {s[lead], height, Dim(r), width, Dim(r)})
    split.push_back(d);
  Ints order;
  for (size_t i = 0; i < lead; ++i)
    order.push_back(static_cast<int64_t>(i));
  int64_t base = static_cast<int64_t>(lead);
  for (int64_t axis : {base, base + 2, base + 4, base + 1, base + 3})
    order.push_back(axis);
  result.push_back(b.mulDims(s[lead], r * r));
  result.push_back(height);
  result.push_back(width);
  return b.reshape(b.transpose(b.reshape(x, split), order), result);
}

} // namespace sixrung::aten
