#include "resampling.hpp"

#include <algorithm>
#include <cmath>

namespace sixrung::aten {
namespace {

// floor(size * factor), exactly: a size known only at run time needs a factor of few binary digits.
Dim scaled(Builder &b, const Dim &size, double factor) {
  if (size.isStatic())
    return static_cast<int64_t>(std::floor(static_cast<double>(size.size()) * factor));
  int64_t denominator = 1;
  while (denominator < 1024 && std::floor(factor) != factor) {
    factor *= 2;
    denominator *= 2;
  }
  if (std::floor(factor) != factor || factor > 65536)
    return unsupported("a scale factor that is no multiple of 1/1024, over a size known only at run time",
                       "export that axis as static, or give the output size");
  return b.floorDivideDims(b.mulDims(size, static_cast<int64_t>(factor)), denominator);
}

// The two spellings: `.vec` has one optional list of factors, `.default` an optional number per axis.
std::vector<Axis> axesOf(Node n, Builder &b, int factorsAt) {
  Value x = n.tensor(0);
  int spatial = x.rank() - 2;
  std::vector<Axis> axes(static_cast<size_t>(spatial));
  bool sized = n.has(1);
  Shape sizes = sized ? n.shape(1) : Shape{};
  bool perAxis = n.argName(factorsAt) != "scale_factors";
  std::vector<double> factors;
  if (!perAxis && n.has(factorsAt))
    factors = n.numbers(factorsAt);
  for (int i = 0; i < spatial; ++i) {
    Axis &axis = axes[static_cast<size_t>(i)];
    axis.in = b.dim(x, i + 2);
    if (perAxis)
      axis.factor = n.number(factorsAt + i, 0.0);
    else if (!factors.empty())
      axis.factor = factors[static_cast<size_t>(i)];
    axis.out = sized ? sizes[static_cast<size_t>(i)] : scaled(b, axis.in, axis.factor);
    if (axis.factor < 0)
      axis.factor = 0;
  }
  return axes;
}

bool isStatic(const Axis &axis) { return axis.in.isStatic() && axis.out.isStatic(); }
bool unchanged(const Axis &axis) { return isStatic(axis) && axis.in.size() == axis.out.size(); }

Value empty(Builder &b, Value x, const std::vector<Axis> &axes) {
  Shape shape = b.shape(x);
  for (size_t i = 0; i < axes.size(); ++i)
    shape[i + 2] = axes[i].out;
  return b.broadcastTo(b.zeros(x.dtype(), Ints(shape.size(), 1)), shape);
}
bool nothing(const std::vector<Axis> &axes, Value x) {
  bool none = x.dim(0) == 0 || x.dim(1) == 0;
  for (const Axis &axis : axes)
    none = none || axis.out.is(0);
  return none;
}

Value asFloats(Builder &b, const Dim &size) { return b.cast(b.vectorOf(size), DType::F32); }

// result = source at (i + 0.5 - offset) / scale - 0.5 along each axis, clamped at the borders.
Value interpolate(Builder &b, Value x, const std::vector<Axis> &axes, const Values &scales,
                  const Values &offsets, std::string_view mode) {
  Shape shape = b.shape(x);
  Values scale{b.constant(1.0, DType::F32, {2})}, offset{b.zeros(DType::F32, {2})};
  Ints dims = x.dims();
  for (size_t i = 0; i < axes.size(); ++i) {
    shape[i + 2] = axes[i].out;
    dims[i + 2] = axes[i].out.size();
    scale.push_back(scales[i]);
    offset.push_back(offsets[i]);
  }
  return b.op("coreai.interpolate", {x, b.vector(shape), b.concat(scale, 0), b.concat(offset, 0)},
              {{"interpolation_mode", mode}}, Type{x.dtype(), dims});
}

// Whether every axis grows by a whole factor.
bool wholeFactors(const std::vector<Axis> &axes) {
  return std::all_of(axes.begin(), axes.end(), [](const Axis &a) {
    if (isStatic(a))
      return a.in.size() > 0 && a.out.size() % a.in.size() == 0 &&
             (a.factor == 0 ||
              a.factor * static_cast<double>(a.in.size()) == static_cast<double>(a.out.size()));
    return a.factor >= 1 && std::floor(a.factor) == a.factor;
  });
}
float wholeFactor(const Axis &a) {
  return static_cast<float>(isStatic(a) ? static_cast<double>(a.out.size() / a.in.size()) : a.factor);
}

Taps nearestTaps(const Axis &axis, bool exact) {
  Taps taps;
  int64_t in = axis.in.size(), out = axis.out.size();
  float scale = sourceStep(axis, /*alignCorners=*/false);
  for (int64_t i = 0; i < out; ++i) {
    float source = exact ? std::floor((static_cast<float>(i) + 0.5f) * scale)
                         : std::floor(static_cast<float>(i) * scale);
    int64_t at = out == in ? i : out == 2 * in ? i / 2 : static_cast<int64_t>(source);
    taps.picks.push_back(std::min(at, in - 1));
  }
  return taps;
}

// The same arithmetic at run time.
Value nearestAtRunTime(Builder &b, Value x, int place, const Axis &axis, bool exact) {
  Value scale = axis.factor > 0
                    ? b.constant(static_cast<double>(static_cast<float>(1.0 / axis.factor)), DType::F32)
                    : b.divide(b.scalar(asFloats(b, axis.in)), b.scalar(asFloats(b, axis.out)));
  Value ramp = b.cast(b.range(0, b.scalarOf(axis.out), 1, DType::SI32), DType::F32);
  Value source = b.floor(b.mul(exact ? b.add(ramp, 0.5) : ramp, scale));
  Value picks = b.minimum(b.cast(source, DType::SI32), b.scalarOf(b.subDims(axis.in, 1)));
  return pickAlong(b, x, place, picks);
}

Failed integersRefused(Value x) {
  return unsupported("interpolation between integers, and the input is " + x.text(),
                     "cast to a float type first, and round after");
}

} // namespace

Value upsampleNearest(Node n, Builder &b, std::string_view kind) {
  Value x = n.tensor(0);
  std::vector<Axis> axes = axesOf(n, b, 2);
  if (nothing(axes, x))
    return empty(b, x, axes);
  bool exact = kind == "exact";
  if (isFloat(x.dtype()) && !std::all_of(axes.begin(), axes.end(), unchanged) && wholeFactors(axes)) {
    Values scales, offsets;
    for (const Axis &axis : axes) {
      scales.push_back(b.constant(static_cast<double>(wholeFactor(axis)), DType::F32, {1}));
      offsets.push_back(b.zeros(DType::F32, {1}));
    }
    return interpolate(b, x, axes, scales, offsets, "nearest_neighbor");
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    int place = static_cast<int>(i) + 2;
    if (unchanged(axes[i]))
      continue;
    x = isStatic(axes[i]) ? applyTaps(b, x, place, axes[i].out.size(), nearestTaps(axes[i], exact))
                          : nearestAtRunTime(b, x, place, axes[i], exact);
  }
  return x;
}

Value upsampleLinear(Node n, Builder &b) {
  Value x = n.tensor(0);
  if (!isFloat(x.dtype()))
    return integersRefused(x);
  std::vector<Axis> axes = axesOf(n, b, 3);
  if (nothing(axes, x))
    return empty(b, x, axes);
  bool corners = n.boolean(2);
  Values scales, offsets;
  for (const Axis &axis : axes) {
    Value scale;
    if (corners) {
      if (isStatic(axis)) {
        bool single = axis.in.size() < 2 || axis.out.size() < 2; // every source position is 0
        double value =
            single ? 1.0 : static_cast<double>(axis.out.size() - 1) / static_cast<double>(axis.in.size() - 1);
        scale = b.constant(value, DType::F32, {1});
      } else {
        Value in = asFloats(b, b.subDims(axis.in, 1)), out = asFloats(b, b.subDims(axis.out, 1));
        Value both = b.mul(in, out);
        scale = b.where(b.equal(both, 0.0), 1.0, b.divide(out, b.maximum(in, 1.0)));
      }
      offsets.push_back(b.mul(b.sub(b.constant(1.0, DType::F32, {1}), scale), 0.5));
    } else {
      if (axis.factor > 0)
        scale = b.constant(axis.factor, DType::F32, {1});
      else if (isStatic(axis))
        scale = b.constant(static_cast<double>(axis.out.size()) / static_cast<double>(axis.in.size()),
                           DType::F32, {1});
      else
        scale = b.divide(asFloats(b, axis.out), asFloats(b, axis.in));
      offsets.push_back(b.zeros(DType::F32, {1}));
    }
    scales.push_back(scale);
  }
  DType inner = opmath(x.dtype());
  return b.cast(interpolate(b, b.cast(x, inner), axes, scales, offsets, "linear"), x.dtype());
}

namespace {
Value byTaps(Node n, Builder &b, Taps (*tapsOf)(const Axis &, bool, bool), bool cubic) {
  Value x = n.tensor(0);
  if (!isFloat(x.dtype()))
    return integersRefused(x);
  std::vector<Axis> axes = axesOf(n, b, 3);
  DType dtype = x.dtype();
  if (nothing(axes, x))
    return empty(b, x, axes);
  x = b.cast(x, opmath(dtype));
  for (size_t i = axes.size(); i-- > 0;) { // the last axis first, as eager does
    if (!isStatic(axes[i]))
      return unsupported("cubic or antialiased resampling along an axis whose size is known only at run time",
                         "export that axis as static, or use bilinear without antialias");
    x = applyTaps(b, x, static_cast<int>(i) + 2, axes[i].out.size(), tapsOf(axes[i], n.boolean(2), cubic));
  }
  return b.cast(x, dtype);
}
} // namespace

Value upsampleCubic(Node n, Builder &b) {
  return byTaps(n, b, [](const Axis &axis, bool corners, bool) { return cubicTaps(axis, corners); }, true);
}
Value upsampleAntialias(Node n, Builder &b, std::string_view kind) {
  return byTaps(n, b, antialiasTaps, kind == "cubic");
}

} // namespace sixrung::aten
