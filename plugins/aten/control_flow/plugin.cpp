// The control flow family: torch.cond and while_loop as coreai.if and coreai.while.
#include "sixrung/sdk.hpp"

#include <algorithm>
#include <limits>

using namespace sixrung;

namespace {

// A plain number among the operands, as symbolic ones are: [1].
Value numberOf(Builder &b, const sixrung_arg &arg) {
  switch (arg.tag) {
  case SIXRUNG_ARG_INT: {
    Scalar s(static_cast<int64_t>(arg.payload));
    return b.constant(s, s.fits(DType::SI32) ? DType::SI32 : DType::SI64, {1});
  }
  case SIXRUNG_ARG_BOOL:
    return b.constant(Scalar(arg.payload != 0), DType::Bool, {1});
  case SIXRUNG_ARG_FLOAT:
    return b.constant(Scalar(std::bit_cast<double>(arg.payload)), DType::F32, {1});
  default:
    return unsupported("an operand of this kind", "pass tensors and numbers to the branches");
  }
}

// The operands of a higher-order op: tensors, symbolic numbers and plain numbers.
Values operands(Node n, Builder &b, int index) {
  sixrung_arg arg = n.raw(index);
  if (arg.tag == SIXRUNG_ARG_VALUE_LIST)
    return n.tensors(index);
  Values result;
  if (arg.tag == SIXRUNG_ARG_NONE || arg.count == 0)
    return result;
  if (arg.tag == SIXRUNG_ARG_INT_LIST) {
    for (const Dim &d : n.shape(index))
      result.push_back(b.indices({d.size()}));
    return result;
  }
  if (arg.tag != SIXRUNG_ARG_LIST)
    return unsupported("an operand list of this kind", "pass tensors and numbers to the branches")
        .operator Values();
  for (uint32_t i = 0; i < arg.count; ++i) {
    const sixrung_arg &entry = detail::pointer<sixrung_arg>(arg)[i];
    bool isValue = entry.tag == SIXRUNG_ARG_VALUE || entry.tag == SIXRUNG_ARG_SYM_INT ||
                   entry.tag == SIXRUNG_ARG_SYM_FLOAT || entry.tag == SIXRUNG_ARG_SYM_BOOL;
    result.push_back(isValue ? n.valueOf(entry) : numberOf(b, entry));
  }
  return result;
}

// The same numbers in a buffer of their own. The runtime computes the last op of a region straight into
// the buffer its result is carried in, also where that op (a product, a flip, a cast) still reads the old
// contents, and it finds no form at all for a choice between two values made outside.
// No operand of the op used is neutral to the host's folding or to the runtime's.
Scalar lowest(DType dtype) {
  if (isFloat(dtype))
    return -std::numeric_limits<double>::infinity();
  return isSigned(dtype) ? -static_cast<int64_t>((uint64_t(1) << (bitWidth(dtype) - 1)) - 1) - 1 : int64_t(0);
}
template <class Step> Value byParts(Builder &b, Value x, Step step) { // of a complex value
  return b.op("coreai.create_complex",
              {step(b.op("coreai.real_part", {x})), step(b.op("coreai.imaginary_part", {x}))});
}
Value copied(Builder &b, Value x) {
  if (isComplex(x.dtype()))
    return byParts(b, x, [&](Value part) { return copied(b, part); });
  return x.dtype() == DType::Bool ? b.notEqual(x, false)
                                  : b.maximum(x, b.constant(lowest(x.dtype()), x.dtype()));
}

// A constant that is none to the runtime: `never` is false wherever this is computed.
Value hidden(Builder &b, Value x, Value never) {
  if (isComplex(x.dtype()))
    return byParts(b, x, [&](Value part) { return hidden(b, part, never); });
  Value other = x.dtype() == DType::Bool ? b.logicalNot(x) : b.constant(lowest(x.dtype()), x.dtype());
  return b.where(never, other, x);
}

// The type a value has on every path. Integers keep 64 bits, so that a count inside a branch cannot
// be cut; symbolic numbers are [1].
Type typeOf(const ResultInfo &info) {
  if (info.isTensor())
    return {info.dtype == DType::SI64 ? DType::SI64 : info.valueDtype, info.dims};
  DType dtype = info.kind == SIXRUNG_RESULT_SYM_FLOAT  ? DType::F32
                : info.kind == SIXRUNG_RESULT_SYM_BOOL ? DType::Bool
                                                       : DType::SI32;
  return {dtype, {1}};
}

// Brings a value to exactly `type`: its element type, and only as much of its sizes as is stated.
Value conform(Builder &b, Value x, const Type &type) {
  x = b.cast(x, type.dtype);
  if (x.dims() == type.dims)
    return x;
  return b.op("coreai.reshape", {x, b.vector(b.shape(x))}, {}, type);
}

Values conformAll(Builder &b, const Values &values, const std::vector<Type> &types) {
  Values result;
  for (size_t i = 0; i < types.size(); ++i)
    result.push_back(conform(b, values[i], types[i]));
  return result;
}

std::vector<Type> resultTypes(Node n) {
  std::vector<Type> types;
  for (int i = 0; i < n.resultCount(); ++i) {
    ResultInfo info = n.result(i); // says nothing of a result nobody reads
    types.push_back(typeOf(info.kind == SIXRUNG_RESULT_NONE ? n.subgraph(1).output(i) : info));
  }
  return types;
}

Values cond(Node n, Builder &b) {
  Values inputs = operands(n, b, 3);
  std::vector<Type> types = resultTypes(n);
  Value predicate = n.value(0);
  if (!predicate) // decided at export
    return conformAll(b, b.inlined(n.subgraph(n.boolean(0) ? 1 : 2), inputs), types);
  predicate = b.scalar(b.toBool(predicate));
  Value otherwise = b.logicalNot(predicate);
  auto branch = [&](int index) {
    return b.region({}, [&](const Values &) {
      Values results = conformAll(b, b.inlined(n.subgraph(index), inputs), types);
      for (Value &x : results)
        if (x.isConstant())
          x = hidden(b, x, index == 1 ? otherwise : b.logicalNot(otherwise));
        else if (std::count(inputs.begin(), inputs.end(), x) != 0)
          x = copied(b, x);
      return results;
    });
  };
  sixrung_region whenTrue = branch(1), whenFalse = branch(2);
  return b.ops("coreai.if", {predicate}, {}, 0, types, {whenTrue, whenFalse});
}

Values whileLoop(Node n, Builder &b) {
  Values carried = operands(n, b, 2), captured = operands(n, b, 3);
  std::vector<Type> types = resultTypes(n);
  if (types.size() != carried.size())
    return unsupported("a while_loop whose results are not its carried values",
                       "return one value for each input")
        .operator Values();
  carried = conformAll(b, carried, types);
  auto inputs = [&](const Values &arguments) {
    Values all = arguments;
    all.insert(all.end(), captured.begin(), captured.end());
    return all;
  };
  sixrung_region condition = b.region(
      types,
      [&](const Values &arguments) {
        Value go = b.inlined(n.subgraph(0), inputs(arguments))[0];
        Values result{b.scalar(b.toBool(go))};
        result.insert(result.end(), arguments.begin(), arguments.end());
        return result;
      },
      "coreai.condition");
  sixrung_region body = b.region(types, [&](const Values &arguments) {
    Values results = conformAll(b, b.inlined(n.subgraph(1), inputs(arguments)), types);
    for (Value &x : results)
      x = copied(b, x);
    return results;
  });
  return b.ops("coreai.while", carried, {}, 0, types, {condition, body});
}

constexpr Lowering kLowerings[] = {
    {"higher_order::cond", cond},
    {"higher_order::while_loop", whileLoop},
};
} // namespace

SIXRUNG_PLUGIN("org.sixrung.aten.control_flow", "0.1.0", kLowerings);
