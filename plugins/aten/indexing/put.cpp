#include "indexing.hpp"

namespace sixrung::aten {
namespace {

// x[mask] = or += values that are the same for every hit: a select, whatever the mask's run-time count.
Value fillByMask(Builder &b, Value x, const Values &entries, Value values, bool accumulate) {
  int masks = 0, axis = 0, first = 0;
  Value mask;
  for (const Value &entry : entries) {
    if (entry && entry.dtype() == DType::Bool) {
      ++masks;
      mask = entry;
      first = axis;
    } else if (entry) {
      return {};
    }
    ++axis;
  }
  if (masks != 1 || mask.rank() == 0)
    return {};
  // Where x has the mask's axes, the values have one, for the hits.
  int after = x.rank() - first - mask.rank(), hits = values.rank() - 1 - after;
  if (hits >= 0 && values.elements() != 1) {
    if (values.dim(hits) != 1)
      return {};
    Ints added;
    for (int i = 1; i < mask.rank(); ++i)
      added.push_back(hits + i);
    values = b.expandDims(values, added);
  }
  if (values.elements() == 1)
    values = b.scalar(values);
  Ints trailing;
  for (int i = 0; i < after; ++i)
    trailing.push_back(mask.rank() + i);
  mask = b.expandDims(mask, trailing);
  return b.where(mask, accumulate ? b.add(x, values) : values, x);
}

Ints inverse(const Ints &order) {
  Ints result(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    result[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return result;
}

// Broadcast to the shape x[indices] has, then the picked axes first, as `base` has the indexed ones.
Value updatesFor(Builder &b, const Indexed &at, Value values) {
  Shape target;
  size_t before = static_cast<size_t>(at.before), picks = at.picked.size();
  target.insert(target.end(), at.rest.begin(), at.rest.begin() + at.before);
  target.insert(target.end(), at.picked.begin(), at.picked.end());
  target.insert(target.end(), at.rest.begin() + at.before, at.rest.end());
  values = b.broadcastTo(values, target);
  Ints order;
  for (size_t i = 0; i < picks; ++i)
    order.push_back(static_cast<int64_t>(before + i));
  for (size_t i = 0; i < before; ++i)
    order.push_back(static_cast<int64_t>(i));
  for (size_t i = before + picks; i < target.size(); ++i)
    order.push_back(static_cast<int64_t>(i));
  return b.transpose(values, order);
}

// Duplicate positions add up: rows of the flattened base, by linear index.
Value accumulated(Builder &b, const Indexed &at, Value updates) {
  Shape base = b.shape(at.base);
  Dim rows = 1;
  for (int i = 0; i < at.depth; ++i)
    rows = b.mulDims(rows, base[static_cast<size_t>(i)]);
  Dim width = b.product(at.rest), count = b.product(at.picked);
  Value linear;
  for (int i = 0; i < at.depth; ++i) {
    Value column = b.reshape(b.sliceAxis(at.indices, -1, i, i + 1), {count});
    Value size = b.scalarOf(base[static_cast<size_t>(i)]);
    column = b.where(b.less(column, 0), b.add(column, size), column);
    linear = linear ? b.add(b.mul(linear, size), column) : column;
  }
  Value rowsOf = b.broadcastTo(b.expandDims(linear, {1}), {count, width});
  Value flat = b.reshape(at.base, {rows, width});
  Value sum =
      b.op("coreai.scatter_along_axis", {flat, rowsOf, b.reshape(updates, {count, width}), b.index(0)},
           {{"scatter_mode", "add"}}, flat.type());
  return b.reshape(sum, base);
}

} // namespace

Value indexPut(Node n, Builder &b) {
  Value x = n.tensor(0), values = b.cast(n.tensor(2), x.dtype());
  Values entries = n.tensors(1);
  bool accumulate = n.boolean(3, false);
  bool any = false;
  for (const Value &entry : entries)
    any = any || entry;
  if (!any)
    return accumulate ? b.add(x, values) : b.broadcastTo(values, b.shape(x));
  if (Value filled = fillByMask(b, x, entries, values, accumulate))
    return filled;
  Indexed at = prepare(b, x, entries);
  Value updates = updatesFor(b, at, values);
  if (at.indices.elements() == 0 || at.base.elements() == 0)
    return x;
  Value put;
  if (accumulate) {
    // The runtime adds no bools and no 8-bit numbers, and ends the process where a sum overflows; eager
    // wraps.
    DType dtype = x.dtype(), inner = dtype == DType::Bool || isInteger(dtype) ? DType::SI64 : dtype;
    at.base = b.cast(at.base, inner);
    put = b.wrapCast(accumulated(b, at, b.cast(updates, inner)), dtype);
  } else {
    Type element{x.dtype(), {}};
    sixrung_region update = b.region({element, element}, [](const Values &args) { return Values{args[1]}; });
    put = b.ops("coreai.scatter_nd", {at.base, at.indices, updates}, {}, 1, {at.base.type()}, {update})[0];
  }
  return b.transpose(put, inverse(at.order));
}

// (self, index, source, accumulate): places in the flattened tensor.
Value put(Node n, Builder &b) {
  Value x = n.tensor(0), flat = b.flatten(x), index = b.flatten(n.tensor(1)), source = b.flatten(n.tensor(2));
  Value result = b.lower("aten::index_put.default", {flat, Values{index}, source, n.boolean(3, false)},
                         ResultInfo::of(flat.type()));
  return b.reshape(result, b.shape(x));
}

} // namespace sixrung::aten
