#include "tests/ir/infer_harness.hpp"

namespace sixrung::ir::test {
namespace {

TEST(InferShape, Reshape) {
  expectTypes({
      {"reshape", {"2x3xf32", "[3, 2]:2xsi32"}, "3x2xf32"},
      {"reshape", {"2x3xf32", "[3, -1]:2xsi32"}, "3x2xf32"},
      {"reshape", {"2x3xf32", "-1:1xsi32"}, "6xf32"},
      {"reshape", {"2x3xf32", "[1, 6, 1]:3xui32"}, "1x6x1xf32"},
      {"reshape", {"1x1xf32", ":0xsi32"}, "f32"},
      {"reshape", {"f32", "[1, 1]:2xui16"}, "1x1xf32"},
      {"reshape", {"0x3xf32", "[-1, 3]:2xsi32"}, "0x3xf32"},
      {"reshape", {"?x3xf32", "[6, -1]:2xsi32"}, "6x?xf32"},
      {"reshape", {"?x3xf32", "[6, 4]:2xsi32"}, "6x4xf32"},
      {"reshape", {"2x3xf32", "2xsi32"}, "?x?xf32"},
      {"reshape", {"2x3xf32", "1xsi32"}, "6xf32"}, // the one unknown dim is all there is
  });
  expectErrors({
      {"reshape", {"2x3xf32", "[4, 2]:2xsi32"}, "cannot reshape 2x3 to 4x2: 6 elements, not 8"},
      {"reshape", {"2x3xf32", "[4, -1]:2xsi32"}, "6 elements are no multiple of 4"},
      {"reshape", {"?x3xf32", "[4, 4]:2xsi32"}, "16 elements are no multiple of 3"},
      {"reshape", {"?x0xf32", "[4]:1xsi32"}, "cannot reshape"},
      {"reshape", {"2x3xf32", "[-1, -1]:2xsi32"}, "only one dim of the new shape may be -1"},
      {"reshape", {"2x3xf32", "[-2, 3]:2xsi32"}, "the new dim 0 is -2"},
      {"reshape", {"2x3xf32", "[0, 3]:2xsi32"}, "the new dim 0 must not be 0"},
      {"reshape", {"2x3xf32", "?xsi32"}, "needs a shape of known length"},
      {"reshape", {"4611686018427387904x4xf32", "[4]:1xsi32"}, "more elements than 64 bits count"},
  });
}

TEST(InferShape, Transpose) {
  expectTypes({
      {"transpose", {"2x3xf32", "[1, 0]:2xui32"}, "3x2xf32"},
      {"transpose", {"2x?x4xf32", "[2, 0, 1]:3xui16"}, "4x2x?xf32"},
      {"transpose", {"2x3xf32", "2xui32"}, "?x?xf32"},
      {"transpose", {"f32", ":0xui32"}, "f32"},
  });
  expectErrors({
      {"transpose", {"2x3xf32", "[0, 0]:2xui32"}, "entry 1 of the permutation, 0, is given twice"},
      {"transpose", {"2x3xf32", "[0, 2]:2xui32"}, "entry 1 of the permutation, 2, is out of range"},
      {"transpose", {"2x3xf32", "[0]:1xui32"}, "the permutation has 1 entries for rank 2"},
  });
}

TEST(InferShape, ExpandDims) {
  expectTypes({
      {"expand_dims", {"2x3xf32", "[0]:1xsi32"}, "1x2x3xf32"},
      {"expand_dims", {"2x3xf32", "[-1]:1xsi32"}, "2x3x1xf32"},
      {"expand_dims", {"2x3xf32", "[2, 0]:2xsi32"}, "1x2x1x3xf32"}, // axes count in the result
      {"expand_dims", {"?x3xf32", "[1]:1xsi32"}, "?x1x3xf32"},
      {"expand_dims", {"3xf32", "1xsi32"}, "?x?xf32"},
  });
  expectErrors({
      {"expand_dims", {"2x3xf32", "[3]:1xsi32"}, "the axis 3 is out of range for rank 3"},
      {"expand_dims", {"2x3xf32", "[0, 0]:2xsi32"}, "the axis 0 is given twice"},
      {"expand_dims", {"2x3xf32", "?xsi32"}, "needs a known number of axes"},
      {"expand_dims", {"2x3xf32", "9223372036854775807xsi32"}, "more than 64"},
  });
}

TEST(InferShape, ShrinkDims) {
  expectTypes({
      {"shrink_dims", {"2x1x3xf32", "[1]:1xsi32"}, "2x3xf32"},
      {"shrink_dims", {"1x?x1xf32", "[0, -1]:2xsi32"}, "?xf32"},
      {"shrink_dims", {"1x3xf32", "1xsi32"}, "?xf32"},
  });
  expectErrors({
      {"shrink_dims", {"2x3xf32", "[0]:1xsi32"}, "dim 0 has size 2, so it cannot be dropped"},
      {"shrink_dims", {"?x3xf32", "[0]:1xsi32"}, "dim 0 is not known to be 1"},
      {"shrink_dims", {"1x3xf32", "[2]:1xsi32"}, "out of range"},
      {"shrink_dims", {"1xf32", "2xsi32"}, "has 2 axes for rank 1"},
  });
}

TEST(InferShape, ReverseAndGetShape) {
  expectTypes({
      {"reverse", {"2x3xf32", "[-1]:1xsi32"}, "2x3xf32"},
      {"get_shape", {"2x?x4xf32"}, "3xui32"},
      {"get_shape", {"f32"}, "0xui32"},
  });
  expectErrors({{"reverse", {"2x3xf32", "[2]:1xsi32"}, "the dim 2 is out of range for rank 2"}});
}

TEST(InferShape, Pad) {
  expectTypes({
      {"pad", {"2x3xf32", "[0, 0, 1, 2]:4xui32", "0.0:f32"}, "2x6xf32"},
      {"pad", {"?x3xf32", "[1, 0, 1, 2]:4xui32", "0.0:f32"}, "?x6xf32"},
      {"pad", {"2x3xf32", "4xui32", "0.0:f32"}, "?x?xf32"},
  });
  expectErrors({
      {"pad", {"2x3xf32", "[1, 2]:2xui32", "0.0:f32"}, "the padding has 2 entries, not two a dim for rank 2"},
      {"pad", {"2x3xf32", "[0, 0, 1, 2]:4xui32", "0.0:f16"}, "one element type"},
  });
}

} // namespace
} // namespace sixrung::ir::test
