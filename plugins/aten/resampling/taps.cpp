#include "resampling.hpp"

#include <algorithm>
#include <cmath>

namespace sixrung::aten {
float sourceStep(const Axis &axis, bool alignCorners) {
  if (alignCorners)
    return axis.out.size() > 1
               ? static_cast<float>(axis.in.size() - 1) / static_cast<float>(axis.out.size() - 1)
               : 0.0f;
  if (axis.factor > 0)
    return static_cast<float>(1.0 / axis.factor);
  return static_cast<float>(axis.in.size()) / static_cast<float>(axis.out.size());
}

namespace {

// Cubic convolution with coefficient `a`.
template <class T> T cubic(T x, T a) {
  x = std::abs(x);
  if (x < 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : T(0);
}

} // namespace

Taps cubicTaps(const Axis &axis, bool alignCorners) {
  Taps taps{4, {}, {}};
  float scale = sourceStep(axis, alignCorners);
  for (int64_t i = 0; i < axis.out.size(); ++i) {
    float source =
        alignCorners ? scale * static_cast<float>(i) : scale * (static_cast<float>(i) + 0.5f) - 0.5f;
    float whole = std::floor(source), part = source - whole;
    for (int k = -1; k <= 2; ++k) {
      taps.picks.push_back(std::clamp<int64_t>(static_cast<int64_t>(whole) + k, 0, axis.in.size() - 1));
      taps.weights.push_back(cubic<float>(part - static_cast<float>(k), -0.75f));
    }
  }
  return taps;
}

// A triangle or cubic filter as wide as the step, so that shrinking averages what it skips.
Taps antialiasTaps(const Axis &axis, bool alignCorners, bool isCubic) {
  double scale = sourceStep(axis, alignCorners);
  double support = (isCubic ? 2.0 : 1.0) * std::max(scale, 1.0), inverse = scale >= 1 ? 1 / scale : 1.0;
  int64_t in = axis.in.size();
  std::vector<int64_t> first;
  std::vector<std::vector<double>> rows;
  Taps taps;
  for (int64_t i = 0; i < axis.out.size(); ++i) {
    double center = scale * (static_cast<double>(i) + 0.5);
    int64_t low = std::max<int64_t>(static_cast<int64_t>(center - support + 0.5), 0);
    int64_t high = std::min<int64_t>(static_cast<int64_t>(center + support + 0.5), in);
    std::vector<double> weights;
    double total = 0;
    for (int64_t at = low; at < high; ++at) {
      double x = (static_cast<double>(at) - center + 0.5) * inverse;
      weights.push_back(isCubic ? cubic<double>(x, -0.5) : std::max(0.0, 1.0 - std::abs(x)));
      total += weights.back();
    }
    for (double &w : weights)
      w /= total == 0 ? 1 : total;
    first.push_back(low);
    taps.taps = std::max<int64_t>(taps.taps, static_cast<int64_t>(weights.size()));
    rows.push_back(std::move(weights));
  }
  for (size_t i = 0; i < rows.size(); ++i)
    for (size_t k = 0; k < static_cast<size_t>(taps.taps); ++k) {
      bool used = k < rows[i].size();
      taps.picks.push_back(std::min(first[i] + static_cast<int64_t>(used ? k : 0), in - 1));
      taps.weights.push_back(used ? static_cast<float>(rows[i][k]) : 0.0f);
    }
  return taps;
}

Value pickAlong(Builder &b, Value x, int axis, Value picks) {
  Ints front{axis}, back;
  for (int i = 0; i < x.rank(); ++i) {
    if (i != axis)
      front.push_back(i);
    back.push_back(i < axis ? i + 1 : i == axis ? 0 : i);
  }
  return b.transpose(b.gatherNd(b.transpose(x, front), b.expandDims(picks, {1})), back);
}

Value applyTaps(Builder &b, Value x, int axis, int64_t out, const Taps &t) {
  Value picked = pickAlong(b, x, axis, b.indices(t.picks)); // [..., out * taps, ...]
  if (t.weights.empty())
    return picked;
  Shape split = b.shape(picked);
  split[static_cast<size_t>(axis)] = out;
  split.insert(split.begin() + axis + 1, t.taps);
  Ints dims(split.size() - static_cast<size_t>(axis), 1);
  dims[0] = out;
  dims[1] = t.taps;
  Value weights = b.data(DType::F32, dims, t.weights.data(), t.weights.size() * sizeof(float));
  return b.sum(b.mul(b.reshape(picked, split), weights), {axis + 1}, false);
}

} // namespace sixrung::aten
