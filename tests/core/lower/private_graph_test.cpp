// Private graphs and composites: named by content, shared, and nothing of one graph leaks into another.
#include "support.hpp"

#include <gtest/gtest.h>

using namespace sixrung;
using namespace sixrung::test;

namespace {

bool has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

Lab &withProbe(Lab &lab, const char *name = "newer", const plugin::LoadOptions &options = {}) {
  lab.session.registry().load(SIXRUNG_BUILD_DIR "/tests/probes/" + std::string(name) + ".so", options);
  return lab;
}

struct Opened {
  sixrung_graph graph{};
  sixrung_value argument{};
};
sixrung_status *open(const Call &c, DType dtype, const std::vector<int64_t> &dims, Opened *out,
                     const char *name = "inner") {
  sixrung_str input = str("value");
  sixrung_type type = c.type(dtype, dims);
  sixrung_graph_desc desc{};
  desc.struct_size = sizeof(desc);
  desc.name = str(name);
  desc.input_count = 1;
  desc.input_names = &input;
  desc.input_types = &type;
  return c.host->graph_open(c.call, &desc, &out->graph, &out->argument);
}

TEST(PrivateGraph, IsClosedAndCalled) {
  Lab lab;
  withProbe(lab);
  lower::Converted program = lab.convert(oneNode("probe::twice.default", tensor({4}), tensor({4})));
  std::string text = program.text();
  EXPECT_EQ(countOf(text, "coreai.graph private noinline @probe_exp_"), 1u) << text;
  EXPECT_EQ(countOf(text, "coreai.invoke @probe_exp_"), 2u) << text;
  EXPECT_LT(text.find("@probe_exp_"), text.find("coreai.graph @main")) << text;
  EXPECT_EQ(program.nodes()[0].ops,
            (std::vector<std::string>{"coreai.exp", "coreai.invoke", "coreai.invoke"}));
}

TEST(PrivateGraph, EqualOnesAreOne) {
  Lab lab;
  withProbe(lab);
  ProgramMaker m;
  m.input("x", tensor({4}));
  m.node("a", "probe::twice.default", {use("x")}, tensor({4})).source("/a/m.py", 1);
  m.node("b", "probe::twice.default", {use("a")}, tensor({4})).source("/a/m.py", 2);
  m.node("c", "probe::twice.default", {use("b")}, tensor({4}));
  m.output(use("c"));
  std::string text = lab.convert(m.program()).text();
  EXPECT_EQ(countOf(text, "coreai.graph private"), 1u) << text;
  EXPECT_EQ(text, lab.convert(m.program()).text());
}

TEST(PrivateGraph, ValuesOfOutsideStayOutside) {
  Lab lab;
  std::string told;
  lab.lowering("acme::leak.default", [&](const Call &c) -> sixrung_status * {
    sixrung_value x = c.value(0), out{};
    Opened inner;
    if (auto *status = open(c, DType::kF32, {4}, &inner))
      return status;
    Told refused = take(c.host, c.op("coreai.exp", {x}, &out)); // x is of the graph outside
    EXPECT_EQ(refused.code, SIXRUNG_STALE_HANDLE);
    sixrung_named_arg argument{};
    refused = take(c.host, c.host->call_arg(c.call, 1, &argument)); // not read before
    EXPECT_TRUE(has(refused.message, "private graph is open")) << refused.message;
    refused = take(c.host, c.set(inner.argument));
    EXPECT_TRUE(has(refused.message, "close it first")) << refused.message;
    sixrung_value result{};
    refused = take(c.host, c.host->invoke(c.call, inner.graph, &inner.argument, 1, &result, 1));
    EXPECT_TRUE(has(refused.message, "not closed")) << refused.message;
    if (auto *status = c.op("coreai.exp", {inner.argument}, &out))
      return status;
    if (auto *status = c.host->graph_close(c.call, inner.graph, &out, 1))
      return status;
    refused = take(c.host, c.op("coreai.exp", {out}, &result)); // of the graph that is closed
    EXPECT_EQ(refused.code, SIXRUNG_STALE_HANDLE);
    refused = take(c.host, c.host->graph_close(c.call, inner.graph, &out, 0));
    EXPECT_EQ(refused.code, SIXRUNG_INVALID_ARGUMENT);
    refused = take(c.host, c.host->invoke(c.call, inner.graph, nullptr, 0, &result, 1));
    EXPECT_EQ(refused.code, SIXRUNG_VERIFY_FAILED);
    if (auto *status = c.host->invoke(c.call, inner.graph, &x, 1, &result, 1))
      return status;
    return c.set(result);
  });
  ProgramMaker m;
  m.input("x", tensor({4})).input("y", tensor({4}));
  m.node("out", "acme::leak.default", {use("x"), use("y")}, tensor({4}));
  m.output(use("out"));
  EXPECT_TRUE(has(lab.convert(m.program()).text(), "coreai.invoke @inner_"));
}

TEST(PrivateGraph, OneLeftOpenIsNamedAndLeavesNothing) {
  Lab lab;
  lab.lowering("acme::open.default", [](const Call &c) -> sixrung_status * {
    sixrung_value x = c.value(0);
    if (auto *status = c.set(x))
      return status;
    Opened inner;
    return open(c, DType::kF32, {4}, &inner);
  });
  std::string error = lab.errorOf(oneNode("acme::open.default", tensor({4}), tensor({4})));
  EXPECT_TRUE(has(error, "private graph still open")) << error;
}

TEST(PrivateGraph, AStaleHandleIsTold) {
  Lab lab;
  lab.lowering("acme::stale.default", [](const Call &c) -> sixrung_status * {
    sixrung_value x = c.value(0), out{};
    for (uint64_t id : {uint64_t{0}, uint64_t{5}, ~uint64_t{0}}) {
      Told refused = take(c.host, c.host->invoke(c.call, {id}, &x, 1, &out, 1));
      EXPECT_EQ(refused.code, id == 0 ? SIXRUNG_INVALID_ARGUMENT : SIXRUNG_STALE_HANDLE);
    }
    return c.set(x);
  });
  lab.convert(oneNode("acme::stale.default", tensor({4}), tensor({4})));
}

TEST(Composite, DeclaresItself) {
  Lab lab;
  withProbe(lab);
  ProgramMaker m;
  m.input("x", tensor({2, 3})).input("y", tensor({2, 3}));
  m.node("a", "probe::scale.default", {use("x")}, tensor({2, 3}));
  m.node("b", "probe::scale.default", {use("a"), use("y")}, tensor({2, 3}));
  m.output(use("b"));
  lower::Converted program = lab.convert(m.program());
  std::string text = program.text();
  const char *alone =
      "composite_decl = #coreai.composite_declaration<\"probe_scale\" = {input_names = [\"x\"], "
      "op_attrs = {axes = [0 : si64, 1 : si64], count = 3 : si64, factor = 2.000000e+00 : f32, "
      "mode = \"fast\", version = 2 : si64}, output_names = [\"output\"]}>, template_op = "
      "\"probe_scale\"";
  EXPECT_EQ(countOf(text, alone), 1u) << text;
  EXPECT_EQ(countOf(text, "input_names = [\"x\", \"bias\"]"), 1u) << text;
  EXPECT_EQ(program.nodes()[0].remarks,
            std::vector<std::string>{"composite probe_scale by org.sixrung.test.newer 1.0.0"});
  EXPECT_EQ(program.nodes()[0].via, std::vector<std::string>{"org.sixrung.test.newer"});
}

TEST(Composite, OverridesReachLoweringsThatAskByName) {
  Lab lab;
  plugin::LoadOptions options;
  options.allowOverride = {"composite:probe_scale"};
  withProbe(withProbe(lab), "newer_rival", options);
  lower::Converted program = lab.convert(oneNode("probe::scale.default", tensor({4}), tensor({4})));
  EXPECT_TRUE(has(program.text(), "factor = 5.000000e+00 : f32")) << program.text();
  EXPECT_EQ(program.nodes()[0].remarks,
            std::vector<std::string>{
                "composite probe_scale by org.sixrung.test.rival11 1.0.0 over org.sixrung.test.newer"});
}

TEST(Composite, WhatIsWrongWithARequestIsNamed) {
  Lab lab;
  withProbe(lab);
  auto error = [&](const char *key) { return lab.errorOf(oneNode(key, tensor({4}), tensor({4}))); };
  EXPECT_TRUE(has(error("probe::misuse.default"), "the composite 'probe_scale' has no attribute 'axis'"));
  EXPECT_TRUE(has(error("probe::incomplete.default"),
                  "attribute 'axes' of the composite 'probe_scale' must be given"));
  EXPECT_TRUE(has(error("probe::unknown.default"), "there is no composite 'probe_nothing'; known are"));
  std::string failing = error("probe::failing.default");
  EXPECT_TRUE(has(failing, "composite::probe_failing in org.sixrung.test.newer 1.0.0: this body fails"))
      << failing;
  EXPECT_TRUE(has(failing, "node y")) << failing;
}

TEST(Composite, OneThatAsksForItselfIsNamed) {
  Lab lab;
  withProbe(lab);
  std::string error = lab.errorOf(oneNode("probe::endless.default", tensor({4}), tensor({4})));
  EXPECT_TRUE(has(error, "without end: composite::probe_endless -> composite::probe_endless")) << error;
}

} // namespace
