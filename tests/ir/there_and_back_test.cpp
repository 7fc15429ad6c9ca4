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

TEST_F(ThereAndBack, IntegerFactorsStayApart) {
  auto value = [&](const char *op, Value x, int32_t factor) {
    return build(b, op, {x, vector<int32_t>(f, b, DType::kSI32, {factor, factor})});
  };
  Value x = b.argument(1);
  EXPECT_EQ(before(value("coreai.divide", value("coreai.mul", x, 3), 2)), "coreai.bitwise_or");
  EXPECT_EQ(before(value("coreai.mul", value("coreai.divide", x, 3), 2)), "coreai.bitwise_or");
  EXPECT_EQ(before(value("coreai.divide", value("coreai.divide", x, 3), 2)), "coreai.bitwise_or");
  EXPECT_EQ(before(value("coreai.mul", value("coreai.mul", x, 3), 2)), "coreai.mul");
  EXPECT_EQ(before(value("coreai.divide", value("coreai.add", x, 3), 2)), "coreai.add");
}

TEST_F(ThereAndBack, NumbersOfOneKindStayApart) {
  auto value = [&](const char *op, Value x, float factor) {
    return build(b, op, {x, vector<float>(f, b, DType::kF32, {factor, factor})});
  };
  Value x = b.argument(0);
  EXPECT_EQ(before(value("coreai.divide", value("coreai.mul", x, 1e30f), 1e-30f)), "coreai.maximum");
  EXPECT_EQ(before(value("coreai.add", value("coreai.add", x, 1e8f), -1e8f)), "coreai.maximum");
  EXPECT_EQ(before(value("coreai.sub", value("coreai.add", x, 12582912.0f), 12582912.0f)), "coreai.maximum");
  EXPECT_EQ(before(value("coreai.sub", value("coreai.add", x, 1), 1)), "coreai.maximum");
  EXPECT_EQ(before(value("coreai.divide", value("coreai.mul", x, 3), 2)), "coreai.maximum");
  EXPECT_EQ(before(value("coreai.mul", value("coreai.add", x, 1), 2)), "coreai.add");
}

} // namespace
} // namespace sixrung::ir::test
