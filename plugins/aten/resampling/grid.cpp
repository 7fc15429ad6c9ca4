#include "resampling.hpp"

namespace sixrung::aten {
namespace {

enum Padding { kZeros, kBorder, kReflection };

Value clampTo(Builder &b, Value at, Value size) { return b.minimum(b.maximum(at, 0.0), b.sub(size, 1.0)); }

// -1..1 to positions.
Value unnormalized(Builder &b, Value grid, Value size, bool corners) {
  return corners ? b.mul(b.divide(b.add(grid, 1.0), 2.0), b.sub(size, 1.0))
                 : b.divide(b.sub(b.mul(b.add(grid, 1.0), size), 1.0), 2.0);
}

// What lies outside goes to the border or is mirrored there when `padding` asks.
Value placed(Builder &b, Value at, Value size, int64_t padding, bool corners) {
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

// A pixel along one axis, and its weight; no weight is one.
struct Tap {
  Value at, weight;
};

// Keys' cubic with A = -0.75: four pixels around, each of them placed on its own.
std::vector<Tap> cubicTapsAt(Builder &b, Value at, const std::function<Value(Value)> &place) {
  constexpr double A = -0.75;
  Value low = b.floor(at), t = b.sub(at, low), one = b.constant(1.0, DType::F32);
  auto near = [&](Value x) { // ((A + 2) x - (A + 3)) x x + 1
    return b.add(b.mul(b.mul(b.sub(b.mul(x, A + 2), A + 3), x), x), 1.0);
  };
  auto far = [&](Value x) { // ((A x - 5 A) x + 8 A) x - 4 A
    return b.sub(b.mul(b.add(b.mul(b.sub(b.mul(x, A), 5 * A), x), 8 * A), x), 4 * A);
  };
  Value weights[] = {far(b.add(t, 1.0)), near(t), near(b.sub(one, t)),
                     far(b.sub(b.constant(2.0, DType::F32), t))};
  std::vector<Tap> taps;
  for (int i = 0; i < 4; ++i)
    taps.push_back({place(i == 1 ? low : b.add(low, static_cast<double>(i - 1))), weights[i]});
  return taps;
}

} // namespace

// Images [N, C, H, W] or volumes [N, C, D, H, W], at positions whose last axis counts from the last of
// theirs.
Value gridSample(Node n, Builder &b) {
  enum { kLinear, kNearest, kCubic };
  Value x = n.tensor(0), grid = b.cast(n.tensor(1), DType::F32);
  int64_t mode = n.integer(2), padding = n.integer(3);
  bool corners = n.boolean(4);
  int axes = x.rank() - 2;
  if (mode < kLinear || mode > kCubic || (mode == kCubic && axes != 2))
    return unsupported("grid_sample of interpolation mode " + std::to_string(mode),
                       "use mode='bilinear' or 'nearest'");
  if (!isFloat(x.dtype()))
    return unsupported("grid_sample of integers", "cast to a float type first");
  Shape shape = b.shape(x), gridShape = b.shape(grid), cells(gridShape.begin(), gridShape.end() - 1),
        picks = cells;
  picks.push_back(1);
  Ints channelsLast{0}, channelsFirst{0, axes + 1};
  for (int i = 0; i < axes; ++i) {
    channelsLast.push_back(i + 2);
    channelsFirst.push_back(i + 1);
  }
  channelsLast.push_back(1);
  Value image = b.transpose(b.cast(x, DType::F32), channelsLast);

  Values sizes;
  std::vector<std::vector<Tap>> taps;
  for (int i = 0; i < axes; ++i) {
    Value size = b.cast(b.scalarOf(shape[static_cast<size_t>(i) + 2]), DType::F32);
    int64_t which = axes - 1 - i;
    Value at =
        unnormalized(b, b.shrinkDims(b.sliceAxis(grid, -1, which, which + 1), {axes + 1}), size, corners);
    auto place = [&](Value v) { return placed(b, v, size, padding, corners); };
    sizes.push_back(size);
    if (mode == kCubic) {
      taps.push_back(cubicTapsAt(b, at, place));
    } else if (mode == kNearest) {
      taps.push_back({{b.round(place(at)), Value()}});
    } else {
      at = place(at);
      Value low = b.floor(at), high = b.add(low, 1.0);
      taps.push_back({{low, b.sub(high, at)}, {high, b.sub(at, low)}});
    }
  }

  Shape spread(cells.size(), Dim(1));
  spread[0] = shape[0];
  Value batch = b.reshape(b.range(0, b.scalarOf(shape[0]), 1, DType::SI32), spread);
  batch = b.reshape(b.broadcastTo(batch, cells), picks);
  // Pixels at whole positions; those outside are 0. One term for each choice of a tap along every axis.
  std::vector<size_t> choice(taps.size(), 0);
  Value result;
  for (bool more = true; more;) {
    Values index{batch};
    Value inside, weight;
    for (size_t i = 0; i < taps.size(); ++i) {
      const Tap &tap = taps[i][choice[i]];
      index.push_back(b.reshape(b.cast(clampTo(b, tap.at, sizes[i]), DType::SI32), picks));
      Value in = b.logicalAnd(b.greater(tap.at, -0.5), b.less(tap.at, sizes[i]));
      inside = inside ? b.logicalAnd(inside, in) : in;
      weight = weight && tap.weight ? b.mul(weight, tap.weight) : tap.weight ? tap.weight : weight;
    }
    Value term = b.where(b.reshape(inside, picks), b.gatherNd(image, b.concat(index, -1)), 0.0);
    if (weight)
      term = b.mul(term, b.reshape(weight, picks));
    result = result ? b.add(result, term) : term;
    more = false;
    for (size_t i = taps.size(); i-- > 0 && !more;) {
      more = ++choice[i] < taps[i].size();
      if (!more)
        choice[i] = 0;
    }
  }
  return b.cast(b.transpose(result, channelsFirst), x.dtype());
}

} // namespace sixrung::aten
