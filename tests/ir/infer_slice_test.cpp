#include "tests/ir/infer_harness.hpp"

namespace sixrung::ir::test {
namespace {

constexpr const char *kZero = "[0, 0]:2xsi32";
constexpr const char *kOne = "[1, 1]:2xsi32";
constexpr const char *kRest = "2147483647:2xsi32";

TEST(InferSlice, BoundsCountFromEitherEndAndAreClamped) {
  expectTypes({
      {"slice", {"2x3xf32", kZero, "[2, 2]:2xsi32", kOne}, "2x2xf32"},
      {"slice", {"2x3xf32", kZero, kRest, "[1, 2]:2xsi32"}, "2x2xf32"},
      {"slice", {"2x3xf32", "[-1, -5]:2xsi32", "[2147483647, -1]:2xsi32", kOne}, "1x2xf32"},
      {"slice", {"2x3xf32", "[1, 2]:2xsi32", "[0, 1]:2xsi32", kOne}, "0x0xf32"},
      {"slice", {"2x3xf32", "[5, 0]:2xsi32", "[7, 3]:2xsi32", kOne}, "0x3xf32"},
      {"slice", {"10xf32", "1:1xsi32", "-1:1xsi32", "3:1xsi32"}, "3xf32"},
      {"slice", {"?x3xf32", kZero, kRest, kOne}, "?x3xf32"},
      {"slice", {"?x3xf32", "[2, 0]:2xsi32", "[2, 3]:2xsi32", kOne}, "0x3xf32"}, // empty, however long
      {"slice", {"?x3xf32", "[-1, 0]:2xsi32", "[-2, 3]:2xsi32", kOne}, "0x3xf32"},
      {"slice", {"?x3xf32", "[2, 0]:2xsi32", "[-1, 3]:2xsi32", kOne}, "?x3xf32"},
      {"slice", {"2x3xf32", "2xsi32", kRest, kOne}, "?x?xf32"},
      {"slice", {"0x3xf32", "2xsi32", kRest, "2xsi32"}, "0x?xf32"},
      {"slice", {"8xf32", "[-32768]:1xsi16", "32767:1xsi16", "[1]:1xsi16"}, "8xf32"},
  });
  expectErrors({
      {"slice", {"2x3xf32", "[0]:1xsi32", kRest, kOne}, "has 1 start indices for rank 2"},
      {"slice", {"2x3xf32", kZero, "[1]:1xsi32", kOne}, "has 1 end indices for rank 2"},
      {"slice", {"2x3xf32", kZero, kRest, "[1]:1xsi32"}, "has 1 strides for rank 2"},
      {"slice", {"2x3xf32", kZero, kRest, "[1, 0]:2xsi32"}, "the stride of dim 1 is 0; it must be positive"},
      {"slice", {"2x3xf32", kZero, kRest, "[1, -1]:2xsi32"}, "use coreai.reverse to go backwards"},
  });
}

TEST(InferSlice, Update) {
  expectTypes({
      {"slice_update", {"2x3xf32", "[0, 1]:2xsi32", kRest, kOne, "2x2xf32"}, "2x3xf32"},
      {"slice_update", {"?x3xf32", "[0, 1]:2xsi32", kRest, kOne, "?x2xf32"}, "?x3xf32"},
  });
  expectErrors({
      {"slice_update",
       {"2x3xf32", "[0, 1]:2xsi32", kRest, kOne, "2x3xf32"},
       "the update has shape 2x3, the slice 2x2"},
      {"slice_update", {"2x3xf32", "[0, 1]:2xsi32", kRest, kOne, "2x2xf16"}, "one element type"},
  });
}

TEST(InferSlice, Concat) {
  expectTypes({
      {"concat", {"1:si32", "2x3xf32", "2x4xf32"}, "2x7xf32"},
      {"concat", {"-2:si32", "2x3xf32", "4x3xf32", "1x3xf32"}, "7x3xf32"},
      {"concat", {"0:si16", "?x3xf32", "2x3xf32"}, "?x3xf32"},
      {"concat", {"1:si32", "?x3xf32", "?x3xf32"}, "?x6xf32"},
      {"concat", {"0:si32", "2x3xf32"}, "2x3xf32"},
  });
  expectErrors({
      {"concat", {"1:si32"}, "needs a tensor to concatenate"},
      {"concat", {"2:si32", "2x3xf32", "2x3xf32"}, "the dimension 2 is out of range for rank 2"},
      {"concat", {"si32", "2x3xf32", "2x3xf32"}, "needs a constant dimension"},
      {"concat",
       {"0:si32", "2x3xf32", "2x4xf32"},
       "operand 2 has shape 2x4, which differs from 2x3 beside dim 0"},
      {"concat", {"1:si32", "2x3xf32", "?x3xf32"}, "coreai.cast makes them alike"},
      {"concat", {"0:si32", "2x3xf32", "3xf32"}, "the operand 2 must have rank 2, not 1"},
      {"concat", {"0:si32", "2x3xf32", "2x3xf16"}, "one element type"},
      {"concat", {"0:si32", "f32", "f32"}, "out of range for rank 0"},
  });
}

TEST(InferSlice, Split) {
  expectTypes({
      {"split", {"2x6xf32", "[2, 4]:2xui32", "1:si32"}, "2x2xf32, 2x4xf32"},
      {"split", {"2x6xf32", "4:ui32", "-1:si32"}, "2x4xf32, 2x2xf32"},
      {"split", {"2x?xf32", "[2, 4]:2xui32", "1:si32"}, "2x2xf32, 2x4xf32"},
      {"split", {"2x6xf32", "2xui32", "1:si32"}, "2x?xf32, 2x?xf32"},
  });
  expectErrors({
      {"split", {"2x6xf32", "[2, 3]:2xui32", "1:si32"}, "the sections add up to 5, dim 1 has 6"},
      {"split", {"2x6xf32", "0:ui32", "1:si32"}, "the split size must be at least 1"},
      {"split", {"9223372036854775807xf32", "1:ui32", "0:si32"}, "makes 9223372036854775807 results"},
      {"split", {"2x6xf32", "ui32", "1:si32"}, "how many there are is not known"},
      {"split", {"2x?xf32", "2:ui32", "1:si32"}, "how many there are is not known"},
      {"split", {"2x6xf32", "2:ui32", "2:si32"}, "the dim 2 is out of range for rank 2"},
  });
  // Where constants do not tell, the results do.
  expectAccepted({
      {"split", {"2x6xf32", "ui32", "1:si32"}, {"2x4xf32", "2x2xf32"}},
      {"split", {"2x?xf32", "2:ui32", "1:si32"}, {"2x2xf32", "2x2xf32", "2x?xf32"}},
      {"split", {"2x6xf32", "2xui32", "si32"}, {"2x4xf32", "2x2xf32"}},
  });
  expectRefused({
      {"split", {"2x6xf32", "[2, 4]:2xui32", "1:si32"}, {"2x2xf32", "2x2xf32", "2x2xf32"}},
      {"split", {"2x6xf32", "[2, 4]:2xui32", "1:si32"}, {"2x4xf32", "2x2xf32"}},
      {"split", {"2x6xf32", "4:ui32", "1:si32"}, {"2x4xf32"}},
  });
}

} // namespace
} // namespace sixrung::ir::test
