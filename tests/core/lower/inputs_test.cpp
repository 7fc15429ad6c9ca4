// Placeholders: arguments, states, constants and their narrowing; and names.
#include "support.hpp"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace sixrung;
using namespace sixrung::test;
using graph::InputSpec;
using graph::OutputSpec;

namespace {

bool has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

std::vector<std::string> namesOf(const std::vector<lower::PortInfo> &ports) {
  std::vector<std::string> names;
  for (const lower::PortInfo &port : ports)
    names.push_back(port.name);
  return names;
}

using Names = std::vector<std::string>;

// Passes the first argument on, whatever it is.
Lab &passing(Lab &lab, const std::string &key = "acme::same.default") {
  return lab.lowering(key, [](const Call &c) { return c.set(c.value(0)); });
}

TEST(States, AMutatedBufferIsReadAtTheStartAndWrittenAtTheEnd) {
  Lab lab;
  lab.elementwise("aten::add.Tensor", "coreai.add");
  ProgramMaker m;
  m.buffer("cache.kv", {2}, {1.5f, -2.f}).input("x", tensor({2}));
  m.node("add", "aten::add.Tensor", {use("b_cache.kv"), use("x")}, tensor({2}));
  m.output(use("add"), OutputSpec::Kind::kBufferMutation, "cache.kv").output(use("add"));
  lower::Converted program = lab.convert(m.program());
  std::string text = program.text();
  EXPECT_LT(text.find("read_handle"), text.find("coreai.add")) << text;
  EXPECT_LT(text.find("coreai.add"), text.find("write_handle")) << text;
  ASSERT_EQ(program.states().size(), 1u);
  const lower::StateInfo &state = program.states()[0];
  EXPECT_EQ(state.name, "b_cache.kv");
  EXPECT_EQ(state.valueDtype, DType::kF32);
  ASSERT_TRUE(state.hasInitial);
  ASSERT_EQ(state.initial.size(), 8u);
  float initial[2];
  std::memcpy(initial, state.initial.data(), 8);
  EXPECT_EQ(initial[0], 1.5f);
  EXPECT_EQ(initial[1], -2.f);
  EXPECT_EQ(namesOf(program.entries()[0].inputs), Names{"x"});
  EXPECT_EQ(namesOf(program.entries()[0].outputs), Names{"add"});
}

TEST(States, AMutatedUserInputHasNoInitialValue) {
  Lab lab;
  lab.elementwise("aten::relu.default", "coreai.relu");
  ProgramMaker m;
  m.input("y", tensor({2}));
  m.node("relu", "aten::relu.default", {use("y")}, tensor({2}));
  m.output(use("relu"), OutputSpec::Kind::kUserInputMutation, "y").output(use("relu"));
  lower::Converted program = lab.convert(m.program());
  ASSERT_EQ(program.states().size(), 1u);
  EXPECT_EQ(program.states()[0].name, "y");
  EXPECT_FALSE(program.states()[0].hasInitial);
  EXPECT_TRUE(program.entries()[0].inputs.empty());
}

TEST(States, AStateOnlyOverwrittenIsNotRead) {
  Lab lab;
  lab.elementwise("aten::relu.default", "coreai.relu");
  ProgramMaker m;
  m.buffer("last", {2}, {0, 0}).input("x", tensor({2}));
  m.node("relu", "aten::relu.default", {use("x")}, tensor({2}));
  m.output(use("relu"), OutputSpec::Kind::kBufferMutation, "last").output(use("relu"));
  std::string text = lab.convert(m.program()).text();
  EXPECT_EQ(countOf(text, "coreai.read_handle"), 0u) << text;
  EXPECT_EQ(countOf(text, "coreai.write_handle"), 1u) << text;
}

TEST(States, AWiderNewValueIsCastToTheState) {
  Lab lab;
  lab.lowering("acme::wide.default", [](const Call &c) -> sixrung_status * {
    sixrung_value out{};
    if (auto *status = c.typedOp("coreai.cast", {c.value(0)}, DType::kSI64, {2}, &out))
      return status;
    return c.set(out);
  });
  ProgramMaker m;
  m.constant<int64_t>(InputSpec::Kind::kBuffer, "b_n", "n", {2}, DType::kSI64, {5, 6});
  m.node("wide", "acme::wide.default", {use("b_n")}, tensor({2}, DType::kSI64));
  m.output(use("wide"), OutputSpec::Kind::kBufferMutation, "n").output(use("wide"));
  lower::Converted program = lab.convert(m.program());
  EXPECT_EQ(program.states()[0].valueDtype, DType::kSI32);
  EXPECT_EQ(program.states()[0].initial.size(), 8u) << "narrowed as the argument is";
  EXPECT_EQ(program.entries()[0].outputs[0].dtype, DType::kSI64) << "an output has the type its value has";
}

TEST(Constants, Int64IsNarrowedWhenEveryElementFits) {
  for (int64_t last : {int64_t{7}, int64_t{1} << 40}) {
    Lab lab;
    passing(lab);
    ProgramMaker m;
    m.constant<int64_t>(InputSpec::Kind::kTensorConstant, "c_ids", "ids", {3}, DType::kSI64, {1, 2, last});
    m.node("y", "acme::same.default", {use("c_ids")}, tensor({3}, DType::kSI64));
    m.output(use("y"));
    lower::Converted program = lab.convert(m.program());
    bool fits = last == 7;
    EXPECT_EQ(program.entries()[0].outputs[0].dtype, fits ? DType::kSI32 : DType::kSI64);
    ASSERT_EQ(program.nodes()[0].remarks.size(), 1u);
    EXPECT_TRUE(
        has(program.nodes()[0].remarks[0], fits ? "narrowing: ids is int32 here" : "note: ids stays int64"))
        << program.nodes()[0].remarks[0];
  }
}

TEST(Constants, Float64IsNarrowedUnlessItWouldBecomeInfinite) {
  for (double first : {0.5, 1e300, HUGE_VAL}) {
    Lab lab;
    passing(lab);
    ProgramMaker m;
    m.constant<double>(InputSpec::Kind::kParameter, "p_w", "w", {2}, DType::kF64, {first, 1.0});
    m.node("y", "acme::same.default", {use("p_w")}, tensor({2}, DType::kF64));
    m.output(use("y"));
    EXPECT_EQ(lab.convert(m.program()).entries()[0].outputs[0].dtype,
              first == 1e300 ? DType::kF64 : DType::kF32);
  }
}

TEST(Constants, WideIoKeepsThem) {
  Lab lab;
  passing(lab);
  ProgramMaker m;
  m.constant<int64_t>(InputSpec::Kind::kTensorConstant, "c_ids", "ids", {3}, DType::kSI64, {1, 2, 3});
  m.node("y", "acme::same.default", {use("c_ids")}, tensor({3}, DType::kSI64));
  m.output(use("y"));
  lower::ConvertOptions wide;
  wide.wideIo = true;
  EXPECT_EQ(lab.convert(m.program(), wide).entries()[0].outputs[0].dtype, DType::kSI64);
}

TEST(Constants, StridedOnesArePacked) {
  Lab lab;
  std::vector<float> seen;
  lab.lowering("acme::peek.default", [&](const Call &c) -> sixrung_status * {
    sixrung_constant_view view{};
    view.struct_size = sizeof(view);
    if (auto *status = c.host->value_constant(c.call, c.value(0), &view))
      return status;
    seen.resize(view.size / sizeof(float));
    std::memcpy(seen.data(), view.data, view.size);
    return c.set(c.value(0));
  });
  ProgramMaker m;
  m.parameter("w", {2, 3}, {1, 2, 3, 4, 5, 6});
  m.node("y", "acme::peek.default", {use("p_w")}, tensor({3, 2}));
  m.output(use("y"));
  graph::Program transposed = *m.program();
  transposed.constants["w"].sizes = {3, 2};
  transposed.constants["w"].strides = {1, 3};
  transposed.graph.values["p_w"] = tensor({3, 2});
  lab.convert(std::make_shared<const graph::Program>(transposed));
  EXPECT_EQ(seen, (std::vector<float>{1, 4, 2, 5, 3, 6}));
}

TEST(Constants, BakedScalarsReachTheLoweringAsScalars) {
  Lab lab;
  sixrung_arg got{};
  lab.lowering("acme::scaled.default", [&](const Call &c) {
    got = c.argument(1);
    return c.set(c.value(0));
  });
  ProgramMaker m;
  m.input("x", tensor({2})).scalar("k", arg(int64_t{42}));
  m.node("y", "acme::scaled.default", {use("x"), use("k")}, tensor({2}));
  m.output(use("y"));
  lower::Converted program = lab.convert(m.program());
  EXPECT_EQ(got.tag, SIXRUNG_ARG_INT);
  EXPECT_EQ(got.payload, 42u);
  EXPECT_EQ(namesOf(program.entries()[0].inputs), Names{"x"});
}

TEST(Inputs, SymbolicUserInputsAreZeroDimensionalOutsideAndRankOneInside) {
  Lab lab;
  lab.lowering("acme::sym.default", [](const Call &c) {
    sixrung_arg argument = c.argument(0);
    EXPECT_EQ(argument.tag, SIXRUNG_ARG_SYM_INT);
    sixrung_type type{};
    type.struct_size = sizeof(type);
    EXPECT_EQ(c.host->value_type(c.call, {argument.payload}, &type), nullptr);
    EXPECT_EQ(type.rank, 1u);
    EXPECT_EQ(type.dims[0], 1);
    EXPECT_EQ(type.dtype, SIXRUNG_SI32);
    return c.set({argument.payload});
  });
  ProgramMaker m;
  m.input("n", symbolic(graph::ValueMeta::Kind::kSymInt));
  m.node("y", "acme::sym.default", {symInt("n")}, symbolic(graph::ValueMeta::Kind::kSymInt));
  m.output(symInt("y"));
  lower::Converted program = lab.convert(m.program());
  EXPECT_TRUE(program.entries()[0].inputs[0].dims.empty());
  EXPECT_EQ(program.entries()[0].inputs[0].dtype, DType::kSI32);
  EXPECT_TRUE(program.entries()[0].outputs[0].dims.empty());
}

TEST(Inputs, ANarrowedInputIsToldByItsFirstReader) {
  Lab lab;
  passing(lab);
  lower::Converted program =
      lab.convert(oneNode("acme::same.default", tensor({2}, DType::kSI64), tensor({2}, DType::kSI64)));
  EXPECT_EQ(program.nodes()[0].remarks, Names{"narrowing: x is int32 here, int64 in the program"});
}

TEST(Inputs, ACustomObjectIsRefusedOnlyWhenRead) {
  auto make = [](bool read) {
    ProgramMaker m;
    m.input("x", tensor({2})).input("obj", tensor({2}));
    m.node("y", "acme::same.default", {use(read ? "obj" : "x")}, tensor({2}));
    m.output(use("y"));
    graph::Program program = *m.program();
    program.inputs[1].kind = InputSpec::Kind::kCustomObject;
    program.inputs[1].target = "engine";
    return std::make_shared<const graph::Program>(program);
  };
  Lab lab;
  passing(lab);
  EXPECT_EQ(namesOf(lab.convert(make(false)).entries()[0].inputs), Names{"x"});
  std::string error = lab.errorOf(make(true));
  EXPECT_TRUE(has(error, "a custom object ('engine')")) << error;
}

TEST(Outputs, NoneIsSkippedConstantsBecomeZeroDimensional) {
  Lab lab;
  ProgramMaker m;
  m.input("x", tensor({2}));
  m.output(use("x")).output(arg(graph::NoneArg{})).output(arg(int64_t{3})).output(arg(2.5)).output(arg(true));
  lower::Converted program = lab.convert(m.program());
  EXPECT_EQ(namesOf(program.entries()[0].outputs), (Names{"x", "output_2", "output_3", "output_4"}));
  EXPECT_TRUE(program.entries()[0].outputs[1].dims.empty());
  EXPECT_EQ(program.entries()[0].outputs[1].dtype, DType::kSI32);
  EXPECT_EQ(program.entries()[0].outputs[2].dtype, DType::kF32);
  EXPECT_EQ(program.entries()[0].outputs[3].dtype, DType::kBool);
}

TEST(Outputs, ANumberThatDoesNotFitKeepsItsWidth) {
  Lab lab;
  ProgramMaker m;
  m.output(arg(int64_t{1} << 40)).output(arg(1e300));
  lower::Converted program = lab.convert(m.program());
  EXPECT_EQ(program.entries()[0].outputs[0].dtype, DType::kSI64);
  EXPECT_EQ(program.entries()[0].outputs[1].dtype, DType::kF64);
}

TEST(Outputs, TheSameValueTwiceGetsTwoNames) {
  Lab lab;
  passing(lab);
  ProgramMaker m;
  m.input("x", tensor({2})).input("z", tensor({2}));
  m.node("y", "acme::same.default", {use("x")}, tensor({2}));
  m.node("y_1", "acme::same.default", {use("z")}, tensor({2}));
  m.output(use("y")).output(use("y")).output(use("y_1"));
  EXPECT_EQ(namesOf(lab.convert(m.program()).entries()[0].outputs), (Names{"y", "y_2", "y_1"}));
}

TEST(Outputs, AStringIsRefusedWithASentence) {
  Lab lab;
  ProgramMaker m;
  m.input("x", tensor({2}));
  m.output(arg(std::string("hello")));
  EXPECT_TRUE(has(lab.errorOf(m.program()), "output 0 of main is neither a tensor nor a number"));
}

TEST(Names, TheUsersAreUsedAndChecked) {
  Lab lab;
  lab.elementwise("aten::add.Tensor", "coreai.add");
  ProgramMaker m;
  m.buffer("kv", {2}, {0, 0}).input("x", tensor({2})).input("z", tensor({2}));
  m.node("a", "aten::add.Tensor", {use("x"), use("z")}, tensor({2}));
  m.node("b", "aten::add.Tensor", {use("a"), use("b_kv")}, tensor({2}));
  m.output(use("b"), OutputSpec::Kind::kBufferMutation, "kv").output(use("a"));
  lower::EntryPoint entry;
  entry.program = m.program();
  entry.inputNames = {"tokens", "mask"};
  entry.outputNames = {"logits"};
  entry.stateNames = {"cache"};
  lower::Converted program = lab.convert({entry});
  EXPECT_EQ(namesOf(program.entries()[0].inputs), (Names{"tokens", "mask"}));
  EXPECT_EQ(namesOf(program.entries()[0].outputs), Names{"logits"});
  EXPECT_EQ(program.states()[0].name, "cache");

  auto refused = [&](auto change, const std::string &part) {
    lower::EntryPoint wrong = entry;
    change(wrong);
    try {
      lab.convert({wrong});
      ADD_FAILURE() << "accepted: " << part;
    } catch (const Error &error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInvalidInput);
      EXPECT_TRUE(has(error.what(), part)) << error.what();
    }
  };
  refused([](auto &e) { e.inputNames = {"a"}; }, "main has 2 inputs (x, z), and 1 input name is given");
  refused([](auto &e) { e.inputNames = {"a", "a"}; }, "the name 'a' is given to two inputs of main");
  refused([](auto &e) { e.inputNames = {"a", ""}; }, "is empty");
  refused([](auto &e) { e.stateNames = {"mask"}; }, "'mask' of main names both an input and a state");
  refused([](auto &e) { e.outputNames = {"a", "b"}; }, "main has 1 output (a)");
}

} // namespace
