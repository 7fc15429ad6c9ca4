#include "shape.hpp"

#include <unordered_map>

namespace sixrung::aten {
namespace {

constexpr int64_t kMost = int64_t(1) << 22; // elements whose places are worked out when converting

// The same sizes and, where a size is not 1, the same strides: the elements stay where they are.
bool isSame(Value x, const Ints &sizes, const Ints &strides, const Layout &layout, bool sameOffset) {
  if (!sameOffset || x.dims() != sizes)
    return false;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] != 1 && (strides[i] == kDynamic || strides[i] != layout.strides[i]))
      return false;
  return true;
}

// Calls `visit` with the place in storage of every element, in row-major order.
template <class Visit> void walk(const Ints &sizes, const Ints &strides, int64_t offset, Visit visit) {
  Ints at(sizes.size(), 0);
  int64_t total = 1;
  for (int64_t size : sizes)
    total *= size;
  for (int64_t done = 0; done < total; ++done) {
    visit(offset);
    for (size_t i = sizes.size(); i-- > 0;) {
      offset += strides[i];
      if (++at[i] < sizes[i])
        break;
      offset -= strides[i] * sizes[i];
      at[i] = 0;
    }
  }
}

bool isSmall(const Ints &sizes, const Ints &strides) {
  int64_t total = 1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == kDynamic || strides[i] == kDynamic || sizes[i] > kMost ||
        std::abs(strides[i]) > (int64_t(1) << 40))
      return false;
    total *= sizes[i];
    if (total > kMost)
      return false;
  }
  return true;
}

} // namespace

// (input, size, stride, storage_offset): storage read anew. A value here has no storage; what the program
// says of the input's layout tells which of its elements lies where.
Value asStrided(Node n, Builder &b) {
  Value x = n.tensor(0);
  Shape shape = n.shape(1);
  Ints sizes = resultDims(n), strides = staticDims(n.shape(2));
  std::optional<Layout> layout = n.layout(0);
  if (!layout)
    return unsupported("as_strided of a tensor whose layout the program does not tell",
                       "use view, expand, permute or slicing instead");
  int64_t offset = n.has(3) ? n.integer(3) : layout->offset;
  if (isSame(x, sizes, strides, *layout, offset == layout->offset))
    return b.reshape(x, shape);
  if (!isSmall(sizes, strides) || !isSmall(x.dims(), layout->strides))
    return unsupported(
        "as_strided that moves elements, with sizes or strides known only at run time or too many",
        "use view, expand, permute or slicing instead");
  std::unordered_map<int64_t, int64_t> places; // in storage -> in x, row by row
  int64_t next = 0;
  walk(x.dims(), layout->strides, layout->offset, [&](int64_t place) { places.emplace(place, next++); });
  Ints picks;
  bool inside = true;
  walk(sizes, strides, offset, [&](int64_t place) {
    auto found = places.find(place);
    inside = inside && found != places.end();
    picks.push_back(inside ? found->second : 0);
  });
  if (!inside)
    return unsupported("as_strided that reads storage beyond its input",
                       "slice the tensor that owns the storage");
  Value flat = b.flatten(x);
  return b.reshape(picks.empty() ? b.sliceAxis(flat, 0, 0, 0)
                                 : b.gatherNd(flat, b.expandDims(b.indices(picks), {1})),
                   shape);
}

} // namespace sixrung::aten
