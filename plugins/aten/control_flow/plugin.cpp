// The control flow family: torch.cond and while_loop as coreai.if and coreai.while.
#include "sixrung/sdk.hpp"

using namespace sixrung;

namespace {

// The operands of a higher-order op: tensors, symbolic numbers and plain numbers.
Values operands(Node n, Builder &b, int index) {
  sixrung_arg arg = n.raw(index);
  if (arg.tag == SIXRUNG_ARG_VALUE_LIST || arg.tag == SIXRUNG_ARG_NONE || arg.count == 0)
    return arg.tag == SIXRUNG_ARG_VALUE_LIST ? n.tensors(index) : Values();
  if (arg.tag == SIXRUNG_ARG_INT_LIST || arg.tag == SIXRUNG_ARG_LIST) {
    Values result;
    for (const Dim &d : n.shape(index))
      result.push_back(d.isStatic() ? b.indices({d.size()}) : d.value());
    return result;
  }
  return unsupported("an operand list of this kind", "pass tensors and sizes to the branches").operator Values();
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
  for (int i = 0; i < n.resultCount(); ++i)
    types.push_back(typeOf(n.result(i)));
  return types;
}

Values cond(Node n, Builder &b) {
  Values inputs = operands(n, b, 3);
  std::vector<Type> types = resultTypes(n);
  Value predicate = n.value(0);
  if (!predicate) // decided at export
    return conformAll(b, b.inlined(n.subgraph(n.boolean(0) ? 1 : 2), inputs), types);
  predicate = b.scalar(b.toBool(predicate));
  auto branch = [&](int index) {
    return b.region({}, [&](const Values &) { return conformAll(b, b.inlined(n.subgraph(index), inputs), types); });
  };
  sixrung_region whenTrue = branch(1), whenFalse = branch(2);
  return b.ops("coreai.if", {predicate}, {}, 0, types, {whenTrue, whenFalse});
}

Values whileLoop(Node n, Builder &b) {
  Values carried = operands(n, b, 2), captured = operands(n, b, 3);
  std::vector<Type> types = resultTypes(n);
  if (types.size() != carried.size())
    return unsupported("a while_loop whose results are not its carried values", "return one value for each input")
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
    return conformAll(b, b.inlined(n.subgraph(1), inputs(arguments)), types);
  });
  return b.ops("coreai.while", carried, {}, 0, types, {condition, body});
}

constexpr Lowering kLowerings[] = {
    {"higher_order::cond", cond},
    {"higher_order::while_loop", whileLoop},
};
} // namespace

SIXRUNG_PLUGIN("org.sixrung.aten.control_flow", "0.1.0", kLowerings);
