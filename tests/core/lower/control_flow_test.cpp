// Regions, subgraphs, dispatch from inside a lowering.
#include "support.hpp"

#include <gtest/gtest.h>

using namespace sixrung;
using namespace sixrung::test;

namespace {

bool has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

sixrung_op terminator(const char *name, const std::vector<sixrung_value> &operands) {
  sixrung_op op{};
  op.struct_size = sizeof(op);
  op.name = str(name);
  op.operands = operands.data();
  op.operand_count = static_cast<uint32_t>(operands.size());
  return op;
}

// higher_order::cond(pred, true graph, false graph, operand...) as a coreai.if.
sixrung_status *lowerCond(const Call &c) {
  sixrung_region regions[2];
  for (uint32_t branch = 0; branch < 2; ++branch) {
    sixrung_arg argument = c.argument(1 + branch);
    EXPECT_EQ(argument.tag, SIXRUNG_ARG_SUBGRAPH);
    sixrung_subgraph graph{argument.payload};
    uint32_t inputs = 0, outputs = 0;
    if (auto *status = c.host->subgraph_info(c.call, graph, &inputs, &outputs))
      return status;
    EXPECT_EQ(inputs, 1u);
    EXPECT_EQ(outputs, 1u);
    sixrung_result_info port{};
    port.struct_size = sizeof(port);
    if (auto *status = c.host->subgraph_port(c.call, graph, 1, 0, &port))
      return status;
    EXPECT_EQ(port.kind, SIXRUNG_RESULT_TENSOR);
    EXPECT_EQ(port.rank, 1u);
    if (auto *status = c.host->region_open(c.call, nullptr, 0, &regions[branch], nullptr))
      return status;
    sixrung_value operand = c.value(3), out{};
    if (auto *status = c.host->subgraph_inline(c.call, graph, &operand, 1, &out, 1))
      return status;
    std::vector<sixrung_value> yielded{out};
    sixrung_op end = terminator("coreai.yield", yielded);
    if (auto *status = c.host->region_close(c.call, regions[branch], &end))
      return status;
  }
  std::vector<sixrung_value> operands{c.value(0)};
  sixrung_op op = terminator("coreai.if", operands);
  int64_t dims[] = {2};
  sixrung_type type{sizeof(sixrung_type), SIXRUNG_TYPE_TENSOR, SIXRUNG_F32, 1, dims};
  op.result_types = &type;
  op.result_count = 1;
  op.regions = regions;
  op.region_count = 2;
  sixrung_value out{};
  if (auto *status = c.host->build_op(c.call, &op, &out))
    return status;
  EXPECT_EQ(take(c.host, c.host->build_op(c.call, &op, &out)).code, SIXRUNG_STALE_HANDLE)
      << "regions are used up";
  return c.set(out);
}

graph::Argument branch(const std::string &name, const std::string &target) {
  GraphMaker g;
  g.value("arg", tensor({2}));
  g.graph.inputs = {"arg"};
  g.node(name + "_node", target, {use("arg")}, tensor({2})).source("/w/app/model.py", 30);
  g.graph.outputs = {use(name + "_node")};
  return graph::Argument{graph::SubgraphArg{name, std::make_shared<graph::Graph>(g.graph)}};
}

std::shared_ptr<const graph::Program> condProgram(const std::string &whenTrue, const std::string &whenFalse) {
  ProgramMaker m;
  m.input("p", tensor({}, DType::kBool)).input("x", tensor({2}));
  m.node("y", "higher_order::cond",
         {use("p"), branch("true_graph_0", whenTrue), branch("false_graph_0", whenFalse), use("x")},
         tensor({2}));
  m.output(use("y"));
  return m.program();
}

TEST(Subgraphs, CondBecomesAnIf) {
  Lab lab;
  lab.elementwise("aten::relu.default", "coreai.relu").elementwise("aten::exp.default", "coreai.exp");
  lab.lowering("higher_order::cond", lowerCond);
  lower::Converted program = lab.convert(condProgram("aten::relu.default", "aten::exp.default"));
  std::string text = program.text();
  EXPECT_LT(text.find("coreai.if"), text.find("coreai.relu")) << text;
  ASSERT_EQ(program.nodes().size(), 3u);
  EXPECT_EQ(program.nodes()[0].node, "y");
  EXPECT_EQ(program.nodes()[1].node, "true_graph_0/true_graph_0_node");
  EXPECT_EQ(program.nodes()[1].source, "app/model.py:30");
  EXPECT_EQ(program.nodes()[2].node, "false_graph_0/false_graph_0_node");
}

TEST(Subgraphs, AMissInsideOneIsFoundBeforeAnythingIsBuilt) {
  Lab lab;
  bool ran = false;
  lab.elementwise("aten::relu.default", "coreai.relu").lowering("higher_order::cond", [&](const Call &c) {
    ran = true;
    return lowerCond(c);
  });
  EXPECT_TRUE(
      has(lab.errorOf(condProgram("aten::relu.default", "acme::nobody.default")), "acme::nobody.default"));
  EXPECT_FALSE(ran);
}

TEST(Subgraphs, AFailureInsideOneNamesBothNodes) {
  Lab lab;
  lab.elementwise("aten::relu.default", "coreai.relu").lowering("higher_order::cond", lowerCond);
  lab.lowering("acme::bad.default", [](const Call &c) { return c.fail(SIXRUNG_UNSUPPORTED, "not today"); });
  std::string error = lab.errorOf(condProgram("acme::bad.default", "aten::relu.default"));
  EXPECT_TRUE(has(error, "higher_order::cond (node y)")) << error;
  EXPECT_TRUE(has(error, "acme::bad.default (node true_graph_0/true_graph_0_node, app/model.py:30)"))
      << error;
}

TEST(Subgraphs, InputsAreCheckedAndCounted) {
  Lab lab;
  lab.elementwise("aten::relu.default", "coreai.relu");
  lab.lowering("higher_order::cond", [](const Call &c) -> sixrung_status * {
    sixrung_subgraph graph{c.argument(1).payload};
    sixrung_value operand = c.value(0), out{9}; // the predicate: neither the type nor the shape
    Told told = take(c.host, c.host->subgraph_inline(c.call, graph, &operand, 1, &out, 1));
    EXPECT_EQ(told.code, SIXRUNG_TYPE_MISMATCH);
    EXPECT_TRUE(has(told.message, "input 0 ('arg') of subgraph true_graph_0")) << told.message;
    EXPECT_EQ(take(c.host, c.host->subgraph_inline(c.call, graph, &operand, 0, &out, 1)).code,
              SIXRUNG_INVALID_ARGUMENT);
    EXPECT_EQ(take(c.host, c.host->subgraph_inline(c.call, {graph.id + 7}, &operand, 1, &out, 1)).code,
              SIXRUNG_STALE_HANDLE);
    EXPECT_EQ(out.id, 9u) << "untouched on failure";
    return lowerCond(c);
  });
  lab.convert(condProgram("aten::relu.default", "aten::relu.default"));
}

TEST(Regions, ValuesEndWithTheirRegion) {
  Lab lab;
  lab.lowering("acme::region.default", [](const Call &c) -> sixrung_status * {
    sixrung_region outer{}, inner{};
    int64_t dims[] = {2};
    sixrung_type type{sizeof(sixrung_type), SIXRUNG_TYPE_TENSOR, SIXRUNG_F32, 1, dims};
    sixrung_value argument{}, inside{};
    EXPECT_EQ(c.host->region_open(c.call, &type, 1, &outer, &argument), nullptr);
    EXPECT_EQ(c.op("coreai.relu", {argument}, &inside), nullptr);
    EXPECT_EQ(c.host->region_open(c.call, nullptr, 0, &inner, nullptr), nullptr);
    std::vector<sixrung_value> yielded{inside};
    sixrung_op end = terminator("coreai.yield", yielded);
    EXPECT_EQ(take(c.host, c.host->region_close(c.call, outer, &end)).code, SIXRUNG_INVALID_ARGUMENT)
        << "only the innermost";
    EXPECT_EQ(take(c.host, c.set(c.value(0))).code, SIXRUNG_INVALID_ARGUMENT) << "a region is open";
    EXPECT_EQ(c.host->region_close(c.call, inner, &end), nullptr);
    EXPECT_EQ(c.host->region_close(c.call, outer, &end), nullptr);
    EXPECT_NE(take(c.host, c.host->region_close(c.call, outer, &end)).code, 0u) << "closed already";
    sixrung_value out{};
    EXPECT_EQ(take(c.host, c.op("coreai.relu", {inside}, &out)).code, SIXRUNG_STALE_HANDLE);
    EXPECT_EQ(take(c.host, c.op("coreai.relu", {argument}, &out)).code, SIXRUNG_STALE_HANDLE);
    return c.set(c.value(0)); // the regions go unused
  });
  lab.convert(oneNode("acme::region.default", tensor({2}), tensor({2})));
}

TEST(Regions, OneLeftOpenIsAnErrorAndLeavesNothing) {
  Lab lab;
  lab.lowering("acme::open.default", [](const Call &c) -> sixrung_status * {
    if (auto *status = c.set(c.value(0)))
      return status;
    sixrung_region region{};
    return c.host->region_open(c.call, nullptr, 0, &region, nullptr);
  });
  EXPECT_TRUE(
      has(lab.errorOf(oneNode("acme::open.default", tensor({2}), tensor({2}))), "a region still open"));
}

TEST(Dispatch, OverridesApplyInside) {
  Lab lab;
  lab.elementwise("aten::relu.default", "coreai.relu");
  lab.lowering("acme::twice.default", [](const Call &c) -> sixrung_status * {
    sixrung_value out{};
    if (auto *status = c.lower("torch.ops.aten.relu.default", {c.value(0)}, &out)) // any spelling
      return status;
    return c.set(out);
  });
  auto program = oneNode("acme::twice.default", tensor({2}), tensor({2}));
  lower::Converted first = lab.convert(program);
  EXPECT_TRUE(has(first.text(), "coreai.relu"));
  ASSERT_EQ(first.nodes().size(), 1u);
  EXPECT_EQ(first.nodes()[0].ops, std::vector<std::string>{"coreai.relu"})
      << "ops of a dispatch belong to the node";
  ASSERT_EQ(first.nodes()[0].remarks.size(), 1u);
  EXPECT_TRUE(has(first.nodes()[0].remarks[0], "aten::relu.default by org.test.lab 1.2.0"));
  lab.lowering(
      "aten::relu.default",
      [](const Call &c) -> sixrung_status * {
        sixrung_value out{};
        if (auto *status = c.op("coreai.silu", {c.value(0)}, &out))
          return status;
        return c.set(out);
      },
      true, "org.test.other");
  EXPECT_TRUE(has(lab.convert(program).text(), "coreai.silu"));
}

TEST(Dispatch, RecursionIsDetectedAndNamed) {
  Lab lab;
  auto to = [](const char *key) {
    return [key](const Call &c) -> sixrung_status * {
      sixrung_value out{};
      if (auto *status = c.lower(key, {c.value(0)}, &out))
        return status;
      return c.set(out);
    };
  };
  lab.lowering("acme::a.default", to("acme::b.default")).lowering("acme::b.default", to("acme::a.default"));
  std::string error = lab.errorOf(oneNode("acme::a.default", tensor({2}), tensor({2})));
  EXPECT_TRUE(has(error, "without end: acme::a.default -> acme::b.default -> acme::a.default")) << error;
}

TEST(Dispatch, WhatNobodyLowersIsNotFoundAndSuggested) {
  Lab lab;
  lab.elementwise("aten::relu.default", "coreai.relu");
  lab.lowering("acme::asks.default", [](const Call &c) -> sixrung_status * {
    sixrung_value out{77};
    Told told = take(c.host, c.lower("aten::relu.out", {c.value(0)}, &out));
    EXPECT_EQ(told.code, SIXRUNG_NOT_FOUND);
    EXPECT_TRUE(has(told.message, "nothing lowers aten::relu.out; did you mean aten::relu.default"))
        << told.message;
    EXPECT_EQ(out.id, 77u);
    return c.set(c.value(0));
  });
  lab.convert(oneNode("acme::asks.default", tensor({2}), tensor({2})));
}

TEST(Dispatch, AFailureInsideMayBeRecoveredFrom) {
  Lab lab;
  lab.lowering("acme::fragile.default", [](const Call &c) -> sixrung_status * {
    sixrung_region region{};
    EXPECT_EQ(c.host->region_open(c.call, nullptr, 0, &region, nullptr), nullptr); // left open by the failure
    return c.fail(SIXRUNG_UNSUPPORTED, "cannot");
  });
  lab.lowering("acme::careful.default", [](const Call &c) -> sixrung_status * {
    sixrung_value out{};
    Told told = take(c.host, c.lower("acme::fragile.default", {c.value(0)}, &out));
    EXPECT_EQ(told.code, SIXRUNG_UNSUPPORTED);
    EXPECT_TRUE(has(told.message, "acme::fragile.default in org.test.lab 1.2.0: cannot")) << told.message;
    if (auto *status = c.op("coreai.relu", {c.value(0)}, &out))
      return status;
    return c.set(out);
  });
  EXPECT_TRUE(
      has(lab.convert(oneNode("acme::careful.default", tensor({2}), tensor({2}))).text(), "coreai.relu"));
}

TEST(Dispatch, ResultsAreChecked) {
  Lab lab;
  lab.lowering("acme::wrong.default", [](const Call &c) -> sixrung_status * {
    float one = 1;
    sixrung_value out{};
    if (auto *status = c.constant(DType::kF32, {1}, &one, 4, &out))
      return status;
    return c.set(out);
  });
  lab.lowering("acme::outer.default", [](const Call &c) -> sixrung_status * {
    sixrung_value out{};
    return c.lower("acme::wrong.default", {c.value(0)}, &out);
  });
  std::string error = lab.errorOf(oneNode("acme::outer.default", tensor({2}), tensor({2})));
  EXPECT_TRUE(has(error, "dimension 0 must be 2")) << error;
}

} // namespace
