#include "tests/ir/infer_harness.hpp"

namespace sixrung::ir::test {
namespace {

TEST(InferBroadcast, To) {
  expectTypes({
      {"broadcast_to", {"3xf32", "[2, 3]:2xui32"}, "2x3xf32"},
      {"broadcast_to", {"2x1xf32", "[4, 2, 3]:3xui32"}, "4x2x3xf32"},
      {"broadcast_to", {"f32", "[4]:1xui16"}, "4xf32"},
      {"broadcast_to", {"f32", ":0xui32"}, "f32"},
      {"broadcast_to", {"1xf32", "0:1xui32"}, "0xf32"},
      {"broadcast_to", {"?xf32", "[4]:1xui32"}, "4xf32"},
      {"broadcast_to", {"2x1xf32", "2xui32"}, "2x?xf32"},
  });
  expectErrors({
      {"broadcast_to", {"2x1xf32", "[3]:1xui32"}, "cannot broadcast 2x1 to rank 1"},
      {"broadcast_to", {"2x3xf32", "[2, 4]:2xui32"}, "dim 1 is 3, not 1 or 4"},
      {"broadcast_to", {"2xf32", "?xui32"}, "needs a shape of known length"},
  });
}

TEST(InferBroadcast, InDims) {
  expectTypes({
      {"broadcast_in_dims", {"1x3xf32", "[2]:1xui32", "[0]:1xsi32"}, "2x3xf32"},
      {"broadcast_in_dims", {"1x3x1xf32", "[5, 2]:2xui32", "[-1, 0]:2xsi32"}, "2x3x5xf32"},
      {"broadcast_in_dims", {"1x3xf32", "1xui32", "[0]:1xsi32"}, "?x3xf32"},
      {"broadcast_in_dims", {"1x3xf32", "[2]:1xui32", "1xsi32"}, "?x3xf32"},
  });
  expectErrors({
      {"broadcast_in_dims", {"1x3xf32", "[2]:1xui32", "[2]:1xsi32"}, "the axis 2 is out of range for rank 2"},
      {"broadcast_in_dims", {"1x3xf32", "[2]:1xui32", "[1]:1xsi32"}, "cannot broadcast dim 1 of size 3 to 2"},
      {"broadcast_in_dims", {"1x3xf32", "[2, 2]:2xui32", "[0]:1xsi32"}, "has 1 axes but 2 sizes"},
      {"broadcast_in_dims", {"1x1xf32", "[2, 2]:2xui32", "[0, 0]:2xsi32"}, "the axis 0 is given twice"},
  });
}

TEST(InferBroadcast, Shapes) {
  expectTypes({
      {"broadcast_shapes", {"[2, 3]:2xui32", "[3]:1xui32"}, "2xui32"},
      {"broadcast_shapes", {"2xui32", "4xui32"}, "4xui32"},
      {"broadcast_shapes", {"2xui16", "?xui16"}, "?xui16"},
  });
  expectErrors(
      {{"broadcast_shapes", {"[2, 3]:2xui32", "[4]:1xui32"}, "the shapes 2x3 and 4 do not broadcast"}});
}

TEST(InferBroadcast, Tile) {
  expectTypes({
      {"tile", {"2x3xf32", "[2, 1]:2xui32"}, "4x3xf32"},
      {"tile", {"2x3xf32", "[2]:1xui32"}, "2x6xf32"}, // aligned with the last dims
      {"tile", {"?x3xf32", "[2, 2]:2xui32"}, "?x6xf32"},
      {"tile", {"?x3xf32", "[0, 2]:2xui32"}, "0x6xf32"},
      {"tile", {"2x3xf32", "2xui32"}, "?x?xf32"},
  });
  expectErrors({
      {"tile", {"2xf32", "[2, 2]:2xui32"}, "has 2 repeats for rank 1"},
      {"tile", {"9223372036854775807xf32", "[3]:1xui32"}, "dim 0 becomes too large"},
  });
}

} // namespace
} // namespace sixrung::ir::test
