// The linear algebra family: products of matrices and vectors.
#include "sixrung/sdk.hpp"

using namespace sixrung;

namespace {

// Integer sums of products run in si64, as eager's int64 does, and those of halves in f32: the
// runtime would add up in the element type, and aborts on matrices of 8 bits. With no terms the product
// is zero, which the runtime is not asked to find out.
Value product(Builder &b, Value x, Value y) {
  x = b.cast(x, opmath(x.dtype()));
  y = b.cast(y, opmath(y.dtype()));
  if (isInteger(x.dtype())) {
    x = b.cast(x, DType::SI64);
    y = b.cast(y, DType::SI64);
  }
  if (x.dim(-1) == 0) {
    Shape shape = b.shape(x);
    shape.back() = b.dim(y, -1);
    return b.broadcastTo(b.zeros(x.dtype(), Ints(shape.size(), 1)), shape);
  }
  return b.matmul(x, y);
}

// int32 stays int32 in PyTorch and wraps; int64 stays as wide as it came out.
Value asProgram(Node n, Builder &b, Value x) {
  ResultInfo info = n.result(0);
  return represents(x.dtype(), info.dtype) ? x : b.wrapCast(x, info.valueDtype);
}

Value matrixProduct(Node n, Builder &b) { return asProgram(n, b, product(b, n.tensor(0), n.tensor(1))); }

Value matrixVector(Builder &b, Value matrix, Value vector) {
  return b.shrinkDims(product(b, matrix, b.expandDims(vector, {1})), {-1});
}
Value mv(Node n, Builder &b) { return asProgram(n, b, matrixVector(b, n.tensor(0), n.tensor(1))); }

Value dot(Node n, Builder &b) {
  Value row = b.expandDims(n.tensor(0), {0}), column = b.expandDims(n.tensor(1), {1});
  return asProgram(n, b, b.shrinkDims(product(b, row, column), {0, 1}));
}

// beta * bias + alpha * product. With beta 0 the bias is not read, so its NaNs do not spread.
Value combined(Node n, Builder &b, Value bias, Value product) {
  Scalar beta = n.scalar("beta", Scalar(1)), alpha = n.scalar("alpha", Scalar(1));
  auto isOne = [](const Scalar &s) { return s.toDouble() == 1; };
  DType dtype = product.dtype();
  if (!isOne(alpha))
    product = b.mul(product, b.as(Operand(alpha), dtype));
  if (beta.toDouble() == 0)
    return asProgram(n, b, product);
  bias = b.cast(bias, dtype);
  if (!isOne(beta))
    bias = b.mul(bias, b.as(Operand(beta), dtype));
  return asProgram(n, b, b.add(product, bias));
}

Value addmm(Node n, Builder &b) { return combined(n, b, n.tensor(0), product(b, n.tensor(1), n.tensor(2))); }
Value addmv(Node n, Builder &b) {
  return combined(n, b, n.tensor(0), matrixVector(b, n.tensor(1), n.tensor(2)));
}

// Sums the products over the batch.
Value addbmm(Node n, Builder &b) {
  return combined(n, b, n.tensor(0), b.sum(product(b, n.tensor(1), n.tensor(2)), {0}, false));
}

Value linear(Node n, Builder &b) {
  Value x = n.tensor(0), weight = n.tensor(1), bias = n.optionalTensor(2);
  bool vector = weight.rank() == 1;
  Value w = vector ? b.expandDims(weight, {1}) : b.swapAxes(weight, 0, 1);
  bool lone = x.rank() == 1;
  Value y = product(b, lone ? b.expandDims(x, {0}) : x, w);
  Ints gone;
  if (lone)
    gone.push_back(0);
  if (vector)
    gone.push_back(y.rank() - 1);
  y = b.shrinkDims(y, gone);
  return asProgram(n, b, bias ? b.add(y, bias) : y);
}

// torch.matmul: 1-d operands get an axis for the product and lose it after.
Value matmul(Node n, Builder &b) {
  Value x = n.tensor(0), y = n.tensor(1);
  bool left = x.rank() == 1, right = y.rank() == 1;
  if (left)
    x = b.expandDims(x, {0});
  if (right)
    y = b.expandDims(y, {1});
  Value z = product(b, x, y);
  Ints gone;
  if (left)
    gone.push_back(z.rank() - 2);
  if (right)
    gone.push_back(z.rank() - 1);
  return asProgram(n, b, b.shrinkDims(z, gone));
}

// (i1, i2, i3, expand1, expand2, expand3, sumdim): the product of three, each with new axes, summed.
Value trilinear(Node n, Builder &b) {
  Value result;
  for (int i = 0; i < 3; ++i) {
    Value x = n.tensor(i);
    Ints added = n.ints(3 + i), sorted = axesOf(added, x.rank() + static_cast<int>(added.size()));
    x = b.expandDims(b.cast(x, opmath(x.dtype())), sorted);
    result = result ? b.mul(result, x) : x;
  }
  return asProgram(n, b, b.sum(result, axesOf(n.ints(6), result.rank()), false));
}

constexpr Lowering kLowerings[] = {
    {"aten::mm.default", matrixProduct},
    {"aten::bmm.default", matrixProduct},
    {"aten::_int_mm.default", matrixProduct},
    {"aten::mv.default", mv},
    {"aten::dot.default", dot},
    {"aten::addmm.default", addmm},
    {"aten::baddbmm.default", addmm},
    {"aten::addmv.default", addmv},
    {"aten::addbmm.default", addbmm},
    {"aten::linear.default", linear},
    {"aten::matmul.default", matmul},
    {"aten::_trilinear.default", trilinear},
};
} // namespace

SIXRUNG_PLUGIN("org.sixrung.aten.linear_algebra", "0.1.0", kLowerings);
