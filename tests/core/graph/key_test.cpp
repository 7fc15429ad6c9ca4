// LADDER-0
#include "core/graph/program.hpp"

#include <gtest/gtest.h>

using namespace sixrung::graph;

TEST(CanonicalKey, SpellingsOfOneOpAreOneKey) {
  for (const char *spelling : {"torch.ops.aten.add.Tensor", "aten.add.Tensor", "aten::add.Tensor"})
    EXPECT_EQ(canonicalKey(spelling), "aten::add.Tensor") << spelling;
  EXPECT_EQ(canonicalKey("torch.ops.acme.fused.default"), "acme::fused.default");
  EXPECT_EQ(canonicalKey("torch.ops.higher_order.cond"), "higher_order::cond");
  EXPECT_EQ(canonicalKey("coreai::quantize"), "coreai::quantize");
}

TEST(CanonicalKey, BareOperatorsLoseTheirModule) {
  EXPECT_EQ(canonicalKey("_operator.truediv"), "truediv");
  EXPECT_EQ(canonicalKey("operator.add"), "add");
  EXPECT_EQ(canonicalKey("math.ceil"), "ceil");
  EXPECT_EQ(canonicalKey("builtins.round"), "round");
  EXPECT_EQ(canonicalKey("torch.sym_float"), "sym_float");
  EXPECT_EQ(canonicalKey("torch._sym_sqrt"), "_sym_sqrt");
  EXPECT_EQ(canonicalKey("aten::truediv"), "truediv");
  EXPECT_EQ(canonicalKey("truediv"), "truediv");
}

TEST(CanonicalKey, IsItsOwnFixedPoint) {
  for (const char *spelling : {"torch.ops.aten.add.Tensor", "torch.ops.aten.pow", "math.trunc", "acme.op.v2",
                               "", "torch.ops.", "::", "a::", ".", "torch.ops.higher_order.while_loop"}) {
    std::string key = canonicalKey(spelling);
    EXPECT_EQ(canonicalKey(key), key) << spelling;
  }
}

TEST(CanonicalKey, Parts) {
  EXPECT_EQ(keyNamespace("aten::add.Tensor"), "aten");
  EXPECT_EQ(keyNamespace("truediv"), "");
  EXPECT_EQ(keyWithoutOverload("aten::add.Tensor"), "aten::add");
  EXPECT_EQ(keyWithoutOverload("coreai::quantize"), "coreai::quantize");
  EXPECT_EQ(keyWithoutOverload("truediv"), "truediv");
}
