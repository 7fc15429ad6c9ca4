#include "core/graph/program.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <set>

using namespace sixrung::graph;

TEST(ArgumentText, TellsTheAlternativesApart) {
  EXPECT_EQ(toString(Argument{}), "None");
  EXPECT_EQ(toString(Argument{true}), "True");
  EXPECT_EQ(toString(Argument{int64_t{2}}), "2");
  EXPECT_EQ(toString(Argument{2.0}), "2.0");
  EXPECT_EQ(toString(Argument{1e-5}), "1e-05");
  EXPECT_EQ(toString(Argument{std::numeric_limits<double>::infinity()}), "inf");
  EXPECT_EQ(toString(Argument{std::complex<double>(1, -0.5)}), "complex(1.0, -0.5)");
  EXPECT_EQ(toString(Argument{std::string("a\"\n")}), "\"a\\\"\\n\"");
  EXPECT_EQ(toString(Argument{DTypeArg{DType::kF16}}), "dtype float16");
  EXPECT_EQ(toString(Argument{ValueRef{"x"}}), "%x");
  EXPECT_EQ(toString(Argument{SymIntRef{"x"}}), "int %x");
  EXPECT_EQ(toString(Argument{SubgraphArg{"g", nullptr}}), "subgraph @g");
  EXPECT_EQ(toString(Argument{ArgumentList{{int64_t{1}}, {}, {ArgumentList{}}}}), "[1, None, []]");
}

TEST(Dump, EveryFieldChangesTheText) {
  Program program;
  program.torchVersion = "2.13.0";
  program.graph.inputs = {"x"};
  program.graph.values["x"].kind = ValueMeta::Kind::kTensor;
  program.graph.nodes.resize(1);
  program.inputs.resize(1);
  program.outputs.resize(1);
  const std::string base = dump(program);
  EXPECT_EQ(dump(program), base);

  using Edit = void (*)(Program &);
  const Edit edits[] = {
      [](Program &p) { p.torchVersion = "2.12.0"; },
      [](Program &p) { p.opsetVersions["aten"] = 10; },
      [](Program &p) { p.ranges["s0"].min = 2; },
      [](Program &p) { p.moduleCalls.push_back({"fc"}); },
      [](Program &p) { p.constants["c"].sizes = {2}; },
      [](Program &p) { p.inputs[0].kind = InputSpec::Kind::kBuffer; },
      [](Program &p) { p.inputs[0].persistent = false; },
      [](Program &p) { p.inputs[0].target = "t"; },
      [](Program &p) { p.outputs[0].kind = OutputSpec::Kind::kToken; },
      [](Program &p) { p.outputs[0].target = "t"; },
      [](Program &p) { p.graph.values["x"].tensor.dtype = DType::kF32; },
      [](Program &p) { p.graph.values["x"].tensor.sizes = {SymInt::of(1)}; },
      [](Program &p) { p.graph.values["x"].tensor.strides = {SymInt::of(1)}; },
      [](Program &p) { p.graph.values["x"].tensor.storageOffset = 1; },
      [](Program &p) { p.graph.values["x"].tensor.device = "cuda:0"; },
      [](Program &p) { p.graph.values["x"].tensor.layout = "sparse_coo"; },
      [](Program &p) { p.graph.values["x"].tensor.requiresGrad = true; },
      [](Program &p) { p.graph.values["x"].kind = ValueMeta::Kind::kToken; },
      [](Program &p) { p.graph.nodes[0].name = "n"; },
      [](Program &p) { p.graph.nodes[0].target = "t"; },
      [](Program &p) { p.graph.nodes[0].inputs.push_back({"a", {true}}); },
      [](Program &p) { p.graph.nodes[0].outputs.push_back(""); },
      [](Program &p) { p.graph.nodes[0].stack.push_back({"f.py", 1, "g"}); },
      [](Program &p) { p.graph.nodes[0].modules.push_back({"a", "b"}); },
      [](Program &p) { p.graph.outputs.push_back({}); },
  };
  std::set<std::string> texts{base};
  for (Edit edit : edits) {
    Program changed = program;
    edit(changed);
    EXPECT_TRUE(texts.insert(dump(changed)).second) << dump(changed);
  }
}

TEST(Dump, DifferentFunctionsOfSymbolsDiffer) {
  Program a, b;
  a.graph.values["n"].kind = b.graph.values["n"].kind = ValueMeta::Kind::kSymInt;
  a.graph.values["n"].expr = parseSrepr("Mod(Symbol('s0'), Integer(2))");
  b.graph.values["n"].expr = parseSrepr("PythonMod(Symbol('s0'), Integer(2))");
  EXPECT_NE(dump(a), dump(b));
}

TEST(Dump, ShowsSubgraphs) {
  Program program;
  auto body = std::make_shared<Graph>();
  body->inputs = {"inner"};
  program.graph.nodes.resize(1);
  program.graph.nodes[0].inputs = {{"", {ArgumentList{{SubgraphArg{"g", body}}}}}};
  EXPECT_NE(dump(program).find("input %inner"), std::string::npos);
}
