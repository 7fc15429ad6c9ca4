// Every tag of the schema's unions, and tags that are wrong for their place.
#include "pt2_builder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace sixrung;
using sixrung::test::Pt2;

namespace {

// An archive whose one node takes the argument.
std::string with(std::string_view argument) {
  std::string node = R"([{"target": "torch.ops.acme.take.default", "name": "y", "metadata": {},
    "inputs": [{"name": "a", "arg": )";
  node += argument;
  node += R"(, "kind": 2}], "outputs": [{"as_tensor": {"name": "y"}}], "is_hop_single_tensor_return": null},
    {"target": "torch.ops.aten.sym_size.int", "name": "n", "metadata": {}, "inputs": [
      {"name": "self", "arg": {"as_tensor": {"name": "x"}}}, {"name": "dim", "arg": {"as_int": 0}}],
      "outputs": [{"as_sym_int": {"as_name": "n"}}]}])";
  // The size comes first, so that the argument can name it.
  size_t cut = node.find("},\n    {\"target\": \"torch.ops.aten.sym_size");
  std::string taking = node.substr(1, cut), size = node.substr(cut + 2, node.size() - cut - 3);
  return Pt2::minimal()
      .edit(
          R"("sym_int_values": {})",
          R"json("sym_int_values": {"n": {"as_expr": {"expr_str": "Symbol('s0')", "hint": {"as_int": 2}}}})json")
      .nodes("[" + size + ", " + taking + "]")
      .bytes();
}

std::string read(std::string_view argument) {
  graph::Program program = test::load(with(argument));
  const graph::NamedArgument &input = program.graph.nodes[1].inputs[0];
  EXPECT_TRUE(input.keyword);
  return toString(input.value);
}

} // namespace

TEST(Arguments, EveryTag) {
  const std::pair<const char *, const char *> cases[] = {
      {R"({"as_none": true})", "None"},
      {R"({"as_tensor": {"name": "x"}})", "%x"},
      {R"({"as_tensors": [{"name": "x"}, {"name": "n"}]})", "[%x, int %n]"},
      {R"({"as_int": -9223372036854775808})", "-9223372036854775808"},
      {R"({"as_ints": [1, 2]})", "[1, 2]"},
      {R"({"as_float": 1})", "1.0"},
      {R"({"as_float": 1e-5})", "1e-05"},
      {R"({"as_float": "-Infinity"})", "-inf"},
      {R"({"as_float": "NaN"})", "nan"},
      {R"({"as_float": NaN})", "nan"},
      {R"({"as_floats": [0.5, "Infinity"]})", "[0.5, inf]"},
      {R"({"as_string": "a\u00e9\ud83d\ude00"})", "\"a\u00e9\U0001f600\""},
      {R"({"as_strings": ["a", ""]})", "[\"a\", \"\"]"},
      {R"({"as_sym_int": {"as_name": "n"}})", "int %n"},
      {R"({"as_sym_int": {"as_int": 4}})", "4"},
      {R"({"as_sym_ints": [{"as_name": "n"}, {"as_int": 4}]})", "[int %n, 4]"},
      {R"({"as_sym_float": {"as_float": 0.5}})", "0.5"},
      {R"({"as_sym_floats": [{"as_float": 0.5}]})", "[0.5]"},
      {R"({"as_sym_bool": {"as_bool": true}})", "True"},
      {R"({"as_sym_bools": [{"as_bool": false}]})", "[False]"},
      {R"({"as_scalar_type": 33})", "dtype float8_e8m0fnu"},
      {R"({"as_memory_format": 3})", "memory_format channels_last_3d"},
      {R"({"as_layout": 2})", "layout sparse_csr"},
      {R"({"as_device": {"type": "cuda", "index": 1}})", "device cuda:1"},
      {R"({"as_bool": false})", "False"},
      {R"({"as_bools": [true]})", "[True]"},
      {R"({"as_optional_tensor": {"as_none": true}})", "None"},
      {R"({"as_optional_tensor": {"as_tensor": {"name": "x"}}})", "%x"},
      {R"({"as_optional_tensors": [{"as_none": true}, {"as_tensor": {"name": "x"}}]})", "[None, %x]"},
      {R"({"as_operator": "torch.ops.aten.add.Tensor"})", "operator aten::add.Tensor"},
      {R"({"as_complex": {"real": 1, "imag": -2.5}})", "complex(1.0, -2.5)"},
      {R"({"as_nested_tensors": [[{"name": "x"}], []]})", "[[%x], []]"},
      {R"({"as_int_lists": [[1], [2, 3]]})", "[[1], [2, 3]]"},
      {R"({"as_float_lists": [[0.5]]})", "[[0.5]]"},
      {R"({"as_string_to_argument": {"k": {"as_int": 1}, "v": {"as_tensor": {"name": "x"}}}})",
       "[[\"k\", 1], [\"v\", %x]]"},
      {R"({"as_graph": {"name": "g", "graph": {"inputs": [{"as_int": 3}], "outputs": [], "nodes": [],
          "tensor_values": {}, "sym_int_values": {}, "sym_bool_values": {}}}})",
       "subgraph @g"},
  };
  for (const auto &[json, expected] : cases)
    EXPECT_EQ(read(json), expected) << json;
}

TEST(Arguments, WrongTagsAndPayloads) {
  const std::pair<const char *, const char *> cases[] = {
      {R"({"as_tensr": {"name": "x"}})", "the argument tag 'as_tensr' is unknown"},
      {R"({"as_\u0074ensor": {"name": "x"}})", "is unknown"},
      {R"({})", "exactly one member"},
      {R"({"as_int": 1, "as_bool": true})", "exactly one member"},
      {R"([])", "an object with one member"},
      {R"(null)", "the field 'arg' is missing"},
      {R"({"as_int": 1.5})", "an integer of 64 bits"},
      {R"({"as_int": "1"})", "an integer of 64 bits"},
      {R"({"as_int": true})", "an integer of 64 bits"},
      {R"({"as_bool": 1})", "true or false"},
      {R"({"as_float": "nine"})", "a number is expected"},
      {R"({"as_string": 1})", "a string is expected"},
      {R"({"as_tensor": {"name": 3}})", "a string is expected"},
      {R"({"as_tensor": "x"})", "an object is expected"},
      {R"({"as_tensors": {"name": "x"}})", "an array is expected"},
      {R"({"as_optional_tensor": {"as_int": 3}})", "a tensor or none is expected"},
      {R"({"as_sym_int": {"as_expr": 3}})", "a symbolic argument is expected"},
      {R"({"as_scalar_type": 0})", "the dtype 0 is unknown"},
      {R"({"as_scalar_type": 5000000000})", "the dtype 5000000000 is unknown"},
      {R"({"as_layout": 0})", "the layout 0 is unknown"},
      {R"({"as_memory_format": 5})", "the memory format 5 is unknown"},
      {R"({"as_custom_obj": {"name": "_custom_obj_0", "class_fqn": "a.B"}})",
       "which nothing before it defines"},
      {R"({"as_graph": {"name": "g", "graph": null}})", "the field 'graph' is missing"},
      {R"({"as_string_to_argument": {"k": {"as_int": 1}, "k": {"as_int": 2}}})", "stands twice"},
  };
  for (const auto &[json, expected] : cases)
    EXPECT_REFUSED(with(json), expected);
}

TEST(Arguments, ResultsOfWrongKinds) {
  auto result = [](std::string_view outputs) {
    return Pt2::minimal()
        .edit(R"("outputs": [{"as_tensor": {"name": "y"}}], "is_hop)",
              "\"outputs\": " + std::string(outputs) + ", \"is_hop")
        .bytes();
  };
  EXPECT_EQ(test::failure(result(R"([{"as_tensors": [{"name": "y"}]}, {"as_none": true}])")), "");
  EXPECT_REFUSED(result(R"([{"as_int": 3}])"), "'as_int' cannot be a result");
  EXPECT_REFUSED(result(R"([{"as_sym_int": {"as_int": 3}}])"), "the field 'as_name' is missing");
  EXPECT_REFUSED(result(R"([])"), "which nothing before it defines");
}

TEST(Arguments, UnusedResultsAreRecognizedByTheirNodesName) {
  Pt2 pt2 = Pt2::minimal();
  pt2.nodes(R"([{"target": "torch.ops.acme.two.default", "name": "two", "metadata": {}, "inputs": [],
    "outputs": [{"as_tensor": {"name": "y"}}, {"as_tensors": [{"name": "two_unused_1_0"}, {"name": "one_unused_0"}]}]}])");
  std::string floats = "\"tensor_values\": {\"two_unused_1_0\": ";
  std::string &json = pt2.entry("models/model.json").content;
  size_t at = json.find("\"w\": {\"dtype\""), end = json.find("\"x\": {\"dtype\"");
  std::string meta = json.substr(at + 5, end - at - 5);
  pt2.edit("\"tensor_values\": {", floats + meta + "\"one_unused_0\": " + meta);
  graph::Program program = test::load(pt2.bytes());
  EXPECT_EQ(program.graph.nodes[0].outputs, (std::vector<std::string>{"y", "", "one_unused_0"}));
}

TEST(Arguments, OldSchemasNameOnlyResults) {
  Pt2 pt2 = Pt2::minimal();
  pt2.edit(R"("name": "y", "metadata")", R"("metadata")");
  EXPECT_EQ(test::load(pt2.bytes()).graph.nodes[0].name, "y");
}
