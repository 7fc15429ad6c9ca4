#include "core/graph/error.hpp"
#include "core/load/load.hpp"

#include <gtest/gtest.h>

using namespace sixrung;
using namespace sixrung::graph;

namespace {

std::string filled(const std::string &target, std::vector<NamedArgument> given) {
  Graph graph;
  graph.nodes.resize(1);
  graph.nodes[0].name = "n";
  graph.nodes[0].target = target;
  graph.nodes[0].inputs = std::move(given);
  load::fillSchemaDefaults(graph);
  std::string out;
  for (const NamedArgument &input : graph.nodes[0].inputs)
    out += input.name + (input.keyword ? "!" : "") + "=" + toString(input.value) + " ";
  return out;
}

NamedArgument x(const char *name = "self") { return {name, {ValueRef{"x"}}}; }

} // namespace

TEST(SchemaDefaults, EveryKindOfDefault) {
  EXPECT_EQ(filled("aten::add.Tensor", {x(), x("other")}), "self=%x other=%x alpha!=1 ");
  EXPECT_EQ(filled("aten::softmax.int", {x(), {"dim", {int64_t{1}}}}), "self=%x dim=1 dtype=None ");
  EXPECT_EQ(filled("aten::conv2d.default", {x("input"), x("weight")}),
            "input=%x weight=%x bias=None stride=[1, 1] padding=[0, 0] dilation=[1, 1] groups=1 ");
  EXPECT_EQ(filled("aten::gelu.default", {x()}), "self=%x approximate!=\"none\" ");
  EXPECT_EQ(filled("aten::leaky_relu.default", {x()}), "self=%x negative_slope=0.01 ");
  EXPECT_EQ(filled("aten::contiguous.default", {x()}),
            "self=%x memory_format!=memory_format contiguous_format ");
  EXPECT_EQ(filled("aten::cumsum.default", {x(), {"dim", {int64_t{0}}}}), "self=%x dim=0 dtype!=None ");
  EXPECT_EQ(
      filled("aten::max_pool2d.default", {x(), {"kernel_size", {ArgumentList{{int64_t{2}}, {int64_t{2}}}}}}),
      "self=%x kernel_size=[2, 2] stride=[] padding=[0, 0] dilation=[1, 1] ceil_mode=False ");
}

TEST(SchemaDefaults, OrderIsTheSchemas) {
  EXPECT_EQ(filled("aten::add.Tensor", {{"alpha", {int64_t{2}}, true}, x("other"), x()}),
            "self=%x other=%x alpha!=2 ");
}

TEST(SchemaDefaults, OthersStayAsTheyAre) {
  EXPECT_EQ(filled("acme::fused.default", {x("q")}), "q=%x ");
  EXPECT_EQ(filled("prims::convert_element_type.default", {x("a")}), "a=%x ");
  EXPECT_EQ(filled("aten::no_such_op.default", {x("a")}), "a=%x ");
  EXPECT_EQ(filled("truediv", {x("a")}), "a=%x ");
}

TEST(SchemaDefaults, ArgumentsTheOpDoesNotKnow) {
  EXPECT_THROW(filled("aten::add.Tensor", {x()}), Error);
  EXPECT_THROW(filled("aten::relu.default", {x(), x("other")}), Error);
  EXPECT_THROW(filled("aten::relu.default", {x(), x()}), Error);
}

TEST(SchemaDefaults, ReachSubgraphs) {
  auto body = std::make_shared<Graph>();
  body->nodes.resize(1);
  body->nodes[0].target = "aten::add.Tensor";
  body->nodes[0].inputs = {x(), x("other")};
  Graph graph;
  graph.nodes.resize(1);
  graph.nodes[0].target = "higher_order::cond";
  graph.nodes[0].inputs = {{"", {ArgumentList{{SubgraphArg{"g", body}}}}}};
  load::fillSchemaDefaults(graph);
  EXPECT_EQ(body->nodes[0].inputs.size(), 3u);
}
