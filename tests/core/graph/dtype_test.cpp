#include "core/graph/dtype.hpp"

#include <gtest/gtest.h>

using namespace sixrung::graph;

TEST(DType, NamesAreTheInverseOfLookup) {
  for (uint32_t i = 1; i <= 27; ++i) {
    auto dtype = static_cast<DType>(i);
    EXPECT_EQ(dtypeFromName(dtypeName(dtype)), dtype) << i;
    EXPECT_GT(bitWidth(dtype), 0u) << i;
  }
  EXPECT_EQ(dtypeFromName("torch.bfloat16"), DType::kBF16);
  EXPECT_FALSE(dtypeFromName("none"));
  EXPECT_FALSE(dtypeFromName("float"));
  EXPECT_EQ(dtypeName(static_cast<DType>(999)), "none");
}

TEST(DType, WidthsAndClasses) {
  EXPECT_EQ(bitWidth(DType::kBool), 8u);
  EXPECT_EQ(bitWidth(DType::kComplex128), 128u);
  EXPECT_EQ(bitWidth(DType::kUI6), 6u);
  EXPECT_TRUE(isFloat(DType::kF8E8M0FNU));
  EXPECT_FALSE(isFloat(DType::kComplex64));
  EXPECT_TRUE(isInteger(DType::kUI3));
  EXPECT_FALSE(isInteger(DType::kBool));
  EXPECT_TRUE(isComplex(DType::kComplex32));
}

TEST(DType, NarrowingTouchesSixtyFourBitsOnly) {
  EXPECT_EQ(narrowed(DType::kSI64), DType::kSI32);
  EXPECT_EQ(narrowed(DType::kF64), DType::kF32);
  EXPECT_EQ(narrowed(DType::kComplex128), DType::kComplex64);
  EXPECT_EQ(narrowed(DType::kUI64), DType::kUI64);
  EXPECT_EQ(narrowed(DType::kF16), DType::kF16);
}
