// Archives torch wrote: everything of them arrives.
#include "pt2_builder.hpp"

#include <cstring>
#include <gtest/gtest.h>

using namespace sixrung;
using namespace sixrung::graph;
using sixrung::test::fixturePath;

namespace {

const Node &find(const Graph &graph, std::string_view name) {
  for (const Node &node : graph.nodes)
    if (node.name == name)
      return node;
  throw std::logic_error("no such node");
}

std::string argument(const Node &node, std::string_view name) {
  for (const NamedArgument &input : node.inputs)
    if (input.name == name)
      return toString(input.value);
  return "absent";
}

template <typename T> std::vector<T> values(const Program &program, const std::string &name) {
  auto bytes = pack(program.constants.at(name));
  std::vector<T> out(bytes.size() / sizeof(T));
  if (!out.empty())
    std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

} // namespace

TEST(Fixtures, DumpsAreWhatTheyWere) {
  for (const char *name : {"constants", "control", "control_decomposed", "arguments"}) {
    std::string expected = test::readFile(fixturePath(std::string(name) + ".dump"));
    EXPECT_EQ(dump(load::loadPt2(fixturePath(std::string(name) + ".pt2"))), expected) << name;
  }
}

TEST(Fixtures, ConstantsFollowTheirStrides) {
  Program program = load::loadPt2(fixturePath("constants.pt2"));
  EXPECT_EQ(values<float>(program, "transposed"),
            (std::vector<float>{0, 6, 12, 18, 1, 7,  13, 19, 2, 8,  14, 20,
                                3, 9, 15, 21, 4, 10, 16, 22, 5, 11, 17, 23}));
  EXPECT_EQ(values<float>(program, "expanded"), (std::vector<float>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(values<float>(program, "offset"), (std::vector<float>{5, 6, 7, 8}));
  EXPECT_EQ(values<int64_t>(program, "every_other"), (std::vector<int64_t>{1, 3, 5, 7}));
  EXPECT_EQ(values<float>(program, "empty"), std::vector<float>{});
  EXPECT_EQ(values<uint16_t>(program, "narrow"), (std::vector<uint16_t>{0x3800, 0xbe00}));
  EXPECT_EQ(values<uint16_t>(program, "brain"), (std::vector<uint16_t>{0x3f00, 0xbfc0}));
  EXPECT_EQ(values<uint8_t>(program, "flags"), (std::vector<uint8_t>{1, 0, 1}));
  EXPECT_EQ(values<int32_t>(program, "scalar"), (std::vector<int32_t>{7}));
  // Tied weights are one record, and nothing is copied out of the mapping.
  EXPECT_EQ(program.constants.at("first.weight").data, program.constants.at("second.weight").data);
  EXPECT_EQ(program.constants.at("transposed").data + 20, program.constants.at("offset").data);
}

TEST(Fixtures, WeightsOutliveTheArchiveObject) {
  std::vector<std::byte> bytes;
  {
    TensorData kept;
    {
      Program program = load::loadPt2(fixturePath("constants.pt2"));
      kept = program.constants.at("offset");
    }
    bytes = pack(kept);
  }
  EXPECT_EQ(bytes.size(), 16u);
}

TEST(Fixtures, SignatureAndSymbols) {
  Program program = load::loadPt2(fixturePath("control_decomposed.pt2"));
  std::vector<std::string> kinds;
  for (const InputSpec &spec : program.inputs)
    kinds.push_back(spec.value + ":" + std::to_string(static_cast<int>(spec.kind)));
  EXPECT_EQ(kinds, (std::vector<std::string>{"b_count:2", "c_lifted_tensor_0:3", "x:0", "cache:0", "k:0",
                                             "scale:6", "mode:6", "flag:6"}));
  EXPECT_EQ(toString(program.inputs[5].constant), "0.5");
  EXPECT_EQ(toString(program.inputs[6].constant), "\"sum\"");
  EXPECT_EQ(toString(program.inputs[7].constant), "None");
  EXPECT_EQ(program.outputs[0].kind, OutputSpec::Kind::kBufferMutation);
  EXPECT_EQ(program.outputs[0].target, "count");
  EXPECT_EQ(program.outputs[1].kind, OutputSpec::Kind::kUserInputMutation);
  EXPECT_EQ(program.outputs[1].target, "cache");
  EXPECT_EQ(program.graph.values.at("k").kind, ValueMeta::Kind::kSymInt);
  EXPECT_EQ(program.ranges.at("s77").min, 2);
  EXPECT_EQ(program.ranges.at("s77").max, 10);
  EXPECT_FALSE(program.ranges.at("s16").max.has_value());
  EXPECT_EQ(toString(program.graph.values.at("view").tensor.sizes[0]), "3*s77");
}

TEST(Fixtures, ResultsAreFlatAndUnusedOnesNameless) {
  Program program = load::loadPt2(fixturePath("control_decomposed.pt2"));
  EXPECT_EQ(find(program.graph, "split_with_sizes").outputs,
            (std::vector<std::string>{"getitem", "", "getitem_2"}));
  EXPECT_EQ(find(program.graph, "max_1").outputs, (std::vector<std::string>{"getitem_3", ""}));
  EXPECT_EQ(program.graph.values.count("max_1_unused_1"), 0u);
  Program lists = load::loadPt2(fixturePath("arguments.pt2"));
  EXPECT_EQ(find(lists.graph, "lists").outputs,
            (std::vector<std::string>{"getitem", "getitem_2", "getitem_3"}));
}

TEST(Fixtures, SubgraphsArriveWithTheirArguments) {
  Program program = load::loadPt2(fixturePath("control_decomposed.pt2"));
  const Node &cond = find(program.graph, "cond");
  EXPECT_EQ(cond.target, "higher_order::cond");
  ASSERT_EQ(cond.inputs.size(), 4u);
  EXPECT_EQ(cond.inputs[1].name, "");
  const auto &branch = std::get<SubgraphArg>(cond.inputs[1].value.value);
  EXPECT_EQ(branch.name, "true_graph_0");
  EXPECT_EQ(branch.graph->inputs, std::vector<std::string>{"x"});
  EXPECT_EQ(argument(branch.graph->nodes[1], "other"), "int %sym_size_int_1");
  EXPECT_EQ(find(program.graph, "while_loop").inputs.size(), 4u);
}

TEST(Fixtures, EveryKindOfArgument) {
  Program program = load::loadPt2(fixturePath("arguments.pt2"));
  const Node &node = find(program.graph, "everything");
  EXPECT_EQ(argument(node, "holes"), "[%x, None]");
  EXPECT_EQ(argument(node, "ints"), "[1, -2]");
  EXPECT_EQ(argument(node, "floats"), "[0.5, inf]");
  EXPECT_EQ(argument(node, "bools"), "[True, False]");
  EXPECT_EQ(argument(node, "text"), "\"text \u00e9\\n\"");
  EXPECT_EQ(argument(node, "texts"), "[\"a\", \"b\"]");
  EXPECT_EQ(argument(node, "dtype"), "dtype float16");
  EXPECT_EQ(argument(node, "device"), "device cpu");
  EXPECT_EQ(argument(node, "layout"), "layout strided");
  EXPECT_EQ(argument(node, "format"), "memory_format channels_last");
  EXPECT_EQ(argument(node, "number"), "3");
  EXPECT_EQ(argument(node, "real"), "2.5");
  EXPECT_EQ(argument(node, "sizes"), "[int %sym_size_int_1, 4]");
}

TEST(Fixtures, SourceAndModulesOfANode) {
  Program program = load::loadPt2(fixturePath("constants.pt2"));
  const Node &linear = find(program.graph, "linear");
  const SourceFrame *frame = userFrame(linear);
  ASSERT_NE(frame, nullptr);
  EXPECT_EQ(frame->file, "make_pt2.py");
  EXPECT_EQ(frame->function, "forward");
  ASSERT_EQ(linear.modules.size(), 2u);
  EXPECT_EQ(linear.modules[1].path, "first");
  EXPECT_EQ(linear.modules[1].type, "torch.nn.modules.linear.Linear");
  EXPECT_EQ(program.moduleCalls.size(), 3u);
}
