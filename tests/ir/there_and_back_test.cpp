// A cast there and back is not nothing: Core AI would drop both, a rounding in between keeps them.
#include "tests/ir/support.hpp"

namespace sixrung::ir::test {
namespace {

struct ThereAndBack : testing::Test {
  Fixture f;
  std::unique_ptr<GraphBuilder> graph =
      f.graph({f.port("x", f.type(DType::kF32, {2})), f.port("i", f.type(DType::kSI32, {2}))});
  GraphBuilder &b = *graph;

  Value cast(Value value, DType to) { return build(b, "coreai.cast", {value}, {f.type(to, {2})}); }
  static std::string before(Value value) { // the op before the last cast
    return value.getDefiningOp()->getOperand(0).getDefiningOp()->getName().getStringRef().str();
  }
};

TEST_F(ThereAndBack, ARoundingKeepsBothCasts) {
  EXPECT_EQ(before(cast(cast(b.argument(0), DType::kSI32), DType::kF32)), "coreai.round");
  EXPECT_EQ(before(cast(cast(b.argument(0), DType::kSI64), DType::kF16)), "coreai.round");
  EXPECT_EQ(before(cast(cast(b.argument(1), DType::kF32), DType::kSI32)), "coreai.round");
}

TEST_F(ThereAndBack, OtherChainsAreLeftAlone) {
  EXPECT_EQ(before(cast(cast(b.argument(0), DType::kBool), DType::kF32)), "coreai.cast");
  EXPECT_EQ(before(cast(cast(b.argument(0), DType::kF16), DType::kF32)), "coreai.cast");
  EXPECT_EQ(before(cast(cast(b.argument(0), DType::kSI32), DType::kSI64)), "coreai.cast");
}

} // namespace
} // namespace sixrung::ir::test
