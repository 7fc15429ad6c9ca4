// Nodes in order, dead code, outputs, names, provenance.
#include "support.hpp"

#include <gtest/gtest.h>

using namespace sixrung;
using namespace sixrung::test;
using testing::internal::CaptureStderr;

namespace {

bool has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

TEST(Driver, LowersNodesInOrder) {
  Lab lab;
  lab.elementwise("aten::relu.default", "coreai.relu").elementwise("aten::exp.default", "coreai.exp");
  ProgramMaker m;
  m.input("x", tensor({2, 3}));
  m.node("relu", "aten::relu.default", {use("x")}, tensor({2, 3})).source("/a/b/app/model.py", 3);
  m.node("exp", "aten::exp.default", {use("relu")}, tensor({2, 3}));
  m.output(use("exp"));
  lower::Converted program = lab.convert(m.program());
  std::string text = program.text();
  EXPECT_LT(text.find("coreai.relu"), text.find("coreai.exp")) << text;
  EXPECT_TRUE(has(text, "coreai.name = \"x\"")) << text;
  EXPECT_TRUE(has(text, "coreai.name = \"exp\"")) << text;
  ASSERT_EQ(program.entries().size(), 1u);
  EXPECT_EQ(program.entries()[0].name, "main");
  ASSERT_EQ(program.entries()[0].inputs.size(), 1u);
  EXPECT_EQ(program.entries()[0].inputs[0].name, "x");
  EXPECT_EQ(program.entries()[0].outputs[0].dims, (std::vector<int64_t>{2, 3}));
}

TEST(Driver, RecordsWhoLoweredWhat) {
  Lab lab;
  lab.lowering("aten::relu.default", [](const Call &c) -> sixrung_status * {
    sixrung_value out{};
    if (auto *status = c.op("coreai.relu", {c.value(0)}, &out))
      return status;
    if (auto *status = c.host->call_remark(c.call, SIXRUNG_NARROWING, str("int64 to int32")))
      return status;
    return c.set(out);
  });
  lower::Converted program = lab.convert(oneNode("aten::relu.default", tensor({4}), tensor({4})));
  ASSERT_EQ(program.nodes().size(), 1u);
  const lower::NodeRecord &record = program.nodes()[0];
  EXPECT_EQ(record.entrypoint, "main");
  EXPECT_EQ(record.node, "y");
  EXPECT_EQ(record.key, "aten::relu.default");
  EXPECT_EQ(record.source, "app/model.py:12");
  EXPECT_EQ(record.rung, ladder::Rung::kUser);
  EXPECT_EQ(record.plugin, "org.test.lab");
  EXPECT_EQ(record.version, "1.2.0");
  EXPECT_EQ(record.ops, std::vector<std::string>{"coreai.relu"});
  EXPECT_EQ(record.remarks, std::vector<std::string>{"narrowing: int64 to int32"});
}

TEST(Driver, EraseAssertionsAndWhatFeedsOnlyThem) {
  Lab lab;
  lab.elementwise("aten::relu.default", "coreai.relu");
  ProgramMaker m;
  m.input("x", tensor({2}));
  m.node("ge", "aten::ge.Scalar", {use("x"), arg(int64_t{0})}, tensor({2}, DType::kBool)); // nobody lowers it
  m.nodes("check", "aten::_assert_async.msg", {use("ge"), arg(std::string("negative"))}, {});
  m.node("y", "aten::relu.default", {use("x")}, tensor({2}));
  m.output(use("y"));
  lower::Converted program = lab.convert(m.program());
  EXPECT_EQ(program.nodes().size(), 1u);
}

TEST(Driver, ANodeNobodyReadsIsNotLowered) {
  Lab lab;
  int calls = 0;
  lab.elementwise("aten::relu.default", "coreai.relu").lowering("acme::dead.default", [&](const Call &c) {
    ++calls;
    return c.fail(SIXRUNG_INTERNAL, "must not run");
  });
  ProgramMaker m;
  m.input("x", tensor({2}));
  m.node("unread", "acme::dead.default", {use("x")}, tensor({2}));
  m.node("y", "aten::relu.default", {use("x")}, tensor({2}));
  m.output(use("y"));
  lab.convert(m.program());
  EXPECT_EQ(calls, 0);
}

TEST(Driver, ANodeWithoutResultsStandsForAnEffectAndIsLowered) {
  Lab lab;
  int calls = 0;
  lab.lowering("acme::effect.default", [&](const Call &) -> sixrung_status * {
    ++calls;
    return nullptr;
  });
  ProgramMaker m;
  m.input("x", tensor({2}));
  m.nodes("effect", "acme::effect.default", {use("x")}, {});
  m.output(use("x"));
  lab.convert(m.program());
  EXPECT_EQ(calls, 1);
}

TEST(Driver, EveryOffenderIsNamedBeforeAnythingIsBuilt) {
  Lab lab;
  ProgramMaker m;
  m.input("x", tensor({2}));
  m.node("a", "acme::one.default", {use("x")}, tensor({2}));
  m.node("b", "acme::two.default", {use("a")}, tensor({2}));
  m.output(use("b"));
  std::string error = lab.errorOf(m.program());
  EXPECT_TRUE(has(error, "acme::one.default")) << error;
  EXPECT_TRUE(has(error, "acme::two.default")) << error;
}

TEST(Driver, ErrorsOfALoweringSayWhereAndWho) {
  Lab lab;
  lab.lowering("acme::foo.default", [](const Call &c) {
    sixrung_status *status = c.fail(SIXRUNG_UNSUPPORTED, "only rank 2");
    c.host->status_add(status, str("hint"), str("flatten first"));
    return status;
  });
  Error error = lab.failureOf(oneNode("acme::foo.default", tensor({4}), tensor({4})));
  EXPECT_STREQ(error.what(),
               "acme::foo.default (node y, app/model.py:12) in org.test.lab 1.2.0: only rank 2");
  EXPECT_EQ(std::count_if(error.payload().begin(), error.payload().end(),
                          [](const auto &pair) { return pair.first == "hint"; }),
            1);
  EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
  std::map<std::string, std::string> payload(error.payload().begin(), error.payload().end());
  EXPECT_EQ(payload["node"], "y");
  EXPECT_EQ(payload["op"], "acme::foo.default");
  EXPECT_EQ(payload["source"], "app/model.py:12");
  EXPECT_EQ(payload["plugin"], "org.test.lab 1.2.0");
  EXPECT_EQ(payload["hint"], "flatten first");
}

TEST(Driver, ExceptionsOfALoweringAreCaughtAndNamed) {
  Lab lab;
  lab.lowering("acme::throws.default",
               [](const Call &) -> sixrung_status * { throw std::runtime_error("out of luck"); });
  lab.lowering("acme::odd.default", [](const Call &) -> sixrung_status * { throw 7; });
  std::string error = lab.errorOf(oneNode("acme::throws.default", tensor({4}), tensor({4})));
  EXPECT_TRUE(has(error, "an exception left the lowering: out of luck")) << error;
  EXPECT_TRUE(has(error, "node y")) << error;
  EXPECT_TRUE(has(lab.errorOf(oneNode("acme::odd.default", tensor({4}), tensor({4}))), "no std::exception"));
}

TEST(Driver, LocationsAreFileAndLineInDebugAlone) {
  Lab lab;
  lab.elementwise("aten::relu.default", "coreai.relu");
  auto program = oneNode("aten::relu.default", tensor({4}), tensor({4}));
  EXPECT_TRUE(has(lab.convert(program).bytecode(), "app/model.py"));
  lower::ConvertOptions release;
  release.debugLocations = false;
  EXPECT_FALSE(has(lab.convert(program, release).bytecode(), "model.py"));
}

TEST(Driver, TwoEntrypointsShareEqualConstants) {
  Lab lab;
  lab.elementwise("aten::add.Tensor", "coreai.add");
  std::vector<float> weights(4096);
  for (size_t i = 0; i < weights.size(); ++i)
    weights[i] = static_cast<float>(i);
  auto make = [&] {
    ProgramMaker m;
    m.parameter("w", {4096}, weights).input("x", tensor({4096}));
    m.node("y", "aten::add.Tensor", {use("x"), use("p_w")}, tensor({4096}));
    m.output(use("y"));
    return m.program();
  };
  lower::EntryPoint first, second;
  first.name = "prefill";
  second.name = "decode";
  first.program = make();
  second.program = make();
  size_t one = lab.convert({first}).bytecode().size();
  lower::Converted both = lab.convert({first, second});
  EXPECT_LT(both.bytecode().size(), one + 8192);
  EXPECT_EQ(both.entries().size(), 2u);
  EXPECT_TRUE(has(both.text(), "@decode"));
  second.name = "prefill";
  EXPECT_THROW(lab.convert({first, second}), Error);
}

TEST(Driver, ResultsOfSeveralValuesAreBoundByName) {
  Lab lab;
  lab.lowering("acme::pair.default", [](const Call &c) -> sixrung_status * {
    EXPECT_EQ(c.result(0).used, 1u);
    EXPECT_EQ(c.result(1).used, 0u) << "nothing takes it";
    EXPECT_EQ(c.result(2).used, 1u);
    sixrung_value a{}, b{};
    if (auto *status = c.op("coreai.relu", {c.value(0)}, &a))
      return status;
    if (auto *status = c.op("coreai.exp", {c.value(0)}, &b))
      return status;
    if (auto *status = c.set(a, 0))
      return status;
    return c.set(b, 2);
  });
  ProgramMaker m;
  m.input("x", tensor({2}));
  m.nodes("pair", "acme::pair.default", {use("x")},
          {{"pair#0", tensor({2})}, {"", {}}, {"pair#2", tensor({2})}});
  m.output(use("pair#2")).output(use("pair#0"));
  lower::Converted program = lab.convert(m.program());
  EXPECT_EQ(program.entries()[0].outputs[0].name, "pair#2");
  EXPECT_EQ(program.entries()[0].outputs[1].name, "pair#0");
}

TEST(Driver, EveryUsedResultMustBeSet) {
  Lab lab;
  lab.lowering("acme::lazy.default", [](const Call &) -> sixrung_status * { return nullptr; });
  std::string error = lab.errorOf(oneNode("acme::lazy.default", tensor({4}), tensor({4})));
  EXPECT_TRUE(has(error, "did not set result 0 of 1")) << error;
}

TEST(Driver, ProgressCountsLiveNodes) {
  Lab lab;
  lab.elementwise("aten::relu.default", "coreai.relu");
  std::vector<std::pair<size_t, size_t>> told;
  lower::ConvertOptions options;
  options.progress = [&](size_t done, size_t total) { told.emplace_back(done, total); };
  lab.convert(oneNode("aten::relu.default", tensor({4}), tensor({4})), options);
  EXPECT_EQ(told, (std::vector<std::pair<size_t, size_t>>{{0, 1}, {1, 1}}));
}

TEST(Driver, TheSameBytesWhateverElseTheHeapHolds) {
  std::string first;
  std::vector<std::unique_ptr<char[]>> ballast;
  for (int round = 0; round < 3; ++round) {
    Lab lab;
    lab.elementwise("aten::relu.default", "coreai.relu").elementwise("aten::add.Tensor", "coreai.add");
    for (int i = 0; i < 1000 * round; ++i)
      ballast.push_back(std::make_unique<char[]>(17 + 31 * (i % 97)));
    ProgramMaker m;
    m.buffer("kv", {3}, {1, 2, 3}).buffer("pos", {3}, {4, 5, 6}).parameter("w", {3}, {7, 8, 9});
    m.input("x", tensor({3}));
    m.node("a", "aten::add.Tensor", {use("x"), use("p_w")}, tensor({3}));
    m.node("b", "aten::add.Tensor", {use("a"), use("b_kv")}, tensor({3}));
    m.node("c", "aten::add.Tensor", {use("b"), use("b_pos")}, tensor({3}));
    m.output(use("b"), graph::OutputSpec::Kind::kBufferMutation, "kv");
    m.output(use("c"), graph::OutputSpec::Kind::kBufferMutation, "pos");
    m.output(use("a"));
    std::string bytes = lab.convert(m.program()).bytecode();
    if (round == 0)
      first = bytes;
    EXPECT_EQ(bytes, first);
  }
}

TEST(Driver, AFileIsWrittenAsideAndRenamed) {
  Lab lab;
  lab.elementwise("aten::relu.default", "coreai.relu");
  lower::Converted program = lab.convert(oneNode("aten::relu.default", tensor({4}), tensor({4})));
  std::string path = testing::TempDir() + "lower-written.mlirb";
  program.writeBytecode(path);
  std::FILE *file = std::fopen(path.c_str(), "rb");
  ASSERT_NE(file, nullptr);
  std::string bytes(program.bytecode().size() + 1, '\0');
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file));
  std::fclose(file);
  EXPECT_EQ(bytes, program.bytecode());
  EXPECT_THROW(program.writeBytecode("/no/such/folder/x.mlirb"), Error);
}

} // namespace
