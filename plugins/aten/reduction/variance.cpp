#include "reduction.hpp"

namespace sixrung::aten {
namespace {

struct Moments {
  Value variance, mean;
};

Moments moments(Node n, Builder &b) {
  Value x = widened(b, n.tensor(0));
  if (isComplex(x.dtype()))
    return {unsupported("the variance of complex numbers", "add those of the real and the imaginary part"),
            {}};
  Ints axes = axesOfArgument(n, b, x, "dim");
  bool keep = n.boolean("keepdim", false) || x.rank() == 0;
  // var.default and var.dim say `unbiased`, the others a correction of any number.
  Scalar correction = n.scalar("correction", Scalar(n.boolean("unbiased", true) ? 1 : 0));
  Value mean = b.mean(x, axes), centered = b.sub(x, mean);
  Value total = b.sum(b.square(centered), axes);
  Value divisor = b.sub(countOf(b, x, axes, x.dtype()), b.constant(correction, x.dtype()));
  Value variance = b.divide(total, b.maximum(divisor, 0.0)); // too few elements: x / 0, as eager
  return keep ? Moments{variance, mean} : Moments{b.shrinkDims(variance, axes), b.shrinkDims(mean, axes)};
}

} // namespace

Value variance(Node n, Builder &b, std::string_view kind) {
  Value result = moments(n, b).variance;
  return b.asResult(kind == "std" ? b.sqrt(result) : result);
}

Values varianceMean(Node n, Builder &b, std::string_view kind) {
  Moments m = moments(n, b);
  return {b.asResult(kind == "std" ? b.sqrt(m.variance) : m.variance, 0), b.asResult(m.mean, 1)};
}

} // namespace sixrung::aten
