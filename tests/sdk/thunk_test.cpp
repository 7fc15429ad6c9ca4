// What crosses the boundary: statuses only, whatever happens inside (ABI-7).
#include "fake_host.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

namespace sixrung {
namespace {

class ThunkTest : public testing::Test {
protected:
  test::FakeHost host;
  uint64_t input = 0;
  std::vector<int64_t> dims{2};

  void SetUp() override {
    input = host.make(DType::F32, {2}, "input").id;
    host.args.push_back({str("self"), {SIXRUNG_ARG_VALUE, 0, input}});
    host.results.push_back(
        {sizeof(sixrung_result_info), SIXRUNG_RESULT_TENSOR, SIXRUNG_F32, SIXRUNG_F32, 1, 1, dims.data()});
  }
  sixrung_status *run(const Lowering &row) {
    return detail::lowerThunk<Lowering>(host.table(), const_cast<Lowering *>(&row), {1});
  }
  void expect(sixrung_status *status, uint32_t code, const std::string &words) {
    ASSERT_NE(status, nullptr);
    EXPECT_EQ(status->code, code) << status->message;
    EXPECT_NE(status->message.find(words), std::string::npos) << status->message;
    host.table()->status_release(status);
    EXPECT_EQ(host.statuses, 0) << "a status leaked";
    EXPECT_EQ(detail::current, nullptr);
  }
};

TEST_F(ThunkTest, ASuccessBindsItsResults) {
  EXPECT_EQ(run({"k", [](Node n, Builder &b) { return b.exp(n.tensor(0)); }}), nullptr);
  ASSERT_EQ(host.bound.size(), 1u);
  EXPECT_EQ(host.values.at(host.bound[0] - 1).op, "coreai.exp");
}

TEST_F(ThunkTest, UnsupportedSaysWhatAndWhatToDo) {
  sixrung_status *status =
      run({"k", [](Node, Builder &) -> Value { return unsupported("no such luck", "try again"); }});
  ASSERT_NE(status, nullptr);
  EXPECT_EQ(status->payload["hint"], "try again");
  expect(status, SIXRUNG_UNSUPPORTED, "no such luck");
}

TEST_F(ThunkTest, AnArgumentTheNodeHasNotIsNamedBesideThoseItHas) {
  host.args.push_back({str("scale"), {SIXRUNG_ARG_NONE, 0, 0}});
  expect(run({"k", [](Node n, Builder &b) { return b.exp(n.tensor("sefl")); }}), SIXRUNG_INVALID_ARGUMENT,
         "has no argument 'sefl', where a tensor is needed; it has 2 (self, scale)");
  expect(run({"k", [](Node n, Builder &b) { return b.exp(n.tensor(7)); }}), SIXRUNG_INVALID_ARGUMENT,
         "has no argument #7");
  expect(run({"k", [](Node n, Builder &b) { return b.exp(n.tensor("scale")); }}), SIXRUNG_INVALID_ARGUMENT,
         "argument 'scale' of acme::op.default is None where a tensor is needed");
}

TEST_F(ThunkTest, ExceptionsBecomeStatuses) {
  expect(run({"k", [](Node, Builder &) -> Value { throw std::runtime_error("boom"); }}), SIXRUNG_INTERNAL,
         "boom");
  expect(run({"k", [](Node, Builder &) -> Value { throw 7; }}), SIXRUNG_INTERNAL, "no std::exception");
  EXPECT_TRUE(host.bound.empty());
}

TEST_F(ThunkTest, TheHostsOwnErrorPassesUnchanged) {
  host.refuse = "coreai.exp";
  expect(run({"k", [](Node n, Builder &b) { return b.exp(n.tensor(0)); }}), SIXRUNG_VERIFY_FAILED,
         "refused coreai.exp");
}

TEST_F(ThunkTest, WrongArgumentsAreNamed) {
  expect(run({"k", [](Node n, Builder &b) { return b.add(n.tensor(0), n.integer("self")); }}),
         SIXRUNG_INVALID_ARGUMENT, "argument 'self' of acme::op.default is a tensor where an int is needed");
  expect(run({"k", [](Node n, Builder &) { return n.tensor("missing"); }}), SIXRUNG_INVALID_ARGUMENT,
         "has no argument 'missing'");
  expect(run({"k", [](Node n, Builder &) { return n.tensor(9); }}), SIXRUNG_INVALID_ARGUMENT, "argument #9");
}

TEST_F(ThunkTest, DefaultsStandForMissingArguments) {
  EXPECT_EQ(run({"k",
                 [](Node n, Builder &b) -> Value {
                   bool right = n.integer("dim", 3) == 3 && n.boolean(5, true) &&
                                n.ints("axes", Ints{1}).size() == 1 && !n.optionalTensor("bias") &&
                                n.string("mode", "x") == "x";
                   return right ? b.exp(n.tensor(0)) : Value(unsupported("defaults"));
                 }}),
            nullptr);
  EXPECT_EQ(host.statuses, 0);
}

TEST_F(ThunkTest, TooManyResultsAreRefused) {
  expect(run({"k", [](Node n, Builder &) -> Values { return {n.tensor(0), n.tensor(0)}; }}),
         SIXRUNG_INVALID_ARGUMENT, "2 results where 1");
}

TEST_F(ThunkTest, AnOlderHostIsToldWhatItLacks) {
  sixrung_host old = *host.table();
  old.struct_size = offsetof(sixrung_host, build_op); // ABI-5
  Lowering row{"k", [](Node n, Builder &b) { return b.exp(n.tensor(0)); }};
  expect(detail::lowerThunk<Lowering>(&old, &row, {1}), SIXRUNG_VERSION, "('build_op'), this is");
}

TEST(Manifest, ComesFromTheRows) {
  static constexpr Lowering rows[] = {
      {"acme::a", [](Node n, Builder &) { return n.tensor(0); }},
      Lowering{"acme::b", [](Node n, Builder &) { return n.tensor(0); }}.overriding()};
  static constexpr EmitterRow emitters[] = {{"text", ".txt", [](Emission &) {}}};
  constexpr auto text = detail::manifest<detail::manifestSize("com.acme", "1.0.0", rows, emitters)>(
      "com.acme", "1.0.0", rows, emitters);
  EXPECT_EQ(std::string_view(text.data(), text.size()),
            "sixrung-manifest 1\nid com.acme\nversion 1.0.0\nabi 1.1\nmin-host 0\ntier 1\n"
            "lowering acme::a\noverride acme::b\nemitter text\n");
}

} // namespace
} // namespace sixrung
