#include "tests/ir/infer_harness.hpp"

namespace sixrung::ir::test {
namespace {

TEST(InferIndexing, GatherNd) {
  expectTypes({
      {"gather_nd", {"2x3xf32", "4x1xsi32"}, "4x3xf32"},
      {"gather_nd", {"2x3xf32", "5x4x2xsi32"}, "5x4xf32"},
      {"gather_nd", {"2x3xf32", "1xsi32"}, "3xf32"},
      {"gather_nd", {"?x?xf32", "?x1xsi32"}, "?x?xf32"},
      {"gather_nd", {"2x3xi1", "4x0xsi32"}, "4x2x3xi1"},
  });
  expectErrors({
      {"gather_nd", {"2x3xf32", "4x3xsi32"}, "the indices name 3 dims of rank 2"},
      {"gather_nd", {"2x3xf32", "4x?xsi32"}, "the indices need a last dim of known size"},
      {"gather_nd", {"2x3xf32", "si32"}, "the indices need a last dim of known size"},
  });
}

TEST(InferIndexing, AlongAxis) {
  expectTypes({
      {"gather_along_axis", {"2x3xf32", "2x5xsi32", "1:si32"}, "2x5xf32"},
      {"gather_along_axis", {"2x3xf32", "7x3xsi32", "-2:si32"}, "7x3xf32"},
      {"gather_along_axis", {"?x3xf32", "2x5xsi32", "1:si32"}, "2x5xf32"},
      {"gather_along_axis", {"2x3xf32", "?x5xsi32", "1:si32"}, "2x5xf32"},
      {"gather_along_axis", {"2x3xf32", "?x5xsi32", "si32"}, "?x5xf32"},
      {"scatter_along_axis", {"2x3xf32", "2x2xsi32", "2x2xf32", "1:si32"}, "2x3xf32"},
  });
  expectErrors({
      {"gather_along_axis", {"2x3xf32", "1x5xsi32", "1:si32"}, "dim 0 of the indices is 1, of the input 2"},
      {"gather_along_axis", {"2x3xf32", "5xsi32", "1:si32"}, "the indices have rank 1, the input 2"},
      {"gather_along_axis", {"2x3xf32", "2x5xsi32", "2:si32"}, "the axis 2 is out of range"},
      {"scatter_along_axis",
       {"2x3xf32", "2x2xsi32", "2x1xf32", "1:si32"},
       "the shapes 2x2 and 2x1 must be equal"},
      {"scatter_along_axis", {"2x3xf32", "2x2xsi32", "2x2xf16", "1:si32"}, "one element type"},
      {"scatter_along_axis", {"2x3xf32", "3x2xsi32", "3x2xf32", "1:si32"}, "they must agree beside the axis"},
  });
}

TEST(InferIndexing, ScatterNd) {
  expectTypes({
      {"scatter_nd", {"2x3xf32", "2x1xsi32", "2x3xf32"}, "2x3xf32"},
      {"scatter_nd", {"2x3xf32", "5x2xsi32", "5xf32"}, "2x3xf32"},
      {"scatter_nd", {"?x3xf32", "?x1xsi32", "2x3xf32"}, "?x3xf32"},
  });
  expectErrors({
      {"scatter_nd", {"2x3xf32", "2x1xsi32", "2x2xf32"}, "the updates must have shape 2x3, not 2x2"},
      {"scatter_nd", {"2x3xf32", "2x1xsi32", "2x3xf16"}, "one element type"},
      {"scatter_nd", {"2x?xf32", "2x1xsi32", "2x3xf32"}, "dim 1 of the updates must be unknown"},
  });
}

} // namespace
} // namespace sixrung::ir::test
