#include "normalization.hpp"

#include <limits>

namespace sixrung::aten {

Normalized normalize(Builder &b, Value x, const Ints &axes, double epsilon) {
  Value mean = b.mean(x, axes), centered = b.sub(x, mean);
  Value inverse = b.rsqrt(b.add(b.mean(b.square(centered), axes), epsilon));
  return {b.mul(centered, inverse), mean, inverse};
}

Value affine(Builder &b, Value x, Value weight, Value bias) {
  if (weight)
    x = b.mul(x, b.cast(weight, x.dtype()));
  return bias ? b.add(x, b.cast(bias, x.dtype())) : x;
}

Value perChannel(Builder &b, Value vector, int rank) {
  if (!vector)
    return vector;
  Shape shape(static_cast<size_t>(rank - 1), Dim(1));
  shape[0] = b.dim(vector, 0);
  return b.reshape(vector, shape);
}

Values layerNorm(Node n, Builder &b) {
  Value x = widened(b, n.tensor(0));
  Ints axes;
  int normalized = static_cast<int>(n.shape(1).size());
  for (int i = x.rank() - normalized; i < x.rank(); ++i)
    axes.push_back(i);
  Normalized result = normalize(b, x, axes, n.number(4, 1e-5));
  Value out = affine(b, result.value, n.optionalTensor(2), n.optionalTensor(3));
  return {b.asResult(out, 0), b.asResult(result.mean, 1), b.asResult(result.inverse, 2)};
}

Values groupNorm(Node n, Builder &b) { // (input, weight, bias, N, C, HxW, group, eps)
  Value x = widened(b, n.tensor(0));
  int64_t groups = n.integer(6), channels = x.dim(1);
  Shape whole = b.shape(x), rest(whole.begin() + 2, whole.end());
  if (channels == kDynamic)
    return unsupported("group norm over a dynamic number of channels", "export with the channel dim static");
  Dim inner = b.mulDims(b.product(rest), channels / groups);
  Value grouped = b.reshape(x, {whole[0], groups, inner});
  Normalized result = normalize(b, grouped, {2}, n.number(7));
  Value out = affine(b, b.reshape(result.value, whole), perChannel(b, n.optionalTensor(1), x.rank()),
                     perChannel(b, n.optionalTensor(2), x.rank()));
  Shape statistics{whole[0], groups};
  Values all{b.asResult(out, 0)};
  for (int i = 1; i < 3; ++i)
    all.push_back(n.result(i).used
                      ? b.asResult(b.reshape(i == 1 ? result.mean : result.inverse, statistics), i)
                      : Value());
  return all;
}

// (input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled)
Value instanceNorm(Node n, Builder &b) {
  Value x = widened(b, n.tensor(0));
  int rank = x.rank();
  Value weight = perChannel(b, n.optionalTensor(1), rank), bias = perChannel(b, n.optionalTensor(2), rank);
  double epsilon = n.number("eps", 1e-5);
  if (n.boolean("use_input_stats", true)) {
    Ints axes;
    for (int i = 2; i < rank; ++i)
      axes.push_back(i);
    return b.asResult(affine(b, normalize(b, x, axes, epsilon).value, weight, bias));
  }
  Value mean = perChannel(b, widened(b, n.tensor("running_mean")), rank);
  Value variance = perChannel(b, widened(b, n.tensor("running_var")), rank);
  Value result = b.mul(b.sub(x, mean), b.rsqrt(b.add(variance, epsilon)));
  return b.asResult(affine(b, result, weight, bias));
}

Value rmsNorm(Node n, Builder &b) { // (input, normalized_shape, weight, eps)
  Value x = widened(b, n.tensor(0));
  Ints axes;
  int normalized = static_cast<int>(n.shape(1).size());
  for (int i = x.rank() - normalized; i < x.rank(); ++i)
    axes.push_back(i);
  double machine = x.dtype() == DType::F64 ? std::numeric_limits<double>::epsilon()
                                           : std::numeric_limits<float>::epsilon();
  Value inverse = b.rsqrt(b.add(b.mean(b.square(x), axes), n.number(3, machine)));
  return b.asResult(affine(b, b.mul(x, inverse), n.optionalTensor(2), Value()));
}

} // namespace sixrung::aten
