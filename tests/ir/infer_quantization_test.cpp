#include "tests/ir/infer_harness.hpp"

namespace sixrung::ir::test {
namespace {

TEST(InferQuantization, QuantizeAndBack) {
  expectTypes({
      {"quantize", {"2x3xf32", "f32", "si8", "f32", "si32"}, "2x3xsi8"},
      {"quantize", {"2x3xf32", "3xf32", "3xui8", "3xf32", "1:si32"}, "2x3xui8"},
      {"dequantize", {"2x3xsi8", "f16", "si8", "f32", "si32"}, "2x3xf32"},
      {"dequantize", {"2x3xui4", "2xf16", "2xui4", "2xf16", "-2:si32"}, "2x3xf16"},
  });
  expectErrors({
      {"quantize", {"2x3xf32", "3xf32", "si8", "f32", "1:si32"}, "must be equal"},
      {"quantize", {"2x3xf32", "3xf32", "3xsi8", "3xf32", "si32"}, "needs a constant axis"},
      {"quantize", {"2x3xf32", "2xf32", "2xsi8", "2xf32", "1:si32"}, "has 2 scales for dim 1 of size 3"},
      {"quantize", {"2x3xf32", "f32", "si8", "f16", "si32"}, "operands 0 and 3 must have one element type"},
      {"dequantize", {"2x3xsi8", "f32", "ui8", "f32", "si32"}, "operands 0 and 2 must have one element type"},
      {"dequantize", {"2x3xsi8", "3xf32", "3xsi8", "3xf32", "2:si32"}, "the axis 2 is out of range"},
  });
}

TEST(InferQuantization, Blocks) {
  expectTypes({
      {"blockwise_shift_scale", {"4x6xsi8", "4x2xf32", "4x2xsi8", "4x2xf32"}, "4x6xf32"},
      {"blockwise_shift_scale", {"4x6xui4", "1x3xf16", "1x3xui4", "1x3xf16"}, "4x6xf16"},
  });
  expectErrors({
      {"blockwise_shift_scale",
       {"4x6xsi8", "4x4xf32", "4x4xsi8", "4x4xf32"},
       "dim 1 of size 6 does not divide into 4 blocks"},
      {"blockwise_shift_scale", {"4x6xsi8", "2xf32", "2xsi8", "2xf32"}, "the scale must have rank 2, not 1"},
      {"blockwise_shift_scale", {"4x6xsi8", "4x2xf32", "4x1xsi8", "4x2xf32"}, "must be equal"},
      {"blockwise_shift_scale", {"4x6xsi8", "4x2xf32", "4x2xui8", "4x2xf32"}, "one element type"},
  });
}

TEST(InferQuantization, LookUpTables) {
  expectTypes({
      {"lut_to_dense", {"4x6xui2", "1x1x4x1xf32", "0:si16"}, "4x6xf32"},
      {"lut_to_dense", {"4x6xui2", "1x1x4x1xf32", "si16"}, "4x6xf32"},
      {"lut_to_dense", {"4x6xui4", "2x3x16x2xf16", "1:si16"}, "4x12xf16"},
  });
  expectErrors({
      {"lut_to_dense",
       {"4x6xui2", "1x1x8x1xf32", "0:si16"},
       "the table has 8 entries, indices of 2 bits need 4"},
      {"lut_to_dense", {"4x6xui2", "3x1x4x1xf32", "0:si16"}, "dim 0 of size 4 does not divide into 3 groups"},
      {"lut_to_dense", {"4x6xui2", "1x4x1xf32", "0:si16"}, "the look-up table must have rank 4, not 3"},
      {"lut_to_dense", {"?x6xui2", "1x1x4x1xf32", "0:si16"}, "takes tensors of known shape only"},
      {"lut_to_dense", {"4x6xui2", "1x1x4x2xf32", "2:si16"}, "the axis 2 is out of range"},
  });
}

TEST(InferQuantization, Statistics) {
  expectTypes({
      {"symmetric_quantization_statistics", {"2x3xf16", "2xf32", "0:si32"}, "2xf16"},
      {"asymmetric_quantization_statistics", {"2x3xf32", "2xsi8", "1:si32"}, "3xf32, 3xsi8"},
  });
  expectErrors({
      {"asymmetric_quantization_statistics", {"2x3xf32", "3xsi8", "1:si32"}, "the range must be [min, max]"},
      {"symmetric_quantization_statistics", {"2x3xf32", "2xf32", "2:si32"}, "out of range"},
  });
}

std::string sparse(const std::string &type, int values) {
  return type + ", #coreai.sparse_tensor_encoding<bitmask, numNonZero = " + std::to_string(values) +
         ", posWidth = 1, crdWidth = 1>";
}

TEST(InferQuantization, Sparse) {
  expectTypes({
      {"build_sparse_with_bitmask", {"4xf32", "2x3xui1"}, sparse("2x3xf32", 4)},
      {"sparse_with_bitmask_to_dense", {sparse("2x3xf32", 4)}, "2x3xf32"},
      {"lut_to_sparse_with_bitmask", {sparse("2x3xui2", 4), "1x1x4x2xf16", "0:si16"}, sparse("4x3xf16", 8)},
  });
  expectErrors({
      {"build_sparse_with_bitmask", {"?xf32", "2x3xui1"}, "needs a known number of values"},
      {"build_sparse_with_bitmask", {"7xf32", "2x3xui1"}, "has 7 values for 6 elements"},
      {"sparse_with_bitmask_to_dense", {"2x3xf32"}, "takes a tensor that is sparse by a bitmask"},
      {"lut_to_sparse_with_bitmask", {"2x3xui2", "1x1x4x2xf16", "0:si16"}, "sparse by a bitmask"},
      {"abs", {sparse("2x3xf32", 4)}, "operand 0 must be a dense tensor"},
  });
}

} // namespace
} // namespace sixrung::ir::test
