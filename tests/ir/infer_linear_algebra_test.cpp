#include "tests/ir/infer_harness.hpp"

namespace sixrung::ir::test {
namespace {

TEST(InferLinearAlgebra, BatchMatmul) {
  expectTypes({
      {"batch_matmul", {"5x2x3xf32", "5x3x4xf32"}, "5x2x4xf32"},
      {"batch_matmul", {"2x3xf32", "3x4xf32"}, "2x4xf32"},
      {"batch_matmul", {"?x2x3xf32", "5x?x4xf32"}, "5x2x4xf32"},
  });
  expectErrors({
      {"batch_matmul", {"3xf32", "3x4xf32"}, "takes matrices; the shapes are 3 and 3x4"},
      {"batch_matmul", {"2x3xf32", "2x4xf32"}, "the inner dims are 3 and 2"},
      {"batch_matmul", {"1x2x3xf32", "5x3x4xf32"}, "the shapes 1 and 5 must be equal"},
      {"batch_matmul", {"2x3xf32", "3x4xf16"}, "one element type"},
  });
}

TEST(InferLinearAlgebra, BroadcastingBatchMatmul) {
  const std::string op = "decomposable.broadcasting_batch_matmul";
  expectTypes({
      {op, {"5x1x2x3xf32", "7x3x4xf32"}, "5x7x2x4xf32"},
      {op, {"5x2x3xf32", "3x4xf32"}, "5x2x4xf32"},
      {op, {"?x2x3xf32", "1x3x4xf32"}, "?x2x4xf32"},
      {op, {"?x2x3xf32", "5x3x?xf32"}, "5x2x?xf32"},
  });
  expectErrors({
      {op, {"5x2x3xf32", "6x3x4xf32"}, "the shapes 5 and 6 do not broadcast"},
      {op, {"5x2x3xf32", "3xf32"}, "takes matrices"},
  });
}

} // namespace
} // namespace sixrung::ir::test
