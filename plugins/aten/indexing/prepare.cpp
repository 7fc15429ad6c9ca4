#include "indexing.hpp"

namespace sixrung::aten {
namespace {

bool isMask(const Value &v) { return v && (v.dtype() == DType::Bool || v.dtype() == DType::UI8); }

// A mask of rank r stands for r index vectors: the coordinates where it is true.
Values withoutMasks(Builder &b, const Values &entries) {
  Values result;
  for (const Value &entry : entries) {
    if (!isMask(entry)) {
      result.push_back(entry ? b.cast(entry, DType::SI32) : entry);
      continue;
    }
    if (entry.rank() == 0)
      return unsupported("indexing by a 0-d mask", "use torch.where, or unsqueeze both").operator Values();
    Value where = b.op("coreai.non_zero", {b.toBool(entry)}, {}, Type{DType::SI32, {kDynamic, entry.rank()}});
    for (int axis = 0; axis < entry.rank(); ++axis)
      result.push_back(b.shrinkDims(b.sliceAxis(where, 1, axis, axis + 1), {1}));
  }
  return result;
}

} // namespace

Indexed prepare(Builder &b, Value x, Values entries) {
  Indexed result;
  entries = withoutMasks(b, entries);
  entries.resize(static_cast<size_t>(x.rank()));
  Values used;
  Ints others;
  int first = -1, last = -1;
  for (int axis = 0; axis < x.rank(); ++axis) {
    Value entry = entries[static_cast<size_t>(axis)];
    if (!entry) {
      others.push_back(axis);
      continue;
    }
    if (first < 0)
      first = axis;
    last = axis;
    used.push_back(entry);
    result.order.push_back(axis);
  }
  result.depth = static_cast<int>(used.size());
  bool adjacent = last - first + 1 == result.depth;
  result.before = adjacent && first > 0 ? first : 0;
  for (int64_t axis : others) {
    result.order.push_back(axis);
    result.rest.push_back(b.dim(x, axis));
  }
  result.base = b.transpose(x, result.order);
  for (const Value &entry : used)
    result.picked = result.picked.empty() ? b.shape(entry) : b.broadcastShapes(result.picked, b.shape(entry));
  Values columns;
  for (const Value &entry : used)
    columns.push_back(b.expandDims(b.broadcastTo(entry, result.picked), {-1}));
  result.indices = b.concat(columns, -1);
  return result;
}

} // namespace sixrung::aten
