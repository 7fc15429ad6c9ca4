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

// For each element of the view, the number of the element of x that lies there; none where one lies beyond x.
std::optional<Ints> elementsAt(Value x, const Layout &layout, const Ints &sizes, const Ints &strides,
                               int64_t offset) {
  std::unordered_map<int64_t, int64_t> places; // in storage -> in x, row by row
  int64_t next = 0;
  walk(x.dims(), layout.strides, layout.offset, [&](int64_t place) { places.emplace(place, next++); });
  Ints picks;
  bool inside = true;
  walk(sizes, strides, offset, [&](int64_t place) {
    auto found = places.find(place);
    inside = inside && found != places.end();
    picks.push_back(inside ? found->second : 0);
  });
  return inside ? std::optional<Ints>(picks) : std::nullopt;
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
  std::optional<Ints> picks = elementsAt(x, *layout, sizes, strides, offset);
  if (!picks)
    return unsupported("as_strided that reads storage beyond its input",
                       "slice the tensor that owns the storage");
  Value flat = b.flatten(x);
  return b.reshape(picks->empty() ? b.sliceAxis(flat, 0, 0, 0)
                                  : b.gatherNd(flat, b.expandDims(b.indices(*picks), {1})),
                   shape);
}

// (input, src, size, stride, storage_offset): the input with src written where as_strided would read.
Value asStridedScatter(Node n, Builder &b) {
  Value x = n.tensor(0), source = b.cast(n.tensor(1), x.dtype());
  Ints sizes = staticDims(n.shape(2)), strides = staticDims(n.shape(3));
  std::optional<Layout> layout = n.layout(0);
  if (!layout || !isSmall(sizes, strides) || !isSmall(x.dims(), layout->strides))
    return unsupported("as_strided_scatter with sizes or strides known only at run time or too many",
                       "use slice_scatter or index_put instead");
  std::optional<Ints> picks =
      elementsAt(x, *layout, sizes, strides, n.has(4) ? n.integer(4) : layout->offset);
  if (!picks)
    return unsupported("as_strided_scatter that writes storage beyond its input",
                       "write to the tensor that owns the storage");
  if (picks->empty())
    return x;
  Value put =
      b.op("coreai.scatter_along_axis", {b.flatten(x), b.indices(*picks), b.flatten(source), b.index(0)},
           {{"scatter_mode", "update"}}, Type{x.dtype(), {x.elements()}});
  return b.reshape(put, b.shape(x));
}

// (input, dimension, size, step): windows along an axis, their elements along a new last one.
Value unfold(Node n, Builder &b) {
  Value x = n.tensor(0);
  int64_t size = n.integer(2), step = n.integer(3);
  if (x.rank() == 0)
    return b.sliceAxis(b.reshape(x, {1}), 0, 0, size);
  int axis = axisOf(n.integer(1), x.rank());
  if (x.elements() == 0 || size == 0)
    return b.zeros(x.dtype(), resultDims(n));
  Dim windows = b.addDims(b.floorDivideDims(b.subDims(b.dim(x, axis), size), step), 1);
  Value starts = b.op("coreai.range", {b.index(0), b.scalarOf(b.mulDims(windows, step)), b.index(step)}, {},
                      Type{DType::SI32, {windows.size()}});
  Ints inside(static_cast<size_t>(size));
  for (int64_t i = 0; i < size; ++i)
    inside[static_cast<size_t>(i)] = i;
  Value picks = b.add(b.expandDims(starts, {1}), b.expandDims(b.indices(inside), {0}));
  Ints first{axis}, order; // the axis first for the gather; then it stands back, and the window is last
  for (int i = 0; i < x.rank(); ++i)
    if (i != axis)
      first.push_back(i);
  for (int i = 0; i < x.rank(); ++i)
    order.push_back(i == axis ? 0 : i < axis ? i + 2 : i + 1);
  order.push_back(1);
  return b.transpose(b.gatherNd(b.transpose(x, first), b.expandDims(picks, {2})), order);
}

} // namespace sixrung::aten
