// Writes modules, as text, generic text and bytecode, for coreai_core_test.py to parse, save and run.
#include "tests/ir/support.hpp"

#include "fmt/format.h"

#include <cmath>
#include <cstdlib>
#include <fstream>

namespace sixrung::ir::test {
namespace {

void write(Fixture &f, const std::string &name) {
  const char *folder = std::getenv("SIXRUNG_SAMPLES");
  if (!folder)
    return;
  auto put = [&](const char *suffix, Format format) {
    std::ofstream(std::string(folder) + "/" + name + suffix, std::ios::binary) << f.text(format);
  };
  put(".mlir", Format::kText);
  put(".generic.mlir", Format::kTextGeneric);
  put(".mlirb", Format::kBytecode);
}

TEST(Samples, Arithmetic) {
  Fixture f;
  auto b = f.graph({f.port("x", f.type(DType::kF32, {2, 3})), f.port("y", f.type(DType::kF32, {3}))});
  b->setLocation(
      mlir::FusedLoc::get(f.context.get(), {mlir::FileLineColLoc::get(f.context.get(), "model.py", 3, 0),
                                            mlir::FileLineColLoc::get(f.context.get(), "layer.py", 9, 1)}));
  Value sum = build(*b, "coreai.decomposable.broadcasting_add", {b->argument(0), b->argument(1)});
  auto tanh = f.attribute("approximate", b->attributeFromText("coreai.gelu", "approximate", "tanh"));
  b->finish({b->build("coreai.gelu", {sum}, {tanh})[0], b->argument(1)}, {"r", "the y"});
  write(f, "arithmetic");
}

// Every form a constant is stored in.
TEST(Samples, Constants) {
  Fixture f;
  auto b = f.graph({f.port("x", f.type(DType::kF32, {300}))});
  std::vector<Value> values;
  std::vector<std::string> names;
  auto add = [&](std::string name, Value value) {
    values.push_back(value);
    names.push_back(std::move(name));
  };
  std::vector<float> large(300);
  std::vector<char> flags(300);
  for (int i = 0; i < 300; ++i)
    large[i] = i, flags[i] = i % 3 == 0;
  add("large", build(*b, "coreai.add", {b->argument(0), vector(f, *b, DType::kF32, large)}));
  add("reshaped", b->constant(f.type(DType::kF32, {3, 100}), {reinterpret_cast<char *>(large.data()), 1200}));
  add("flags", vector(f, *b, DType::kBool, flags));
  add("fewflags", vector(f, *b, DType::kBool, std::vector<char>{1, 0, 0, 1, 1}));
  add("sameflags", b->splat(f.type(DType::kBool, {7}), {"\1", 1}));
  add("ints", vector<int32_t>(f, *b, DType::kSI32, {-1, 2, 3}));
  add("unsigned", vector<uint8_t>(f, *b, DType::kUI8, {255, 1}));
  float seven = 7;
  add("splat", b->splat(f.type(DType::kF32, {2, 200}), {reinterpret_cast<char *>(&seven), 4}));
  float special[] = {INFINITY, -INFINITY, -0.0f};
  add("special", b->constant(f.type(DType::kF32, {3}), {reinterpret_cast<char *>(special), 12}));
  uint16_t halves[] = {0x3C00, 0x3F80};
  add("half", b->constant(f.type(DType::kF16, {2}), {reinterpret_cast<char *>(halves), 4}));
  // 1, -2, 7, -8, 3 in four bits, low bits first.
  const char packed[] = {static_cast<char>(0xE1), static_cast<char>(0x87), 0x03};
  Value nibbles = b->constant(f.type(DType::kSI4, {5}), {packed, 3});
  add("nibbles", build(*b, "coreai.cast", {nibbles}, {f.type(DType::kSI32, {5})}));
  Value threes = b->splat(f.type(DType::kSI4, {4}), {"\3", 1});
  add("threes", build(*b, "coreai.cast", {threes}, {f.type(DType::kSI32, {4})}));
  float complex[] = {1, 2, 3, -4};
  Value pair = b->constant(f.type(DType::kComplex64, {2}), {reinterpret_cast<char *>(complex), 16});
  add("imaginary", build(*b, "coreai.imaginary_part", {pair}));
  Value same = b->splat(f.type(DType::kComplex64, {2}), {reinterpret_cast<char *>(complex), 8});
  add("sameimaginary", build(*b, "coreai.imaginary_part", {same}));
  b->finish(values, names);
  write(f, "constants");
}

TEST(Samples, State) {
  Fixture f;
  auto tensor = f.type(DType::kF32, {2, 3});
  auto b =
      f.graph({f.port("x", tensor), f.port("read", handleType(tensor)), f.port("written", handleType(tensor)),
               f.port("both", handleType(tensor)), f.port("unused", handleType(tensor))});
  Value sum = build(*b, "coreai.add", {b->argument(0), b->readState(1)});
  b->writeState(2, sum);
  Value old = b->readState(3);
  b->writeState(3, build(*b, "coreai.mul", {old, sum}));
  b->writeState(3, build(*b, "coreai.add", {b->readState(3), b->argument(0)}));
  b->finish({old, b->readState(3)}, {"old", "new"});
  write(f, "state");
}

TEST(Samples, ControlFlow) {
  Fixture f;
  auto tensor = f.type(DType::kF32, {2}), counter = f.type(DType::kSI32, {});
  {
    auto helper = f.graph({f.port("input", tensor)}, "twice", true);
    helper->finish({build(*helper, "coreai.add", {helper->argument(0), helper->argument(0)})}, {""});
  }
  auto b = f.graph({f.port("x", tensor), f.port("c", f.type(DType::kBool, {})), f.port("n", counter)});
  Value x = b->argument(0);
  std::vector<std::unique_ptr<mlir::Region>> branches, loop;
  b->openRegion({});
  branches.push_back(b->closeRegion("coreai.yield", {x}));
  b->openRegion({});
  branches.push_back(b->closeRegion(
      "coreai.yield", {build(*b, "coreai.mul", {x, vector<float>(f, *b, DType::kF32, {-1, -2})})}));
  Value chosen = b->build("coreai.if", {b->argument(1)}, {}, {tensor}, branches)[0];
  std::vector<Value> before = b->openRegion({counter, tensor});
  loop.push_back(b->closeRegion(
      "coreai.condition", {build(*b, "coreai.greater", {b->argument(2), before[0]}), before[0], before[1]}));
  std::vector<Value> after = b->openRegion({counter, tensor});
  auto callee = f.attribute(
      "callee", b->attributeFromText("coreai.invoke", "callee", "#param.constant<@twice> : !param.symbol"));
  Value doubled = b->build("coreai.invoke", {after[1]}, {callee}, {tensor})[0];
  loop.push_back(b->closeRegion(
      "coreai.yield",
      {build(*b, "coreai.add", {after[0], scalar<int32_t>(f, *b, DType::kSI32, 1)}), doubled}));
  std::vector<Value> results = b->build("coreai.while", {scalar<int32_t>(f, *b, DType::kSI32, 0), chosen}, {},
                                        {counter, tensor}, loop);
  b->finish({results[0], results[1]}, {"count", "r"});
  write(f, "control_flow");
}

// Each op twice, over constants (folded here) and over inputs of the same values (done at run time).
TEST(Samples, Folds) {
  Fixture f;
  std::vector<float> floats = {3e9f, -3e9f, NAN,      -1.9f, INFINITY, -INFINITY, 2.5f,
                               0.1f, -0.0f, 65520.0f, 1e-7f, 0.5f,     255.5f,    -129.0f};
  std::vector<int32_t> ints = {INT32_MIN, INT32_MAX, -1, 0, 7, -7, 300, 65536, 16777217, -32769, 2049, 1};
  std::vector<int32_t> others = {3, -2, 5, 1, -3, 2, 7, -4, 9, 11, -2, 1};
  std::vector<int64_t> wide = {INT64_MIN, INT64_MAX, -1, 0, 5000000000, 9007199254740993};
  auto vectorOf = [&](DType dtype, size_t size) { return f.type(dtype, {static_cast<int64_t>(size)}); };
  auto b = f.graph({f.port("floats", vectorOf(DType::kF32, floats.size())),
                    f.port("ints", vectorOf(DType::kSI32, ints.size())),
                    f.port("others", vectorOf(DType::kSI32, ints.size())),
                    f.port("wide", vectorOf(DType::kSI64, wide.size()))});
  Value constants[] = {vector(f, *b, DType::kF32, floats), vector(f, *b, DType::kSI32, ints),
                       vector(f, *b, DType::kSI32, others), vector(f, *b, DType::kSI64, wide)};
  std::vector<Value> values;
  std::vector<std::string> names;
  auto both = [&](const std::string &name, auto &&make) {
    Value folded = make([&](int i) { return constants[i]; });
    EXPECT_TRUE(b->constantBytes(folded)) << name;
    values.insert(values.end(), {folded, make([&](int i) { return b->argument(i); })});
    names.insert(names.end(), {name + " folded", name + " run"});
  };
  for (int source : {0, 1, 3})
    for (DType to : {DType::kBool, DType::kSI8, DType::kSI16, DType::kSI32, DType::kSI64, DType::kUI8,
                     DType::kUI16, DType::kUI32, DType::kF16, DType::kBF16, DType::kF32}) {
      auto from = mlir::cast<mlir::RankedTensorType>(constants[source].getType());
      if (from.getElementType() != elementType(f.context.get(), to))
        both(fmt::format("cast {} {}", source, graph::dtypeName(to)), [&](auto operand) {
          return build(*b, "coreai.cast", {operand(source)}, {f.type(to, from.getShape().vec())});
        });
    }
  for (std::string op : {"add", "sub", "mul", "maximum", "minimum", "floor_divide"})
    both(op, [&](auto operand) { return build(*b, std::string("coreai.") + op, {operand(1), operand(2)}); });
  int index = 0;
  for (std::vector<int32_t> bounds :
       {std::vector<int32_t>{1, 3, 1}, {-4, INT32_MAX, 1}, {0, -1, 2}, {5, 100, 3}, {-100, 4, 1}})
    both(fmt::format("slice {}", index++), [&](auto operand) {
      auto at = [&](int i) { return vector<int32_t>(f, *b, DType::kSI32, {bounds[i]}); };
      return build(*b, "coreai.slice", {operand(1), at(0), at(1), at(2)});
    });
  both("range", [&](auto operand) { // the inputs serve only to hide the bounds
    auto at = [&](int32_t constant, int32_t position) {
      Value source = operand(1), begin = vector<int32_t>(f, *b, DType::kSI32, {position});
      Value end = vector<int32_t>(f, *b, DType::kSI32, {position + 1}),
            one = vector<int32_t>(f, *b, DType::kSI32, {1});
      Value picked = build(*b, "coreai.slice", {source, begin, end, one});
      return b->constantBytes(picked)
                 ? scalar(f, *b, DType::kSI32, constant)
                 : build(*b, "coreai.reshape", {picked, vector<int32_t>(f, *b, DType::kSI32, {})});
    };
    return build(*b, "coreai.range", {at(7, 4), at(-7, 5), at(-1, 2)});
  });
  b->finish(values, names);
  write(f, "folds");
}

TEST(Samples, DynamicShapes) {
  Fixture f;
  auto b = f.graph({f.port("x", f.type(DType::kF32, {-1, 4}))});
  Value x = b->argument(0);
  Value shape = build(*b, "coreai.get_shape", {x});
  Value zero = vector<int32_t>(f, *b, DType::kSI32, {0}), one = vector<int32_t>(f, *b, DType::kSI32, {1});
  Value rows = build(*b, "coreai.slice", {shape, zero, one, one});
  Value wanted =
      build(*b, "coreai.concat",
            {scalar<int32_t>(f, *b, DType::kSI32, 0), rows, vector<uint32_t>(f, *b, DType::kUI32, {2, 2})});
  Value parts = build(*b, "coreai.reshape", {x, wanted}, {f.type(DType::kF32, {-1, 2, 2})});
  b->finish({parts, shape}, {"parts", "shape"});
  write(f, "dynamic");
}

} // namespace
} // namespace sixrung::ir::test
