#include "indexing.hpp"

namespace sixrung::aten {

Value indexTensor(Node n, Builder &b) {
  Value x = n.tensor(0);
  Values entries = n.tensors(1);
  bool any = false;
  for (const Value &entry : entries)
    any = any || entry;
  if (!any)
    return x;
  Indexed at = prepare(b, x, entries);
  Ints dims = staticDims(at.picked);
  for (int64_t d : staticDims(at.rest))
    dims.push_back(d);
  Value picked = b.op("coreai.gather_nd", {at.base, at.indices}, {}, Type{x.dtype(), dims});
  if (at.before == 0)
    return picked;
  // The picked axes go where the first indexed axis stood.
  int picks = static_cast<int>(at.picked.size());
  Ints order;
  for (int i = 0; i < at.before; ++i)
    order.push_back(picks + i);
  for (int i = 0; i < picks; ++i)
    order.push_back(i);
  for (int i = picks + at.before; i < picked.rank(); ++i)
    order.push_back(i);
  return b.transpose(picked, order);
}

Value indexSelect(Node n, Builder &b) {
  Value x = n.tensor(0), index = n.tensor(2);
  if (x.rank() == 0)
    return x;
  int axis = axisOf(n.integer(1), x.rank());
  Values entries(static_cast<size_t>(axis) + 1);
  entries[static_cast<size_t>(axis)] = index.rank() == 0 ? b.expandDims(index, {0}) : index;
  Indexed at = prepare(b, x, entries);
  Value picked = b.gatherNd(at.base, at.indices);
  Ints order;
  for (int i = 0; i < axis; ++i)
    order.push_back(i + 1);
  order.push_back(0);
  for (int i = axis + 1; i < x.rank(); ++i)
    order.push_back(i);
  return b.transpose(picked, order);
}

// The index may be smaller than x along the other axes: only that corner of x is read.
Value gather(Node n, Builder &b) {
  Value x = n.tensor(0), index = n.tensor(2);
  if (index.elements() == 0) // of any rank, says eager
    return b.zeros(x.dtype(), index.dims());
  if (x.rank() == 0 || index.rank() == 0) {
    Value flat = b.reshape(x, {b.product(b.shape(x))});
    Value at = index.rank() == 0 ? b.expandDims(index, {0}) : index;
    Value picked = byParts(b, flat, [&](Value part) { return b.gatherAlongAxis(part, at, 0); });
    return index.rank() == 0 ? b.scalar(picked) : picked;
  }
  int axis = axisOf(n.integer(1), x.rank());
  Shape starts(static_cast<size_t>(x.rank()), Dim(0)),
      ends(static_cast<size_t>(x.rank()), Dim(int64_t(INT32_MAX)));
  for (int i = 0; i < x.rank(); ++i)
    if (i != axis && (x.dim(i) != index.dim(i) || x.dim(i) == kDynamic))
      ends[static_cast<size_t>(i)] = b.dim(index, i);
  return byParts(b, b.slice(x, starts, ends),
                 [&](Value part) { return b.gatherAlongAxis(part, index, axis); });
}

Value embedding(Node n, Builder &b) {
  Value weight = n.tensor(0), index = b.cast(n.tensor(1), DType::SI32);
  return b.gatherNd(weight, b.expandDims(index, {-1}));
}

Value nonzero(Node n, Builder &b) {
  Value x = b.toBool(n.tensor(0));
  if (x.elements() == 0)
    return b.zeros(DType::SI32, {0, x.rank()});
  bool scalar = x.rank() == 0;
  if (scalar)
    x = b.expandDims(x, {0});
  Value found = b.op("coreai.non_zero", {x}, {}, Type{DType::SI32, {kDynamic, x.rank()}});
  return scalar ? b.sliceAxis(found, 1, 0, 0) : found;
}

// (self, size, fill_value): as many coordinates as asked for, filled up.
Value nonzeroStatic(Node n, Builder &b) {
  Value x = n.tensor(0);
  int64_t size = n.integer("size");
  Value fill = b.broadcastTo(b.constant(n.integer("fill_value", -1), DType::SI32, {1, 1}), {size, x.rank()});
  if (x.elements() == 0 || x.rank() == 0 || size == 0)
    return x.rank() == 0 ? b.zeros(DType::SI32, {size, 0}) : fill;
  Value found = b.op("coreai.non_zero", {b.toBool(x)}, {}, Type{DType::SI32, {kDynamic, x.rank()}});
  Value whole = b.op("coreai.concat", {b.index(0), found, fill}, {}, Type{DType::SI32, {kDynamic, x.rank()}});
  return b.op("coreai.slice", {whole, b.indices({0, 0}), b.indices({size, x.rank()}), b.indices({1, 1})}, {},
              Type{DType::SI32, {size, x.rank()}});
}

// (repeats, output_size): element j names the first place up to which the repeats add up to more than j.
Value repeatInterleave(Node n, Builder &b) {
  Value repeats = b.cast(n.tensor(0), DType::SI32);
  int64_t size = n.has("output_size") ? n.integer("output_size") : kDynamic;
  if (repeats.elements() == 0 || size == 0)
    return b.zeros(DType::SI32, {0});
  Value ends = b.op("coreai.scan", {repeats, b.index(0, DType::UI32), b.constant(false, DType::Bool)},
                    {{"scan_op", 0}}, repeats.type());
  Value total = size == kDynamic ? b.sum(repeats, {0}, false) : b.index(size);
  Value at = b.op("coreai.range", {b.index(0), total, b.index(1)}, {}, Type{DType::SI32, {size}});
  Value passed = b.lessEqual(b.expandDims(ends, {0}), b.expandDims(at, {1}));
  return b.sum(b.cast(passed, DType::SI32), {1}, false);
}

Value maskedSelect(Node n, Builder &b) {
  Value x = n.tensor(0), mask = n.tensor(1);
  Shape common = b.broadcastShapes(b.shape(x), b.shape(mask));
  if (common.empty())
    common = {1};
  x = b.broadcastTo(x, common);
  mask = b.broadcastTo(mask, common);
  Indexed at = prepare(b, x, {mask});
  return b.op("coreai.gather_nd", {at.base, at.indices}, {}, Type{x.dtype(), {kDynamic}});
}

// The k-th true of the mask takes the k-th element of the source.
Value maskedScatter(Node n, Builder &b) {
  Value x = n.tensor(0), mask = n.tensor(1), source = b.cast(n.tensor(2), x.dtype());
  Shape common = b.broadcastShapes(b.shape(x), b.shape(mask));
  mask = b.broadcastTo(mask, common);
  x = b.broadcastTo(x, common);
  if (source.elements() == 0)
    return x;
  Value flatMask = b.flatten(mask);
  Value rank = b.op("coreai.scan",
                    {b.cast(flatMask, DType::SI32), b.index(0, DType::UI32), b.constant(false, DType::Bool)},
                    {{"scan_op", 0}});
  Value at = b.maximum(b.sub(rank, 1), 0);
  // Positions past the source's end stand under false, so any element serves there.
  Value flatSource = b.flatten(source);
  at = b.minimum(at, b.sub(b.scalarOf(b.dim(flatSource, 0)), 1));
  Value picked = byParts(b, flatSource, [&](Value part) { return b.gatherAlongAxis(part, at, 0); });
  return b.reshape(b.where(flatMask, picked, b.flatten(x)), common);
}

Value maskedFill(Node n, Builder &b) {
  Value x = n.tensor(0);
  Operand fill = b.operand(n, 2);
  return b.where(b.toBool(n.tensor(1)), b.as(fill, x.dtype()), x);
}

} // namespace sixrung::aten
