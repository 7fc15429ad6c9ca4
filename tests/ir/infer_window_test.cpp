#include "tests/ir/infer_harness.hpp"

namespace sixrung::ir::test {
namespace {

TEST(InferWindow, Convolution) {
  const std::string x = "1x3x8x8xf32", w = "4x3x3x3xf32";
  expectTypes({
      {"conv2d", {x, w, two(1), two(1), "1:ui32"}, "1x4x6x6xf32"},
      {"conv2d", {x, w, two(2), two(1), "1:ui32"}, "1x4x3x3xf32"},
      {"conv2d", {x, w, two(1), two(2), "1:ui32"}, "1x4x4x4xf32"},
      {"conv2d", {"2x4x9x8xf32", "6x2x2x3xf32", "[2, 1]:2xui32", "[1, 2]:2xui16", "2:ui32"}, "2x6x4x4xf32"},
      {"conv2d", {"?x3x?x8xf32", w, two(1), two(1), "1:ui32"}, "?x4x?x6xf32"},
      {"conv2d", {x, w, "2xui32", two(1), "1:ui32"}, "1x4x?x?xf32"},
      {"conv3d", {"1x3x4x8x8xf32", "4x3x3x3x3xf32", three(1), three(1), "1:ui32"}, "1x4x2x6x6xf32"},
  });
  expectErrors({
      {"conv2d", {"3x8x8xf32", w, two(1), two(1), "1:ui32"}, "the input must have rank 4, not 3"},
      {"conv2d", {x, "4x3x3xf32", two(1), two(1), "1:ui32"}, "the weight must have rank 4, not 3"},
      {"conv2d", {x, w, two(0), two(1), "1:ui32"}, "the stride must be at least 1, not 0"},
      {"conv2d", {x, w, two(1), two(0), "1:ui32"}, "the dilation must be at least 1, not 0"},
      {"conv2d", {x, w, "1:1xui32", two(1), "1:ui32"}, "the stride has 1 entries, not 2"},
      {"conv2d", {x, w, two(1), two(1), "0:ui32"}, "the groups must be at least 1"},
      {"conv2d",
       {x, w, two(1), two(1), "3:ui32"},
       "the input has 3 channels, the weight takes 3 in each of 3 groups"},
      {"conv2d",
       {"1x6x8x8xf32", "3x3x3x3xf32", two(1), two(1), "2:ui32"},
       "3 output channels do not divide into 2"},
      {"conv2d", {x, w, two(1), two(4), "1:ui32"}, "the window takes 9 elements of a dim of 8"},
      {"conv2d", {x, "4x3x3x3xf16", two(1), two(1), "1:ui32"}, "one element type"},
      {"conv2d", {x, "4x?x3x3xf32", two(1), two(1), "1:ui32"}, "the weight needs a known number of channels"},
  });
}

TEST(InferWindow, TransposedConvolution) {
  const std::string x = "1x3x4x4xf32", w = "3x2x3x3xf32";
  expectTypes({
      {"conv_transpose2d", {x, w, two(2), two(1), two(1), two(1), "1:ui32"}, "1x2x8x8xf32"},
      {"conv_transpose2d", {x, w, two(1), two(0), two(1), two(0), "1:ui32"}, "1x2x6x6xf32"},
      {"conv_transpose2d", {x, w, two(3), two(2), two(2), two(0), "1:ui32"}, "1x2x10x10xf32"},
      {"conv_transpose2d",
       {"1x4x4x?xf32", "4x2x3x3xf32", two(1), two(0), two(1), two(0), "2:ui32"},
       "1x4x6x?xf32"},
      {"conv_transpose2d", {x, w, two(1), two(0), two(1), two(0), "ui32"}, "1x?x6x6xf32"},
      {"conv_transpose3d",
       {"1x3x4x4x4xf32", "3x2x3x3x3xf32", three(2), three(1), three(1), three(1), "1:ui32"},
       "1x2x8x8x8xf32"},
  });
  expectErrors({
      {"conv_transpose2d",
       {x, "4x2x3x3xf32", two(1), two(0), two(1), two(0), "1:ui32"},
       "the weight takes 4"},
      {"conv_transpose2d",
       {x, w, two(1), two(0), two(1), two(0), "2:ui32"},
       "3 input channels do not divide into 2"},
      {"conv_transpose2d",
       {x, w, two(1), two(5), two(1), two(0), "1:ui32"},
       "dim 2 of the result would be -4"},
      {"conv_transpose2d", {x, w, two(0), two(0), two(1), two(0), "1:ui32"}, "the stride must be at least 1"},
  });
}

TEST(InferWindow, Pools) {
  const std::string x = "1x3x7x8xf32";
  expectTypes({
      {"max_pool_2d", {x, two(2), two(2), two(1), "false:i1"}, "1x3x3x4xf32"},
      {"max_pool_2d", {x, two(2), two(2), two(1), "true:i1"}, "1x3x4x4xf32"},
      {"max_pool_2d", {x, two(2), two(2), two(1), "i1"}, "1x3x?x4xf32"}, // known where both modes agree
      {"max_pool_2d",
       {"1x3x5x5xf32", two(1), two(3), two(1), "true:i1"},
       "1x3x3x3xf32"}, // a window past the end stays
      {"max_pool_3d", {"1x3x8x8x8xf32", three(3), three(2), three(1), "true:i1"}, "1x3x4x4x4xf32"},
      {"sum_pool_2d", {x, two(2), two(2), two(1)}, "1x3x3x4xf32"},
      {"sum_pool_2d", {"1x3x9x9xf32", two(3), two(2), two(2)}, "1x3x3x3xf32"},
      {"sum_pool_2d", {x, "2xui32", two(2), two(1)}, "1x3x?x?xf32"},
      {"sum_pool_3d", {"1x3x8x8x8xf32", three(2), three(2), three(1)}, "1x3x4x4x4xf32"},
  });
  expectErrors({
      {"max_pool_2d", {"3x7x8xf32", two(2), two(2), two(1), "true:i1"}, "the input must have rank 4"},
      {"max_pool_2d", {x, two(0), two(2), two(1), "true:i1"}, "the kernel size must be at least 1"},
      {"sum_pool_2d", {x, two(9), two(2), two(1)}, "the window takes 9 elements of a dim of 7"},
      {"sum_pool_2d", {x, "[2, 2, 2]:3xui32", two(2), two(1)}, "the kernel size has 3 entries, not 2"},
  });
}

TEST(InferWindow, Interpolation) {
  const std::string x = "1x2x4x4xf32";
  expectTypes({
      {"interpolate", {x, "[1, 2, 8, 6]:4xsi32", "2.0:4xf32", "0.0:4xf32"}, "1x2x8x6xf32"},
      {"interpolate", {x, "4xsi32", "2.0:4xf32", "0.0:4xf32"}, "?x?x?x?xf32"},
      {"interpolate_coordinates", {"4x4xsi8", "5x2xf32"}, "5xsi8"},
      {"interpolate_coordinates", {"4x4xf32", "?x2xf32"}, "?xf32"},
  });
  expectErrors({
      {"interpolate",
       {x, "[8, 6]:2xsi32", "2.0:4xf32", "0.0:4xf32"},
       "the output shape needs one entry a dim, 4 in all"},
      {"interpolate", {x, "[1, 2, 0, 6]:4xsi32", "2.0:4xf32", "0.0:4xf32"}, "a dim of the output shape is 0"},
      {"interpolate", {x, "4xsi32", "2.0:2xf32", "0.0:4xf32"}, "the scale needs one entry a dim"},
      {"interpolate_coordinates", {"4x4xf32", "5x3xf32"}, "each coordinate has 3 entries for rank 2"},
  });
}

} // namespace
} // namespace sixrung::ir::test
