// The symbolic family: sizes and the Python arithmetic over them. Symbolic numbers are tensors of
// shape [1]: they concatenate into size vectors as they are.
#include "sixrung/sdk.hpp"

using namespace sixrung;

namespace {

// A symbolic or plain number as a tensor of shape [1].
Value number(Node n, Builder &b, int index) {
  if (Value v = n.value(index))
    return v.rank() == 1 ? v : b.reshape(v, {1});
  Scalar s = n.scalar(index);
  DType dtype = s.kind == Scalar::Kind::Bool ? DType::Bool
                : s.isFloat()                ? DType::F32
                : s.fits(DType::SI32)        ? DType::SI32
                                             : DType::SI64;
  return b.constant(s, dtype, {1});
}

struct Pair {
  Value x, y;
};
Pair pair(Node n, Builder &b) {
  Value x = number(n, b, 0), y = number(n, b, 1);
  DType dtype = promoteTypes(x.dtype(), y.dtype());
  if (dtype == DType::Bool)
    dtype = DType::SI32; // Python counts with booleans
  return {b.cast(x, dtype), b.cast(y, dtype)};
}

Value symSize(Node n, Builder &b) {
  Dim d = b.dim(n.tensor(0), n.integer(1));
  return d.isStatic() ? b.indices({d.size()}) : d.value();
}
Value symNumel(Node n, Builder &b) {
  Dim d = b.product(b.shape(n.tensor(0)));
  return d.isStatic() ? b.indices({d.size()}) : d.value();
}

Value arithmetic(Node n, Builder &b, std::string_view mnemonic) {
  Pair p = pair(n, b);
  return b.binary(mnemonic, p.x, p.y);
}
Value comparison(Node n, Builder &b, std::string_view sign) {
  Pair p = pair(n, b);
  if (sign == "==")
    return b.equal(p.x, p.y);
  if (sign == "!=")
    return b.notEqual(p.x, p.y);
  if (sign == ">")
    return b.greater(p.x, p.y);
  if (sign == "<")
    return b.less(p.x, p.y);
  return sign == ">=" ? b.greaterEqual(p.x, p.y) : b.lessEqual(p.x, p.y);
}

Value floorQuotient(Builder &b, Value x, Value y) {
  return isFloat(x.dtype()) ? b.floor(b.divide(x, y)) : b.floorDivide(x, y);
}
Value floorDivide(Node n, Builder &b) {
  Pair p = pair(n, b);
  return floorQuotient(b, p.x, p.y);
}
// Python's sign: that of the divisor.
Value modulo(Node n, Builder &b) {
  Pair p = pair(n, b);
  return b.sub(p.x, b.mul(floorQuotient(b, p.x, p.y), p.y));
}
Value trueDivide(Node n, Builder &b) {
  Pair p = pair(n, b);
  return b.divide(b.cast(p.x, DType::F32), b.cast(p.y, DType::F32));
}
Value power(Node n, Builder &b) {
  Pair p = pair(n, b);
  return b.pow(p.x, p.y);
}
Value negate(Node n, Builder &b) { return b.neg(number(n, b, 0)); }
Value absolute(Node n, Builder &b) { return b.abs(number(n, b, 0)); }

// Python's floor, ceil, round and trunc give an int.
Value rounded(Node n, Builder &b, std::string_view how) {
  Value x = number(n, b, 0);
  if (!isFloat(x.dtype()))
    return x;
  bool digits = how == "round" && n.argCount() > 1 && n.has(1);
  if (digits)
    return unsupported("round() of a symbolic number to a number of digits", "round to an int");
  Value y = how == "floor"   ? b.floor(x)
            : how == "ceil"  ? b.ceil(x)
            : how == "round" ? b.round(x)
                             : b.trunc(x);
  return n.result(0).kind == SIXRUNG_RESULT_SYM_FLOAT ? y : b.cast(y, DType::SI32);
}
Value toFloat(Node n, Builder &b) { return b.cast(number(n, b, 0), DType::F32); }
Value squareRoot(Node n, Builder &b) { return b.sqrt(b.cast(number(n, b, 0), DType::F32)); }
Value logicalNot(Node n, Builder &b) { return b.logicalNot(b.toBool(number(n, b, 0))); }
Value logical(Node n, Builder &b, std::string_view mnemonic) {
  return b.binary(mnemonic, b.toBool(number(n, b, 0)), b.toBool(number(n, b, 1)));
}
Value ifThenElse(Node n, Builder &b) {
  return b.where(b.toBool(number(n, b, 0)), number(n, b, 1), number(n, b, 2));
}

// One element of a tensor read as a Python number.
Value localScalar(Node n, Builder &b) {
  Value x = n.tensor(0);
  DType dtype = isFloat(x.dtype()) ? DType::F32 : x.dtype() == DType::Bool ? DType::Bool : x.dtype();
  if (isInteger(dtype) && dtype != DType::SI64)
    dtype = DType::SI32;
  return b.cast(b.reshape(x, {1}), dtype);
}

// Both doors fold getitem into the results of the node it reads; what is left reads a list argument.
Value getItem(Node n, Builder &) {
  Values list = n.tensors(0);
  int64_t size = static_cast<int64_t>(list.size()), at = n.integer(1);
  if (at < -size || at >= size)
    return fail(SIXRUNG_INVALID_ARGUMENT,
                "item " + std::to_string(at) + " of a list of " + std::to_string(size));
  return list[static_cast<size_t>(at < 0 ? at + size : at)];
}

constexpr Lowering kLowerings[] = {
    {"aten::sym_size.int", symSize},
    {"aten::sym_numel.default", symNumel},
    {"aten::_local_scalar_dense.default", localScalar},
    {"aten::item.default", localScalar},
    {"add", arithmetic, "add"},
    {"sub", arithmetic, "sub"},
    {"mul", arithmetic, "mul"},
    {"floordiv", floorDivide},
    {"mod", modulo},
    {"truediv", trueDivide},
    {"pow", power},
    {"neg", negate},
    {"abs", absolute},
    {"pos", [](Node n, Builder &b) { return number(n, b, 0); }},
    {"eq", comparison, "=="},
    {"ne", comparison, "!="},
    {"gt", comparison, ">"},
    {"lt", comparison, "<"},
    {"ge", comparison, ">="},
    {"le", comparison, "<="},
    {"and_", logical, "and"},
    {"or_", logical, "or"},
    {"floor", rounded, "floor"},
    {"ceil", rounded, "ceil"},
    {"round", rounded, "round"},
    {"trunc", rounded, "trunc"},
    {"sym_int", rounded, "trunc"},
    {"sym_float", toFloat},
    {"_sym_sqrt", squareRoot},
    {"sym_sqrt", squareRoot},
    {"sym_min", arithmetic, "minimum"},
    {"sym_max", arithmetic, "maximum"},
    {"sym_not", logicalNot},
    {"sym_ite", ifThenElse},
    {"getitem", getItem},
};
} // namespace

SIXRUNG_PLUGIN("org.sixrung.aten.symbolic", "0.1.0", kLowerings);
