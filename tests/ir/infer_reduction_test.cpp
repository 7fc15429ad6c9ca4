#include "tests/ir/infer_harness.hpp"

namespace sixrung::ir::test {
namespace {

TEST(InferReduction, KeepsReducedDims) {
  for (const char *op : {"reduce_max", "reduce_mean", "reduce_min", "reduce_product", "reduce_sum"})
    expectTypes({
        {op, {"2x3x4xf32", "[1]:1xsi32"}, "2x1x4xf32"},
        {op, {"2x3x4xf32", "[0, -1]:2xsi16"}, "1x3x1xf32"},
        {op, {"?x3xf32", "[0]:1xsi32"}, "1x3xf32"},
        {op, {"?x3xf32", "[1]:1xsi32"}, "?x1xf32"},
        {op, {"2x1xf32", "1xsi32"}, "?x1xf32"},
        {op, {"f32", ":0xsi32"}, "f32"},
    });
  expectTypes({{"all", {"2x3xi1", "[0, 1]:2xsi32"}, "1x1xi1"}, {"any", {"2x3xi1", "[0]:1xsi32"}, "1x3xi1"}});
  expectErrors({
      {"reduce_sum", {"2x3xf32", "[2]:1xsi32"}, "the axis 2 is out of range for rank 2"},
      {"reduce_sum", {"2x3xf32", "[-3]:1xsi32"}, "the axis -3 is out of range for rank 2"},
      {"reduce_sum", {"2x3xf32", "[1, -1]:2xsi32"}, "the axis -1 is given twice"},
      {"reduce_sum", {"2x3xf32", ":0xsi32"}, "needs its axes named"},
      {"reduce_sum", {"2xf32", "2xsi32"}, "has 2 axes for rank 1"},
      {"reduce_sum", {"2xf32", "0:si32"}, "the axes must have rank 1, not 0"},
  });
}

TEST(InferReduction, AlongOneAxis) {
  expectTypes({
      {"argmax", {"2x3xf32", "1:si32"}, "2x1xui32"},
      {"argmax", {"2x3xf32", "-2:si32"}, "1x3xui32"},
      {"argmax", {"2x3xf32", "si32"}, "?x?xui32"},
      {"softmax", {"2x?xf16", "-1:si32"}, "2x?xf16"},
      {"sort", {"2x3xsi8", "1:si32", "false:i1", "true:i1"}, "2x3xsi8"},
      {"argsort", {"2x3xf32", "1:si32", "true:i1", "true:i1"}, "2x3xsi32"},
      {"scan", {"2x3xf32", "1:ui32", "false:i1"}, "2x3xf32"},
  });
  expectErrors({
      {"argmax", {"2x3xf32", "2:si32"}, "the axis 2 is out of range for rank 2"},
      {"softmax", {"2x3xf32", "-3:si32"}, "out of range"},
      {"softmax", {"f32", "0:si32"}, "takes no tensor of rank 0"},
      {"argmax", {"f32", "si32"}, "takes no tensor of rank 0"},
      {"scan", {"2x3xf32", "2:ui32", "false:i1"}, "out of range"},
      {"argsort", {"2x3xf32", "5:si32", "true:i1", "true:i1"}, "out of range"},
  });
}

TEST(InferReduction, NonZeroCountsAtRunTime) {
  expectTypes({{"non_zero", {"2x3xf32"}, "?x2xsi32"}, {"non_zero", {"i1"}, "?x0xsi32"}});
}

} // namespace
} // namespace sixrung::ir::test
