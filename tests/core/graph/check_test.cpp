#include "core/graph/error.hpp"
#include "core/graph/program.hpp"

#include <functional>
#include <gtest/gtest.h>

using namespace sixrung;
using namespace sixrung::graph;

namespace {

ValueMeta tensor(std::vector<int64_t> sizes) {
  ValueMeta meta;
  meta.kind = ValueMeta::Kind::kTensor;
  meta.tensor.dtype = DType::kF32;
  for (int64_t size : sizes)
    meta.tensor.sizes.push_back(SymInt::of(size));
  return meta;
}

const float kWeights[2] = {1, 2};

// y = add(x, w), and the size of x.
Program valid() {
  Program program;
  Graph &graph = program.graph;
  graph.inputs = {"w", "x"};
  graph.values = {{"w", tensor({2})}, {"x", tensor({2})}, {"y", tensor({2})}};
  graph.values["n"].kind = ValueMeta::Kind::kSymInt;
  Node add;
  add.name = "y";
  add.target = "acme::add.default";
  add.inputs = {{"self", {ValueRef{"x"}}}, {"other", {ArgumentList{{ValueRef{"w"}}, {NoneArg{}}}}}};
  add.outputs = {"y"};
  Node size;
  size.name = "n";
  size.target = "acme::size.default";
  size.inputs = {{"self", {ValueRef{"y"}}}};
  size.outputs = {"n", ""};
  graph.nodes = {add, size};
  graph.outputs = {{ValueRef{"y"}}, {SymIntRef{"n"}}, {NoneArg{}}};
  program.inputs.resize(2);
  program.inputs[0].kind = InputSpec::Kind::kParameter;
  program.inputs[0].value = "w";
  program.inputs[0].target = "layer.weight";
  program.inputs[1].value = "x";
  program.outputs.resize(3);
  for (size_t i = 0; i < 3; ++i)
    program.outputs[i].value = graph.outputs[i];
  TensorData &data = program.constants["layer.weight"];
  data.dtype = DType::kF32;
  data.sizes = {2};
  data.strides = {1};
  data.data = reinterpret_cast<const std::byte *>(kWeights);
  data.extent = sizeof kWeights;
  return program;
}

std::string failure(const std::function<void(Program &)> &spoil) {
  Program program = valid();
  spoil(program);
  try {
    check(program);
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInvalidInput);
    return error.what();
  }
  return "";
}

} // namespace

TEST(Check, AcceptsASoundProgram) {
  EXPECT_EQ(failure([](Program &) {}), "");
}

#define EXPECT_FAILURE(text, ...)                                                                            \
  EXPECT_NE(failure([](Program &p) { __VA_ARGS__; }).find(text), std::string::npos)                          \
      << failure([](Program &p) { __VA_ARGS__; })

TEST(Check, NamesResolveInOrder) {
  EXPECT_FAILURE("reads 'z', which nothing before it defines",
                 p.graph.nodes[0].inputs[0].value = {ValueRef{"z"}});
  EXPECT_FAILURE("reads 'y', which nothing", std::swap(p.graph.nodes[0], p.graph.nodes[1]));
  EXPECT_FAILURE("reads 'y' as something else", p.graph.nodes[1].inputs[0].value = {SymIntRef{"y"}});
  EXPECT_FAILURE("reads 'n' as something else", p.graph.outputs[1] = {ValueRef{"n"}});
  EXPECT_FAILURE("'x' is defined twice", p.graph.nodes[0].outputs = {"x"});
  EXPECT_FAILURE("'q', has no metadata", p.graph.nodes[0].outputs = {"q"});
  EXPECT_FAILURE("has no target", p.graph.nodes[0].target.clear());
  EXPECT_FAILURE("has no name", p.graph.inputs[1].clear());
}

TEST(Check, MetadataIsSane) {
  EXPECT_FAILURE("negative size -1", p.graph.values["x"].tensor.sizes = {SymInt::of(-1)});
  EXPECT_FAILURE("no element type", p.graph.values["x"].tensor.dtype = DType::kNone);
  EXPECT_FAILURE("1 sizes and 2 strides", p.graph.values["x"].tensor.strides.resize(2, SymInt::of(1)));
  EXPECT_FAILURE("unknown size", p.graph.values["x"].tensor.sizes = {SymInt{}});
  EXPECT_FAILURE("65 dimensions", p.graph.values["x"].tensor.sizes.resize(65, SymInt::of(1)));
  EXPECT_FAILURE("ranges from 4 to 3", p.ranges["s0"] = (SymRange{4, 3}));
}

TEST(Check, SignatureMatchesTheGraph) {
  EXPECT_FAILURE("2 inputs and the signature 1", p.inputs.pop_back());
  EXPECT_FAILURE("is 'x' in the graph", p.inputs[1].value = "w");
  EXPECT_FAILURE("3 outputs and the signature 2", p.outputs.pop_back());
  EXPECT_FAILURE("output 0 is %y in the graph", p.outputs[0].value = {ValueRef{"x"}});
  EXPECT_FAILURE("mutates 'gone'", p.outputs[0].kind = OutputSpec::Kind::kBufferMutation;
                 p.outputs[0].target = "gone");
  EXPECT_FAILURE("mutates 'w'", p.outputs[0].kind = OutputSpec::Kind::kUserInputMutation;
                 p.outputs[0].target = "w");
}

TEST(Check, ConstantsAreWhatTheGraphSays) {
  EXPECT_FAILURE("has no data", p.constants.clear());
  EXPECT_FAILURE("belongs to no input", p.constants["stray"] = p.constants.begin()->second);
  EXPECT_FAILURE("says otherwise", p.constants.begin()->second.dtype = DType::kF64);
  EXPECT_FAILURE("says otherwise", p.constants.begin()->second.sizes = {1});
  EXPECT_FAILURE("reaches beyond", p.constants.begin()->second.strides = {2});
}

TEST(Check, SubgraphsAreScopesOfTheirOwn) {
  auto spoil = [](Program &p, Graph inner) {
    p.graph.nodes[0].inputs.push_back({"", {SubgraphArg{"body", std::make_shared<Graph>(std::move(inner))}}});
  };
  Graph constant; // a baked-in constant among its inputs
  constant.inputs = {"", "a"};
  constant.values = {{"a", tensor({2})}};
  constant.outputs = {{ValueRef{"a"}}};
  EXPECT_EQ(failure([&](Program &p) { spoil(p, constant); }), "");
  Graph outer = constant;
  outer.outputs = {{ValueRef{"x"}}};
  EXPECT_NE(failure([&](Program &p) { spoil(p, outer); }).find("subgraph 'body'"), std::string::npos);
  EXPECT_FAILURE("without a body", p.graph.nodes[0].inputs.push_back({"", {SubgraphArg{"body", nullptr}}}));
  EXPECT_NE(failure([&](Program &p) {
              Graph graph = constant;
              for (int i = 0; i < 100; ++i) {
                Graph around;
                Node node;
                node.name = "n";
                node.target = "acme::call.default";
                node.inputs = {{"", {SubgraphArg{"g", std::make_shared<Graph>(std::move(graph))}}}};
                around.nodes = {node};
                graph = std::move(around);
              }
              spoil(p, graph);
            }).find("nest deeper"),
            std::string::npos);
}
