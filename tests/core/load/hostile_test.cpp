// Archives that lie. Each gives a sentence that says what and where.
#include "pt2_builder.hpp"

#include <gtest/gtest.h>

using namespace sixrung;
using sixrung::test::Pt2;

namespace {
const char *const kConfig = "weights_config.json";
const char *const kSizes = R"("sizes": [{"as_int": 2}])";
} // namespace

TEST(Hostile, TheMinimalArchiveIsFine) {
  EXPECT_EQ(test::failure(Pt2::minimal().bytes()), "");
  graph::Program program = test::load(Pt2::minimal().bytes());
  EXPECT_EQ(program.graph.nodes.size(), 1u);
  EXPECT_EQ(toString(program.graph.nodes[0].inputs[2].value), "1"); // alpha, by the schema's default
}

TEST(Hostile, VersionsOutsideTheStatedRange) {
  EXPECT_REFUSED(Pt2::minimal().edit("\"minor\": 20", "\"minor\": 21").bytes(), "export schema 8.21");
  EXPECT_REFUSED(Pt2::minimal().edit("\"major\": 8", "\"major\": 9").bytes(),
                 "sixrung reads schema 8.0 to 8.20");
  EXPECT_REFUSED(Pt2::minimal().edit("\"major\": 8", "\"major\": 7").bytes(), "export schema 7.20");
  EXPECT_REFUSED(Pt2::minimal().edit("2.13.0", "2.14.0a0+git").bytes(), "torch '2.14.0a0+git'");
  EXPECT_REFUSED(Pt2::minimal().edit("2.13.0", "2.8.0").bytes(), "torch 2.9 to 2.13");
  EXPECT_REFUSED(Pt2::minimal().edit("2.13.0", "nonsense").bytes(), "torch 'nonsense'");
  Pt2 version = Pt2::minimal();
  version.entry("archive_version").content = "1";
  EXPECT_REFUSED(version.bytes(), "archive version is '1'");
  Pt2 format = Pt2::minimal();
  format.entry("archive_format").content = "pt3";
  EXPECT_REFUSED(format.bytes(), "archive format is 'pt3'");
  Pt2 order = Pt2::minimal();
  order.entry("byteorder").content = "big";
  EXPECT_REFUSED(order.bytes(), "'big' endian");
}

TEST(Hostile, OtherFilesOfTorchAreNamed) {
  Pt2 saved = Pt2::minimal();
  saved.entry("archive_format").name = "m/data.pkl";
  EXPECT_REFUSED(saved.bytes(), "torch.save");
  Pt2 none = Pt2::minimal();
  none.entry("models/model.json").name = "m/data/aotinductor/model.so";
  EXPECT_REFUSED(none.bytes(), "holds no exported program");
  Pt2 two = Pt2::minimal();
  two.entries.push_back(two.entry("models/model.json"));
  two.entries.back().name = "m/models/other.json";
  EXPECT_REFUSED(two.bytes(), "holds 2 programs (model, other)");
}

TEST(Hostile, OneProgramUnderAnotherName) {
  Pt2 pt2 = Pt2::minimal();
  pt2.entry("models/model.json").name = "m/models/encoder.json";
  EXPECT_REFUSED(pt2.bytes(), "no data for 'layer.weight'");
  pt2.entry(kConfig).name = "m/data/weights/encoder_weights_config.json";
  EXPECT_EQ(test::failure(pt2.bytes()), "");
}

TEST(Hostile, ShapesStridesAndOffsetsOfData) {
  auto lie = [](std::string_view from, std::string_view to) {
    return Pt2::minimal().edit(kConfig, from, to).bytes();
  };
  EXPECT_REFUSED(lie(kSizes, R"("sizes": [{"as_int": 3}])"), "does not fit the 8 bytes");
  EXPECT_REFUSED(lie(kSizes, R"("sizes": [{"as_int": -2}])"), "-2 is negative");
  EXPECT_REFUSED(lie(kSizes, R"("sizes": [{"as_int": 9223372036854775807}])"), "does not fit");
  EXPECT_REFUSED(lie(kSizes, R"("sizes": [{"as_int": 9223372036854775808}])"), "an integer of 64 bits");
  EXPECT_REFUSED(lie(kSizes, R"("sizes": [{"as_int": 4294967296}, {"as_int": 4294967296}])"), "does not fit");
  EXPECT_REFUSED(lie(kSizes, R"("sizes": [])"), "does not fit");
  EXPECT_REFUSED(lie(kSizes, R"json("sizes": [{"as_expr": {"expr_str": "Symbol('s0')"}}])json"),
                 "cannot be symbolic");
  EXPECT_REFUSED(lie(kSizes, R"("sizes": [{"as_float": 2.0}])"), "a symbolic integer is expected");
  EXPECT_REFUSED(lie(R"("strides": [{"as_int": 1}])", R"("strides": [{"as_int": -1}])"), "-1 is negative");
  EXPECT_REFUSED(lie(R"("strides": [{"as_int": 1}])", R"("strides": [{"as_int": 2}])"), "does not fit");
  EXPECT_REFUSED(lie(R"("strides": [{"as_int": 1}])", R"("strides": [{"as_int": 9223372036854775807}])"),
                 "does not fit");
  EXPECT_REFUSED(lie(R"("storage_offset": {"as_int": 0})", R"("storage_offset": {"as_int": 1})"),
                 "does not fit");
  EXPECT_REFUSED(
      lie(R"("storage_offset": {"as_int": 0})", R"("storage_offset": {"as_int": 4611686018427387904})"),
      "lies beyond the 8 bytes");
  EXPECT_REFUSED(lie(R"("storage_offset": {"as_int": 0})", R"("storage_offset": {"as_int": -1})"),
                 "offset is no number");
  EXPECT_REFUSED(lie(R"("dtype": 7)", R"("dtype": 8)"), "does not fit");
  EXPECT_REFUSED(lie(R"("dtype": 7)", R"("dtype": 4)"), "the graph says otherwise");
  EXPECT_REFUSED(lie(R"("dtype": 7)", R"("dtype": 99)"), "the dtype 99 is unknown");
  EXPECT_REFUSED(lie(R"("dtype": 7)", R"("dtype": 31)"), "float8_e4m3fnuz");
  EXPECT_REFUSED(lie(R"("layout": 7)", R"("layout": 1)"), "only strided");
}

TEST(Hostile, AFewBytesCannotBroadcastToTerabytes) {
  Pt2 pt2 = Pt2::minimal();
  pt2.edit(kConfig, kSizes, R"("sizes": [{"as_int": 1099511627776}])");
  pt2.edit(kConfig, R"("strides": [{"as_int": 1}])", R"("strides": [{"as_int": 0}])");
  EXPECT_REFUSED(pt2.bytes(), "broadcast from only 8 bytes");
}

TEST(Hostile, RecordsOfData) {
  EXPECT_REFUSED(Pt2::minimal().edit(kConfig, "weight_0", "weight_1").bytes(),
                 "no record 'data/weights/weight_1'");
  EXPECT_REFUSED(Pt2::minimal().edit(kConfig, "weight_0", "../../../etc/passwd").bytes(), "no record");
  EXPECT_REFUSED(Pt2::minimal().edit(kConfig, "layer.weight", "other").bytes(), "no data for 'layer.weight'");
  Pt2 pickle = Pt2::minimal();
  pickle.edit(kConfig, R"("use_pickle": false)", R"("use_pickle": true)");
  EXPECT_REFUSED(pickle.bytes(), "'layer.weight' is stored as a Python pickle");
  Pt2 metaless = Pt2::minimal();
  metaless.entry(kConfig).content =
      R"({"config": {"layer.weight": {"path_name": "weight_0", "is_param": true, "use_pickle": false, "tensor_meta": null}}})";
  EXPECT_REFUSED(metaless.bytes(), "Python pickle");
}

TEST(Hostile, APickleNobodyNeedsIsNoError) {
  Pt2 pt2 = Pt2::minimal();
  pt2.edit(
      kConfig, R"({"config": {)",
      R"({"config": {"unused": {"path_name": "weight_9", "is_param": false, "use_pickle": true, "tensor_meta": null}, )");
  EXPECT_EQ(test::failure(pt2.bytes()), "");
}

TEST(Hostile, GraphsThatDoNotHoldTogether) {
  auto lie = [](std::string_view from, std::string_view to) { return Pt2::minimal().edit(from, to).bytes(); };
  EXPECT_REFUSED(lie(R"("arg": {"as_tensor": {"name": "x"}})", R"("arg": {"as_tensor": {"name": "q"}})"),
                 "reads 'q', which nothing before it defines");
  EXPECT_REFUSED(lie(R"("parameter_name": "layer.weight")", R"("buffer_name": "layer.weight")"),
                 "the field 'parameter_name' is missing");
  EXPECT_REFUSED(lie(R"({"parameter":)", R"({"param":)"), "the input tag 'param' is unknown");
  EXPECT_REFUSED(lie(R"({"user_output":)", R"({"user_outptu":)"), "the output tag 'user_outptu' is unknown");
  EXPECT_REFUSED(lie(R"("tensor_values": {"w")", R"("tensor_values": {"w_")"), "no metadata");
  EXPECT_REFUSED(lie(R"("w": {"dtype": 7)", R"("x": {"dtype": 7)"), "the key 'x' stands twice");
  EXPECT_REFUSED(lie(R"("sym_int_values": {})", R"("sym_int_values": {"x": {"as_int": 1}})"), "of two kinds");
  EXPECT_REFUSED(lie(R"("outputs": [{"as_tensor": {"name": "y"}}], "is_hop)",
                     R"("outputs": [{"as_tensor": {"name": "x"}}], "is_hop)"),
                 "'x' is defined twice");
  EXPECT_REFUSED(lie(R"("sizes": [{"as_int": 2}])", R"("sizes": [{"as_int": -2}])"), "negative size");
  EXPECT_REFUSED(lie(R"("name": "other")", R"("name": "nother")"), "misses its argument 'other'");
  EXPECT_REFUSED(lie(R"("name": "other")", R"("name": "self")"), "misses its argument 'other'");
  EXPECT_REFUSED(
      lie(R"("range_constraints": {})", R"("range_constraints": {"s0": {"min_val": 3, "max_val": 2}})"),
      "ranges from 3 to 2");
  EXPECT_REFUSED(lie(R"([{"parameter": {"arg": {"name": "w"}, "parameter_name": "layer.weight"}},)", "["),
                 "the graph has 2 inputs and the signature 1");
}

TEST(Hostile, TheErrorSaysWhere) {
  EXPECT_REFUSED(Pt2::minimal()
                     .edit(R"("kind": 1},
               {"name": "other", "arg": {"as_tensor")",
                           R"("kind": 1},
               {"name": "other", "arg": {"as_tensro")")
                     .bytes(),
                 "models/model.json: graph_module.graph.nodes[0].inputs[1].arg");
  EXPECT_REFUSED(Pt2::minimal().edit(kConfig, R"("dtype": 7)", R"("dtype": "f32")").bytes(),
                 "data/weights/model_weights_config.json: config.layer.weight.tensor_meta.dtype");
}

TEST(Hostile, DeepNesting) {
  std::string graph = R"({"inputs": [], "outputs": [], "nodes": [], "tensor_values": {}})";
  for (int i = 0; i < 100; ++i)
    graph =
        R"({"inputs": [], "outputs": [], "tensor_values": {}, "nodes": [{"target": "torch.ops.higher_order.cond",
      "name": "c", "metadata": {}, "outputs": [], "inputs": [{"name": "", "arg": {"as_graph": {"name": "g", "graph": )" +
        graph + R"(}}}]}]})";
  EXPECT_REFUSED(
      Pt2::minimal().edit(R"("graph": {)", R"("unused": null, "graph": )" + graph + R"(, "rest": {)").bytes(),
      "deeper");
  EXPECT_REFUSED(Pt2::minimal().nodes(std::string(1000000, '[')).bytes(), "nests deeper than");
}

TEST(Hostile, SymbolicExpressions) {
  auto size = [](std::string_view expr) {
    return Pt2::minimal()
        .edit(R"("y": {"dtype": 7, "sizes": [{"as_int": 2}])",
              R"("y": {"dtype": 7, "sizes": [{"as_expr": {"expr_str": ")" + std::string(expr) + R"("}}])")
        .bytes();
  };
  EXPECT_EQ(test::failure(size("Symbol('s0')")), "");
  EXPECT_REFUSED(size("eval('1')"), "cannot read the symbolic expression");
  EXPECT_REFUSED(size(std::string(500000, '(')), "cannot read the symbolic expression");
  std::string deep;
  for (int i = 0; i < 50000; ++i)
    deep += "Add(";
  EXPECT_REFUSED(size(deep), "nests deeper");
}

TEST(Hostile, NamesThatAreNoText) {
  EXPECT_REFUSED(
      Pt2::minimal().edit(R"("name": "y", "metadata")", "\"name\": \"y\xff\", \"metadata\"").bytes(),
      "not UTF-8");
  EXPECT_REFUSED(
      Pt2::minimal().edit(R"("name": "y", "metadata")", R"("name": "y\u0000", "metadata")").bytes(),
      "not UTF-8");
  EXPECT_REFUSED(
      Pt2::minimal().edit(R"("name": "y", "metadata")", R"("name": "y\ud800", "metadata")").bytes(),
      "malformed escape");
}
