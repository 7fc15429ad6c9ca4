#include "resampling.hpp"

namespace sixrung::aten {
namespace {

enum Padding { kZeros, kBorder, kReflection };

Value clampTo(Builder &b, Value at, Value size) { return b.minimum(b.maximum(at, 0.0), b.sub(size, 1.0)); }

// -1..1 to positions; what lies outside goes to the border or is mirrored there when `padding` asks.
Value positions(Builder &b, Value grid, Value size, int64_t padding, bool corners) {
  Value at = corners ? b.mul(b.divide(b.add(grid, 1.0), 2.0), b.sub(size, 1.0))
                     : b.divide(b.sub(b.mul(b.add(grid, 1.0), size), 1.0), 2.0);
  if (padding == kZeros)
    return at;
  if (padding == kReflection) {
    // Mirrors at 0 and size - 1 (corners), or at -0.5 and size - 0.5; one element is its own mirror.
    Value low = b.constant(corners ? 0.0 : -0.5, DType::F32), span = corners ? b.sub(size, 1.0) : size;
    Value none = b.equal(span, 0.0), safe = b.where(none, 1.0, span);
    Value distance = b.abs(b.sub(at, low));
    Value flips = b.floor(b.divide(distance, safe));
    Value rest = b.sub(distance, b.mul(flips, safe));
    Value odd = b.greater(b.sub(flips, b.mul(b.floor(b.divide(flips, 2.0)), 2.0)), 0.5);
    at = b.add(b.where(odd, b.sub(safe, rest), rest), low);
    at = b.where(none, 0.0, at);
  }
  return clampTo(b, at, size);
}

} // namespace

Value gridSample(Node n, Builder &b) {
  Value x = n.tensor(0), grid = n.tensor(1);
  int64_t mode = n.integer(2), padding = n.integer(3);
  bool corners = n.boolean(4);
  if (mode != 0 && mode != 1)
    return unsupported("grid_sample with bicubic interpolation", "use mode='bilinear' or 'nearest'");
  if (!isFloat(x.dtype()))
    return unsupported("grid_sample of integers", "cast to a float type first");
  DType dtype = x.dtype();
  Shape shape = b.shape(x), gridShape = b.shape(grid);
  Value image = b.transpose(b.cast(x, DType::F32), {0, 2, 3, 1}); // N H W C
  grid = b.cast(grid, DType::F32);
  Value height = b.cast(b.scalarOf(shape[2]), DType::F32), width = b.cast(b.scalarOf(shape[3]), DType::F32);
  auto part = [&](int64_t which) { return b.shrinkDims(b.sliceAxis(grid, 3, which, which + 1), {3}); };
  Value across = positions(b, part(0), width, padding, corners);
  Value down = positions(b, part(1), height, padding, corners);

  Shape cells{gridShape[0], gridShape[1], gridShape[2]}, picks = cells;
  picks.push_back(1);
  Value batch = b.reshape(b.range(0, b.scalarOf(shape[0]), 1, DType::SI32), {shape[0], 1, 1});
  batch = b.reshape(b.broadcastTo(batch, cells), picks);
  // Pixels at whole positions; those outside are 0.
  auto pixel = [&](Value row, Value column) {
    auto index = [&](Value at, Value size) {
      return b.reshape(b.cast(clampTo(b, at, size), DType::SI32), picks);
    };
    Value value = b.gatherNd(image, b.concat({batch, index(row, height), index(column, width)}, 3));
    Value inside = b.logicalAnd(b.logicalAnd(b.greater(row, -0.5), b.less(row, height)),
                                b.logicalAnd(b.greater(column, -0.5), b.less(column, width)));
    return b.where(b.reshape(inside, picks), value, 0.0);
  };
  Value result;
  if (mode == 1) {
    result = pixel(b.round(down), b.round(across));
  } else {
    Value top = b.floor(down), left = b.floor(across), bottom = b.add(top, 1.0), right = b.add(left, 1.0);
    auto weighted = [&](Value row, Value column, Value height, Value width) {
      return b.mul(pixel(row, column), b.reshape(b.mul(height, width), picks));
    };
    Value toBottom = b.sub(bottom, down), toRight = b.sub(right, across);
    Value fromTop = b.sub(down, top), fromLeft = b.sub(across, left);
    result =
        b.add(b.add(weighted(top, left, toBottom, toRight), weighted(top, right, toBottom, fromLeft)),
              b.add(weighted(bottom, left, fromTop, toRight), weighted(bottom, right, fromTop, fromLeft)));
  }
  return b.cast(b.transpose(result, {0, 3, 1, 2}), dtype);
}

} // namespace sixrung::aten
