// Externalization: nodes cut out into graphs of their own, lowered by name on rung 1 (LADDER-1).
#include "support.hpp"

#include <gtest/gtest.h>

using namespace sixrung;
using namespace sixrung::test;

namespace {

bool has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

using Options = std::map<std::string, std::vector<std::string>>;

class Externalize : public ::testing::Test {
protected:
  Externalize() {
    lab.session.registry().load(SIXRUNG_BUILD_DIR "/tests/probes/newer.so");
    lab.session.registry().load(SIXRUNG_BUILD_DIR "/tests/probes/newer_plain.so");
    lab.elementwise("aten::relu.default", "coreai.relu")
        .elementwise("aten::exp.default", "coreai.exp")
        .elementwise("aten::add.Tensor", "coreai.add");
  }
  static lower::ConvertOptions byName(Options options) {
    for (const auto &[name, nodes] : Options(options))
      options["cuts"].push_back(name);
    lower::ConvertOptions out;
    out.strategies.push_back({"probe_by_name", std::move(options)});
    return out;
  }
  // x -> a = relu(x) -> b = exp(a) -> c = a + b -> d = c + weight
  static ProgramMaker diamond() {
    ProgramMaker m;
    m.input("x", tensor({4}));
    m.parameter("weight", {4}, {1, 2, 3, 4});
    m.node("a", "aten::relu.default", {use("x")}, tensor({4})).source("/a/b/app/model.py", 7);
    m.node("b", "aten::exp.default", {use("a")}, tensor({4}));
    m.node("c", "aten::add.Tensor", {use("a"), use("b")}, tensor({4}));
    m.node("d", "aten::add.Tensor", {use("c"), use("p_weight")}, tensor({4}));
    m.output(use("d"));
    return m;
  }
  Lab lab;
};

TEST_F(Externalize, CutsAGraphAndCallsIt) {
  lower::Converted program = lab.convert(diamond().program(), byName({{"tail.0", {"c", "d"}}}));
  std::string text = program.text();
  EXPECT_TRUE(has(text,
                  "coreai.graph private noinline @tail.0(%arg0: tensor<4xf32> {coreai.name = \"a\"}, "
                  "%arg1: tensor<4xf32> {coreai.name = \"b\"}) -> (tensor<4xf32> {coreai.name = \"d\"})"))
      << text;
  EXPECT_EQ(countOf(text, "coreai.invoke @tail.0("), 1u) << text;
  // The weight stands inside, and nowhere else.
  size_t main = text.find("coreai.graph @main");
  EXPECT_EQ(countOf(text.substr(0, main), "coreai.constant"), 1u) << text;
  EXPECT_EQ(countOf(text.substr(main), "coreai.constant"), 0u) << text;

  ASSERT_EQ(program.nodes().size(), 5u); // a, b, the cut, and what it holds
  const lower::NodeRecord &cut = program.nodes()[2];
  EXPECT_EQ(cut.node, "tail_0");
  EXPECT_EQ(cut.rung, ladder::Rung::kExternalized);
  EXPECT_EQ(cut.plugin, "org.sixrung.test.newer");
  EXPECT_EQ(cut.detail, "strategy probe_by_name");
  EXPECT_EQ(program.nodes()[3].node, "tail.0/c");
  EXPECT_EQ(program.nodes()[3].rung, ladder::Rung::kUser);
  EXPECT_EQ(text, lab.convert(diamond().program(), byName({{"tail.0", {"c", "d"}}})).text());
}

TEST_F(Externalize, AllOfIt) {
  lower::ConvertOptions options;
  options.strategies.push_back({"plain_all", {}});
  std::string text = lab.convert(diamond().program(), options).text();
  EXPECT_TRUE(has(text, "coreai.graph private noinline @all(")) << text;
  EXPECT_TRUE(has(text, "coreai.invoke @all(")) << text;
}

TEST_F(Externalize, SeveralOutputsAndOrder) {
  // a and c are read outside; c stands after b, which reads a: not convex with a, so {a} and {c, d} apart.
  std::string text =
      lab.convert(diamond().program(), byName({{"first", {"a", "b"}}, {"second", {"c", "d"}}})).text();
  EXPECT_TRUE(has(text, "@first(%arg0: tensor<4xf32> {coreai.name = \"x\"}) -> (tensor<4xf32> {coreai.name = "
                        "\"a\"}, tensor<4xf32> {coreai.name = \"b\"})"))
      << text;
  EXPECT_TRUE(has(text, ":2 = coreai.invoke @first(")) << text;
}

TEST_F(Externalize, APathThatLeavesAndComesBackIsNamed) {
  std::string error = lab.errorOf(diamond().program(), byName({{"bad", {"a", "c"}}}));
  EXPECT_TRUE(has(error, "the path a -> b -> c leaves it and comes back")) << error;
  EXPECT_TRUE(has(error, "strategy 'probe_by_name' of org.sixrung.test.newer 1.0.0")) << error;
}

TEST_F(Externalize, CutsThatWaitForEachOtherAreNamed) {
  ProgramMaker m;
  m.input("x", tensor({4}));
  m.node("a", "aten::relu.default", {use("x")}, tensor({4}));
  m.node("b", "aten::exp.default", {use("a")}, tensor({4}));
  m.node("c", "aten::relu.default", {use("x")}, tensor({4}));
  m.node("d", "aten::exp.default", {use("c")}, tensor({4}));
  m.node("e", "aten::add.Tensor", {use("b"), use("d")}, tensor({4}));
  m.output(use("e"));
  // a -> b crosses from left to right, c -> d from right to left.
  std::string error = lab.errorOf(m.program(), byName({{"left", {"a", "d"}}, {"right", {"b", "c"}}}));
  EXPECT_TRUE(has(error, "the cuts 'left', 'right' wait for each other")) << error;
}

TEST_F(Externalize, WhatIsWrongWithACutIsNamed) {
  EXPECT_TRUE(has(lab.errorOf(diamond().program(), byName({{"one", {"a"}}, {"two", {"a", "b"}}})),
                  "node 'a' is in the cuts 'one' and 'two'"));
  EXPECT_TRUE(has(lab.errorOf(diamond().program(), byName({{"none", {}}})), "announces 0 nodes"));
  EXPECT_TRUE(has(lab.errorOf(diamond().program(), byName({{"main", {"d"}}})), "'main' is an entrypoint"));
  lower::ConvertOptions options;
  options.strategies.push_back({"probe_failing", {}});
  EXPECT_TRUE(has(lab.errorOf(diamond().program(), options), "nothing to cut here"));
  options.strategies = {{"nobody", {}}};
  EXPECT_TRUE(has(lab.errorOf(diamond().program(), options),
                  "there is no externalization strategy 'nobody'; known are plain_all, probe_by_name, "
                  "probe_failing"));
}

TEST_F(Externalize, MissingLoweringsInsideAreToldAsEver) {
  ProgramMaker m;
  m.input("x", tensor({4}));
  m.node("a", "aten::cosh.default", {use("x")}, tensor({4}));
  m.output(use("a"));
  std::string error = lab.errorOf(m.program(), byName({{"cut", {"a"}}}));
  EXPECT_TRUE(has(error, "Unsupported ATen op: cosh.default")) << error;
}

TEST_F(Externalize, DynamicSizesAndScalarsGoIn) {
  lab.lowering("acme::rows.default", [](const Call &c) -> sixrung_status * {
    EXPECT_EQ(c.argument(1).tag, SIXRUNG_ARG_INT); // baked in, also inside of the cut
    return c.set(c.value(0));
  });
  ProgramMaker m;
  m.input("x", tensor({-1, 4}));
  m.scalar("n", arg(int64_t{3}));
  m.node("a", "acme::rows.default", {use("x"), use("n")}, tensor({-1, 4}));
  m.node("b", "aten::exp.default", {use("a")}, tensor({-1, 4}));
  m.output(use("b"));
  std::string text = lab.convert(m.program(), byName({{"cut", {"a", "b"}}})).text();
  EXPECT_TRUE(has(text, "@cut(%arg0: tensor<?x4xf32>")) << text;
}

TEST_F(Externalize, StateStaysOutside) {
  ProgramMaker m;
  m.input("x", tensor({4}));
  m.buffer("count", {4}, {0, 0, 0, 0});
  m.node("a", "aten::add.Tensor", {use("b_count"), use("x")}, tensor({4}));
  m.node("b", "aten::exp.default", {use("a")}, tensor({4}));
  m.output(use("a"), graph::OutputSpec::Kind::kBufferMutation, "count").output(use("b"));
  std::string text = lab.convert(m.program(), byName({{"cut", {"a", "b"}}})).text();
  EXPECT_TRUE(has(text, "coreai.graph private noinline @cut(%arg0: tensor<4xf32>")) << text;
  EXPECT_LT(text.find("coreai.invoke @cut"), text.find("coreai.write_handle")) << text;
}

} // namespace
