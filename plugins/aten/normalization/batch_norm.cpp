#include "normalization.hpp"

#include <cmath>

namespace sixrung::aten {
namespace {

// The numbers of a constant float vector; nothing for any other value.
std::optional<std::vector<double>> numbersOf(Value x) {
  std::optional<Value::Bytes> bytes = x.constant();
  if (!bytes || x.elements() == kDynamic)
    return std::nullopt;
  size_t width = bitWidth(x.dtype()) / 8;
  std::vector<double> result;
  for (int64_t i = 0; i < x.elements(); ++i) {
    const char *at =
        static_cast<const char *>(bytes->data) + (bytes->splat ? 0 : static_cast<size_t>(i) * width);
    auto read = [&](auto value) {
      std::memcpy(&value, at, sizeof value);
      return value;
    };
    switch (x.dtype()) {
    case DType::F16:
      result.push_back(fromF16(read(uint16_t())));
      break;
    case DType::BF16:
      result.push_back(fromBF16(read(uint16_t())));
      break;
    case DType::F32:
      result.push_back(read(float()));
      break;
    case DType::F64:
      result.push_back(read(double()));
      break;
    default:
      return std::nullopt;
    }
  }
  return result;
}

Value vectorOf(Builder &b, const std::vector<double> &numbers, DType dtype) {
  std::vector<float> floats(numbers.begin(), numbers.end());
  Value v =
      b.data(DType::F32, {static_cast<int64_t>(floats.size())}, floats.data(), floats.size() * sizeof(float));
  return b.cast(v, dtype);
}

struct Line {
  Value scale, shift; // per channel: y = scale * x + shift
};

// As eager's inference does it: scale = weight / sqrt(var + eps), shift = bias - mean * scale. Worked
// out here, in double, when all four are constants.
Line lineOf(Builder &b, Value weight, Value bias, Value mean, Value variance, double epsilon, DType dtype) {
  auto m = numbersOf(mean), v = numbersOf(variance);
  auto w = weight ? numbersOf(weight) : std::vector<double>(m ? m->size() : 0, 1.0);
  auto c = bias ? numbersOf(bias) : std::vector<double>(m ? m->size() : 0, 0.0);
  if (m && v && w && c) {
    for (size_t i = 0; i < m->size(); ++i) {
      (*w)[i] /= std::sqrt((*v)[i] + epsilon);
      (*c)[i] -= (*m)[i] * (*w)[i];
    }
    return {vectorOf(b, *w, dtype), vectorOf(b, *c, dtype)};
  }
  Value scale = b.rsqrt(b.add(b.cast(variance, dtype), epsilon));
  if (weight)
    scale = b.mul(scale, b.cast(weight, dtype));
  Value shift = b.mul(b.cast(mean, dtype), scale);
  return {scale, bias ? b.sub(b.cast(bias, dtype), shift) : b.neg(shift)};
}

Ints batchAxes(Value x) { // all but the channels
  Ints axes{0};
  for (int i = 2; i < x.rank(); ++i)
    axes.push_back(i);
  return axes;
}

} // namespace

// (input, weight, bias, running_mean, running_var, momentum, eps) -> out, and two empty tensors
Values batchNormInference(Node n, Builder &b) {
  Value x = widened(b, n.tensor(0));
  Line line =
      lineOf(b, n.optionalTensor(1), n.optionalTensor(2), n.tensor(3), n.tensor(4), n.number(6), x.dtype());
  Value out = b.add(b.mul(x, perChannel(b, line.scale, x.rank())), perChannel(b, line.shift, x.rank()));
  Values all{b.asResult(out)};
  for (int i = 1; i < n.resultCount(); ++i)
    all.push_back(n.result(i).used ? b.zeros(n.result(i).valueDtype, {0}) : Value());
  return all;
}

// (input, weight, bias, training, momentum, eps) -> out, mean, inverse deviation
Values batchNormStatistics(Node n, Builder &b) {
  Value x = widened(b, n.tensor(0));
  Normalized result = normalize(b, x, batchAxes(x), n.number("eps"));
  Value out = affine(b, result.value, perChannel(b, n.optionalTensor(1), x.rank()),
                     perChannel(b, n.optionalTensor(2), x.rank()));
  auto vector = [&](Value v, int index) {
    return n.result(index).used ? b.asResult(b.reshape(v, {b.dim(x, 1)}), index) : Value();
  };
  return {b.asResult(out), vector(result.mean, 1), vector(result.inverse, 2)};
}

// (input, weight, bias, running_mean, running_var, training, momentum, eps)
//   -> out, mean, inverse deviation, new running mean, new running variance
Values batchNormFunctional(Node n, Builder &b) {
  Value x = widened(b, n.tensor(0)), runningMean = n.tensor(3), runningVariance = n.tensor(4);
  if (!n.boolean("training")) {
    Values out = batchNormInference(n, b);
    out.resize(3);
    out.push_back(runningMean);
    out.push_back(runningVariance);
    return out;
  }
  Values all = batchNormStatistics(n, b);
  double momentum = n.number("momentum");
  Ints axes = batchAxes(x);
  Dim channels = b.dim(x, 1);
  auto moved = [&](Value running, Value fresh, int index) {
    Value wide = widened(b, running), target = b.reshape(fresh, {channels});
    return b.asResult(b.add(b.mul(wide, 1.0 - momentum), b.mul(target, momentum)), index);
  };
  Value mean = b.mean(x, axes);
  all.push_back(moved(runningMean, mean, 3));
  Shape counted;
  for (int64_t axis : axes)
    counted.push_back(b.dim(x, axis));
  Value count = b.cast(b.scalarOf(b.product(counted)), x.dtype());
  Value total = b.sum(b.square(b.sub(x, mean)), axes);
  all.push_back(moved(runningVariance, b.divide(total, b.sub(count, 1.0)), 4)); // unbiased, as eager keeps it
  return all;
}

} // namespace sixrung::aten
