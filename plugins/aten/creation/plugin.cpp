// The creation family: tensors from numbers, no input elements read.
#include "sixrung/sdk.hpp"

using namespace sixrung;

namespace {

// One number over a shape, part of which may be known only at run time.
Value filled(Builder &b, const Operand &fill, DType dtype, const Shape &shape) {
  Ints dims = staticDims(shape);
  bool isStatic = true;
  for (int64_t d : dims)
    isStatic = isStatic && d != kDynamic;
  if (fill.isScalar() && isStatic)
    return b.constant(fill.scalar(), dtype, dims);
  return b.broadcastTo(b.as(fill, dtype), shape);
}

// The shape the program states where static, the argument's sizes elsewhere.
Shape shapeOf(Node n, Arg which) {
  Shape shape = n.shape(which);
  Ints known = n.result(0).dims;
  for (size_t i = 0; i < shape.size(); ++i)
    if (known[i] != kDynamic)
      shape[i] = known[i];
  return shape;
}

DType dtypeOf(Node n) { return n.result(0).valueDtype; }

// A number too large for the narrowed type keeps the program's 64 bits.
DType dtypeFor(Node n, const Operand &fill) {
  ResultInfo info = n.result(0);
  bool large =
      fill.isScalar() && info.dtype == DType::SI64 && !Scalar(fill.scalar().toInt()).fits(info.valueDtype);
  return large ? DType::SI64 : info.valueDtype;
}
Value filledWith(Node n, Builder &b, int index, const Shape &shape) {
  Operand fill = b.operand(n, index);
  return filled(b, fill, dtypeFor(n, fill), shape);
}

Value full(Node n, Builder &b) { return filledWith(n, b, 1, shapeOf(n, 0)); }
Value fullLike(Node n, Builder &b) { return filledWith(n, b, 1, b.shape(n.tensor(0))); }
Value newFull(Node n, Builder &b) { return filledWith(n, b, 2, shapeOf(n, 1)); }

constexpr double number(std::string_view text) { return text == "1" ? 1 : 0; }
Value constantOf(Node n, Builder &b, std::string_view value) {
  return filled(b, Scalar(static_cast<int64_t>(number(value))), dtypeOf(n), shapeOf(n, 0));
}
Value constantLike(Node n, Builder &b, std::string_view value) {
  return filled(b, Scalar(static_cast<int64_t>(number(value))), dtypeOf(n), b.shape(n.tensor(0)));
}
Value newConstant(Node n, Builder &b, std::string_view value) {
  return filled(b, Scalar(static_cast<int64_t>(number(value))), dtypeOf(n), shapeOf(n, 1));
}

Value scalarTensor(Node n, Builder &b) { return filledWith(n, b, 0, {}); }

// Element k is start + k * step, computed as eager does: in int64 for integers (a constant when all is
// known), in double and then rounded for floats, so that no step is lost to the element type.
Value arange(Builder &b, Node n, const Operand &start, const Operand &end, const Operand &step) {
  ResultInfo info = n.result(0);
  DType dtype = info.valueDtype;
  int64_t length = info.dims[0];
  bool known = start.isScalar() && step.isScalar() && length != kDynamic;
  if (known && length == 0)
    return b.zeros(dtype, {0});
  if (isInteger(dtype)) {
    if (known) { // float bounds of an integer arange are truncated first, as eager does
      int64_t from = start.scalar().toInt(), by = step.scalar().toInt(), stop = from + by * length;
      bool wide = !Scalar(from).fits(DType::SI32) || !Scalar(stop).fits(DType::SI32);
      // range() infers its length from constants; the stop is exact, one step past the last.
      Value range = b.range(Scalar(from), Scalar(stop), Scalar(by), wide ? DType::SI64 : DType::SI32);
      return wide && represents(DType::SI64, info.dtype) ? range : b.wrapCast(range, dtype);
    }
    Type type{DType::SI32, {length}};
    auto whole = [&](const Operand &o) {
      if (!o.isScalar())
        return b.scalar(b.cast(o.value(), DType::SI32));
      if (!o.scalar().isIntegral())
        unsupported("an integer arange with float bounds known only at run time",
                    "pass integer bounds, or make the arange float and cast it");
      return b.as(o, DType::SI32);
    };
    Value range = b.op("coreai.range", {whole(start), whole(end), whole(step)}, {}, type);
    return b.cast(range, dtype);
  }
  Value index;
  if (length != kDynamic) {
    index = b.range(Scalar(0), Scalar(length), Scalar(1), DType::SI32);
  } else {
    // ceil((end - start) / step) elements.
    Value span = b.divide(b.sub(b.as(end, DType::F32), b.as(start, DType::F32)), b.as(step, DType::F32));
    Value count = b.cast(b.ceil(span), DType::SI32);
    index = b.op("coreai.range", {b.index(0), count, b.index(1)}, {}, Type{DType::SI32, {kDynamic}});
  }
  DType inner = dtype == DType::F64 ? DType::F64 : DType::F32;
  Value scaled = b.mul(b.cast(index, inner), b.as(step, inner));
  bool fromZero = start.isScalar() && start.scalar().toDouble() == 0;
  return b.cast(fromZero ? scaled : b.add(scaled, b.as(start, inner)), dtype);
}
Value arangeStartStep(Node n, Builder &b) {
  return arange(b, n, b.operand(n, 0), b.operand(n, 1), n.has(2) ? b.operand(n, 2) : Operand(1));
}
Value arangeStart(Node n, Builder &b) { return arange(b, n, b.operand(n, 0), b.operand(n, 1), 1); }
Value arangeDefault(Node n, Builder &b) { return arange(b, n, 0, b.operand(n, 0), 1); }

Value eye(Node n, Builder &b) {
  ResultInfo info = n.result(0);
  Dim rows = n.dim(0), columns = n.argCount() > 1 && n.key() == "aten::eye.m" ? n.dim(1) : rows;
  auto ramp = [&](const Dim &d) {
    Type type{DType::SI32, {d.size()}};
    return b.op("coreai.range", {b.index(0), b.scalarOf(d), b.index(1)}, {}, type);
  };
  Value same = b.equal(b.expandDims(ramp(rows), {1}), b.expandDims(ramp(columns), {0}));
  return b.cast(same, info.valueDtype);
}

// Rows, then columns, of the entries with column - row at most (lower) or at least (upper) the offset.
Value triangle(Node n, Builder &b, std::string_view which) {
  int64_t rows = n.integer(0), columns = n.integer(1), offset = n.integer(2, 0);
  Ints entries, second;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c)
      if (which == "lower" ? c - r <= offset : c - r >= offset) {
        entries.push_back(r);
        second.push_back(c);
      }
  int64_t count = static_cast<int64_t>(second.size());
  entries.insert(entries.end(), second.begin(), second.end());
  DType dtype = dtypeOf(n);
  return count == 0 ? b.zeros(dtype, {2, 0}) : b.cast(b.reshape(b.indices(entries), {2, count}), dtype);
}

constexpr Lowering kLowerings[] = {
    {"aten::full.default", full},
    {"aten::full_like.default", fullLike},
    {"aten::new_full.default", newFull},
    {"aten::zeros.default", constantOf, "0"},
    {"aten::ones.default", constantOf, "1"},
    {"aten::zeros_like.default", constantLike, "0"},
    {"aten::ones_like.default", constantLike, "1"},
    {"aten::new_zeros.default", newConstant, "0"},
    {"aten::new_ones.default", newConstant, "1"},
    // Uninitialized memory: zeros are as good as any bytes, and the same every time.
    {"aten::empty.memory_format", constantOf, "0"},
    {"aten::empty_like.default", constantLike, "0"},
    {"aten::new_empty.default", newConstant, "0"},
    {"aten::empty_permuted.default", constantOf, "0"},
    {"aten::empty_strided.default", constantOf, "0"},
    {"aten::scalar_tensor.default", scalarTensor},
    {"prims::scalar_tensor.default", scalarTensor},
    {"aten::arange.start_step", arangeStartStep},
    {"aten::arange.start", arangeStart},
    {"aten::arange.default", arangeDefault},
    {"aten::eye.default", eye},
    {"aten::eye.m", eye},
    {"aten::tril_indices.default", triangle, "lower"},
    {"aten::triu_indices.default", triangle, "upper"},
};
} // namespace

SIXRUNG_PLUGIN("org.sixrung.aten.creation", "0.1.0", kLowerings);
