#include "core/ladder/ladder.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sixrung::ladder {
namespace {

using Keys = std::vector<std::string>;

bool has(const std::string &text, std::string_view part) { return text.find(part) != text.npos; }

class LadderTest : public ::testing::Test {
protected:
  Table table;
  Ladder ladder{table};

  static Entry entry(const std::string &key, const std::string &id) {
    Entry e;
    e.key = key;
    e.owner = std::make_shared<Owner>(Owner{id, "1.0.0", "lib" + id + ".so", "", false});
    return e;
  }
  void builtin(const std::string &key) { table.builtin[key] = entry(key, "builtin"); }
  void user(const std::string &key) { table.user[key] = entry(key, "user"); }
  static graph::Node node(const std::string &target, const std::string &name = "n") {
    graph::Node n;
    n.name = name;
    n.target = target;
    return n;
  }
};

TEST_F(LadderTest, ExternalizedNodeWinsByName) {
  builtin("aten::add.Tensor");
  user("aten::add.Tensor");
  table.externalized["add_3"] = entry("aten::add.Tensor", "strategy");
  Match here = ladder.resolve(node("aten::add.Tensor", "add_3"));
  EXPECT_EQ(here.rung, Rung::kExternalized);
  EXPECT_EQ(here.entry->owner->id, "strategy");
  EXPECT_EQ(here.losers.size(), 2u);
  EXPECT_EQ(ladder.resolve(node("aten::add.Tensor", "add_4")).rung, Rung::kUser);
  EXPECT_EQ(ladder.resolveKey("aten::add.Tensor").rung, Rung::kUser);
}

TEST_F(LadderTest, UserOverridesAtenAndTheLoserIsTold) {
  builtin("aten::silu.default");
  user("aten::silu.default");
  Match match = ladder.resolve(node("aten::silu.default"));
  EXPECT_EQ(match.rung, Rung::kUser);
  ASSERT_EQ(match.losers.size(), 1u);
  EXPECT_EQ(match.losers[0], &table.builtin.at("aten::silu.default"));
}

TEST_F(LadderTest, UserKeyIsExact) {
  user("acme::fused.default");
  EXPECT_EQ(ladder.resolve(node("acme::fused.default")).rung, Rung::kUser);
  EXPECT_EQ(ladder.resolve(node("acme::fused.out")).rung, Rung::kError);
  EXPECT_EQ(ladder.resolve(node("acme::fused")).rung, Rung::kError);
}

TEST_F(LadderTest, AtenServesAtenAndBareOperatorsOnly) {
  builtin("aten::relu.default");
  builtin("truediv");
  builtin("acme::fused.default");
  EXPECT_EQ(ladder.resolve(node("aten::relu.default")).rung, Rung::kAten);
  EXPECT_EQ(ladder.resolve(node("truediv")).rung, Rung::kAten);
  EXPECT_EQ(ladder.resolve(node("acme::fused.default")).rung, Rung::kError);
}

TEST_F(LadderTest, BareAliasOfAten) { // LADDER-0
  builtin("truediv");
  EXPECT_EQ(ladder.resolveKey(graph::canonicalKey("aten::truediv")).rung, Rung::kAten);
  EXPECT_EQ(ladder.resolveKey(graph::canonicalKey("_operator.truediv")).rung, Rung::kAten);
}

TEST_F(LadderTest, CoreAiIgnoresTheOverload) {
  builtin("coreai::quantize");
  builtin("coreai::quantize_more.default");
  builtin("coreaix::sparse.default");
  Match match = ladder.resolve(node("coreai::quantize.default"));
  EXPECT_EQ(match.rung, Rung::kCoreAi);
  EXPECT_EQ(match.entry->key, "coreai::quantize");
  EXPECT_EQ(ladder.resolveKey("coreai::quantize_more").entry->key, "coreai::quantize_more.default");
  EXPECT_EQ(ladder.resolveKey("coreaix::sparse.Tensor").entry->key, "coreaix::sparse.default");
  EXPECT_EQ(ladder.resolveKey("coreai::quant").rung, Rung::kError);
}

TEST_F(LadderTest, CoreAiOverrideIsALoserWhateverTheOverload) {
  builtin("coreai::quantize");
  user("coreai::quantize.default");
  Match exact = ladder.resolve(node("coreai::quantize.default"));
  EXPECT_EQ(exact.rung, Rung::kUser);
  EXPECT_EQ(exact.losers.size(), 1u);
  Match other = ladder.resolve(node("coreai::quantize.Tensor"));
  EXPECT_EQ(other.entry->owner->id, "user");
  EXPECT_EQ(other.losers.size(), 1u);
}

TEST_F(LadderTest, ClashKeys) {
  builtin("coreai::quantize");
  builtin("aten::add.Tensor");
  EXPECT_NE(findClash(table.builtin, "coreai::quantize.default"), nullptr);
  EXPECT_EQ(findClash(table.builtin, "coreai::quantize_x.default"), nullptr);
  EXPECT_EQ(findClash(table.builtin, "aten::add.Scalar"), nullptr);
  EXPECT_NE(findClash(table.builtin, "aten::add.Tensor"), nullptr);
}

TEST_F(LadderTest, HigherOrder) {
  builtin("higher_order::cond");
  EXPECT_EQ(ladder.resolve(node("higher_order::cond")).rung, Rung::kHigherOrder);
  EXPECT_EQ(ladder.resolve(node("higher_order::scan")).rung, Rung::kError);
}

TEST_F(LadderTest, DisplacedUserEntriesAreLosers) {
  user("acme::fused.default");
  table.displaced.emplace("acme::fused.default", entry("acme::fused.default", "older"));
  Match match = ladder.resolve(node("acme::fused.default"));
  ASSERT_EQ(match.losers.size(), 1u);
  EXPECT_EQ(match.losers[0]->owner->id, "older");
}

TEST_F(LadderTest, AtenMissMessage) {
  builtin("aten::mean.dim");
  graph::Node n = node("aten::mean.names_dim", "mean_1");
  n.stack = {{"/home/someone/work/model.py", 12, "forward"}};
  std::string text = ladder.missMessage(n);
  EXPECT_TRUE(text.starts_with("Unsupported ATen op: mean.names_dim. Use "
                               "register_torch_lowering() to provide a custom lowering."))
      << text;
  EXPECT_TRUE(has(text, "mean_1 (work/model.py:12)")) << text;
  EXPECT_TRUE(has(text, "did you mean: aten::mean.dim (builtin 1.0.0)?")) << text;
  EXPECT_TRUE(has(text, "@converter.register_torch_lowering(\"aten::mean.names_dim\")")) << text;
}

TEST_F(LadderTest, BareMissMessage) {
  EXPECT_TRUE(ladder.missMessage(node("matmul")).starts_with("Unsupported ATen op: matmul. "));
}

TEST_F(LadderTest, OtherMissMessage) {
  std::string text = ladder.missMessage(node("acme::fused.default"));
  EXPECT_TRUE(text.starts_with("unable to handle call function op: target: fused.default, namespace: acme"))
      << text;
  EXPECT_TRUE(has(text, "no plugin serves namespace acme")) << text;
  EXPECT_FALSE(has(text, "did you mean")) << text;

  user("acme::other_thing.default");
  text = ladder.missMessage(node("acme::fused.default"));
  EXPECT_TRUE(has(text, "namespace acme is served by user 1.0.0")) << text;

  EXPECT_TRUE(has(ladder.missMessage(node("higher_order::scan")), "target: scan, namespace: higher_order"));
}

TEST_F(LadderTest, MissesNameThePluginThatWouldServe) {
  EXPECT_EQ(ladder.absentAdvice("acme::fused.default"), "");
  table.absent = [](std::string_view key) {
    std::vector<Owner> owners;
    if (key == "acme::fused.default" || key == "aten::mean.names_dim")
      owners.push_back({"com.acme", "2.1.0", "/p/libacme.so", "", false});
    return owners;
  };
  for (const char *key : {"acme::fused.default", "aten::mean.names_dim"}) {
    std::string text = ladder.missMessage(node(key));
    EXPECT_TRUE(has(text, std::string(key) +
                              " would be served by com.acme 2.1.0 (/p/libacme.so): enable it with "
                              "--plugin FILE, converter.load_plugin(path) or in a deployment"))
        << text;
    EXPECT_FALSE(has(text, "no plugin serves namespace")) << text;
  }
  EXPECT_TRUE(has(ladder.missMessage(node("acme::other.default")), "no plugin serves namespace acme"));
}

TEST_F(LadderTest, AMisspeltOverloadIsTheNearestOne) {
  for (const char *key : {"aten::add.Scalar", "aten::add.Tensor", "aten::add.out"})
    builtin(key);
  EXPECT_EQ(ladder.suggestions("aten::add.Tensro", 1), Keys{"aten::add.Tensor"});
  EXPECT_EQ(ladder.suggestions("aten::add.scalar", 1), Keys{"aten::add.Scalar"});
}

TEST_F(LadderTest, SuggestionsPutOverloadsFirst) {
  for (const char *key : {"aten::add.Tensor", "aten::add.Scalar", "aten::addmm.default", "aten::and.Tensor",
                          "aten::convolution.default", "add"})
    builtin(key);
  auto keys = ladder.suggestions("aten::add.out");
  ASSERT_GE(keys.size(), 3u);
  EXPECT_EQ(Keys(keys.begin(), keys.begin() + 2), (Keys{"aten::add.Scalar", "aten::add.Tensor"}));
  EXPECT_EQ(std::count(keys.begin(), keys.end(), "aten::convolution.default"), 0);
  EXPECT_EQ(ladder.suggestions("aten::add.out", 1), (Keys{"aten::add.Scalar"}));
  EXPECT_EQ(ladder.suggestions("aten::convolutoin.default"), (Keys{"aten::convolution.default"}));
  EXPECT_EQ(ladder.suggestions("zzz::nothing_like_it.default"), Keys{});
}

TEST_F(LadderTest, RungNames) {
  EXPECT_EQ(rungName(Rung::kExternalized), "externalized");
  EXPECT_EQ(rungName(Rung::kHigherOrder), "higher_order");
  EXPECT_EQ(rungName(Rung::kError), "error");
}

} // namespace
} // namespace sixrung::ladder
