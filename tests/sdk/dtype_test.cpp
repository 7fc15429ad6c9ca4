#include "sixrung/dtype.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace sixrung {
namespace {

TEST(DTypes, PromoteAsPyTorchDoes) {
  struct Row {
    DType a, b, result;
  };
  for (Row row : {Row{DType::Bool, DType::UI8, DType::UI8}, Row{DType::UI8, DType::SI8, DType::SI16},
                  Row{DType::SI8, DType::SI16, DType::SI16}, Row{DType::SI32, DType::SI64, DType::SI64},
                  Row{DType::UI16, DType::SI16, DType::SI32}, Row{DType::UI32, DType::SI32, DType::SI64},
                  Row{DType::SI64, DType::F16, DType::F16}, Row{DType::F16, DType::BF16, DType::F32},
                  Row{DType::F16, DType::F32, DType::F32}, Row{DType::F32, DType::F64, DType::F64},
                  Row{DType::F32, DType::Complex64, DType::Complex64},
                  Row{DType::F64, DType::Complex64, DType::Complex128},
                  Row{DType::SI8, DType::Complex32, DType::Complex32}}) {
    EXPECT_EQ(promoteTypes(row.a, row.b), row.result) << dtypeName(row.a) << " with " << dtypeName(row.b);
    EXPECT_EQ(promoteTypes(row.b, row.a), row.result) << dtypeName(row.b) << " with " << dtypeName(row.a);
  }
}

TEST(DTypes, HalvesRoundToNearestEven) {
  EXPECT_EQ(toF16(1.0f), 0x3c00);
  EXPECT_EQ(toF16(65504.0f), 0x7bff);
  EXPECT_EQ(toF16(65519.9f), 0x7bff);
  EXPECT_EQ(toF16(65520.0f), 0x7c00); // the tie goes to infinity
  EXPECT_EQ(toF16(-0.0f), 0x8000);
  EXPECT_EQ(toF16(0x1p-24f), 0x0001);
  EXPECT_EQ(toF16(0x1p-25f), 0x0000);   // a tie, to even
  EXPECT_EQ(toF16(0x1.8p-24f), 0x0002); // a tie, to even
  EXPECT_EQ(toF16(2049.0f), toF16(2048.0f));
  EXPECT_TRUE(std::isnan(fromF16(toF16(std::numeric_limits<float>::quiet_NaN()))));
  EXPECT_EQ(toBF16(1.00390625f), 0x3f80); // a tie, to even
  EXPECT_TRUE(std::isnan(fromBF16(toBF16(std::numeric_limits<float>::signaling_NaN()))));
  for (uint32_t bits = 0; bits < 0x10000; ++bits) { // every half comes back as itself
    if ((bits & 0x7fffu) <= 0x7c00u)
      ASSERT_EQ(toF16(fromF16(static_cast<uint16_t>(bits))), bits);
    if ((bits & 0x7fffu) <= 0x7f80u)
      ASSERT_EQ(toBF16(fromBF16(static_cast<uint16_t>(bits))), bits);
  }
}

TEST(DTypes, NarrowedFormsRepresentSixtyFourBits) {
  EXPECT_TRUE(represents(DType::SI32, DType::SI64));
  EXPECT_TRUE(represents(DType::SI64, DType::SI64));
  EXPECT_FALSE(represents(DType::SI64, DType::SI32));
  EXPECT_TRUE(represents(DType::F32, DType::F64));
}

} // namespace
} // namespace sixrung
