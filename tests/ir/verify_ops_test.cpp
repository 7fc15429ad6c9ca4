// Results that contradict the operands, which Core AI's own verifier often lets pass; attributes; regions.
#include "tests/ir/infer_harness.hpp"

#include "core/graph/error.hpp"
#include "core/ir/builder.hpp"

namespace sixrung::ir::test {
namespace {

constexpr const char *kConstant = "padding_mode = #coreai.padding_mode<constant>";
constexpr const char *kReflect = "padding_mode = #coreai.padding_mode<reflect>";
constexpr const char *kLinear = "interpolation_mode = #coreai.interpolation_mode<linear>";

TEST(VerifyOps, WrongDims) {
  const std::string matmul = "decomposable.broadcasting_batch_matmul";
  expectRefused({
      {"all", {"2x3xi1", "[1]:1xsi32"}, {"2x3xi1"}},
      {"any", {"2x3xi1", "[1]:1xsi32"}, {"1x1xi1"}},
      {"argmax", {"2x3xf32", "1:si32"}, {"2x3xui32"}},
      {"batch_matmul", {"5x2x3xf32", "5x3x4xf32"}, {"5x2x3xf32"}},
      {matmul, {"5x2x3xf32", "3x4xf32"}, {"5x4x2xf32"}},
      {"broadcast_in_dims", {"1x3xf32", "[2]:1xui32", "[0]:1xsi32"}, {"3x3xf32"}},
      {"broadcast_shapes", {"[2, 3]:2xui32", "[3]:1xui32"}, {"3xui32"}},
      {"broadcast_to", {"3xf32", "[2, 3]:2xui32"}, {"4x3xf32"}},
      {"conv2d", {"1x3x8x8xf32", "4x3x3x3xf32", two(1), two(1), "1:ui32"}, {"1x4x6x7xf32"}},
      {"conv3d", {"1x3x4x8x8xf32", "4x3x3x3x3xf32", three(1), three(1), "1:ui32"}, {"1x3x2x6x6xf32"}},
      {"conv_transpose2d",
       {"1x3x4x4xf32", "3x2x3x3xf32", two(2), two(1), two(1), two(1), "1:ui32"},
       {"1x2x9x8xf32"}},
      {"expand_dims", {"2x3xf32", "[1]:1xsi32"}, {"1x2x3xf32"}},
      {"interpolate",
       {"1x2x4x4xf32", "[1, 2, 8, 6]:4xsi32", "2.0:4xf32", "0.0:4xf32"},
       {"1x2x8x8xf32"},
       kLinear},
      {"interpolate_coordinates", {"4x4xf32", "5x2xf32"}, {"4xf32"}, kLinear},
      {"max_pool_2d", {"1x3x8x8xf32", two(2), two(2), two(1), "false:i1"}, {"1x3x8x8xf32"}},
      {"max_pool_3d", {"1x3x8x8x8xf32", three(2), three(2), three(1), "false:i1"}, {"1x3x4x4x5xf32"}},
      {"non_zero", {"2x3xf32"}, {"?x3xsi32"}},
      {"pad", {"2x3xf32", "[0, 0, 1, 2]:4xui32", "0.0:f32"}, {"2x5xf32"}, kConstant},
      {"range", {"0:si32", "7:si32", "3:si32"}, {"2xsi32"}},
      {"reduce_max", {"2x3xf32", "[1]:1xsi32"}, {"1x3xf32"}},
      {"reduce_mean", {"2x3xf32", "[1]:1xsi32"}, {"2x3xf32"}},
      {"reduce_min", {"2x3xf32", "[1]:1xsi32"}, {"2x2xf32"}},
      {"reduce_product", {"2x3xf32", "[1]:1xsi32"}, {"1x1xf32"}},
      {"reduce_sum", {"2x3xf32", "[1]:1xsi32"}, {"2x0xf32"}},
      {"slice", {"2x3xf32", "0:2xsi32", "[2, 2]:2xsi32", "1:2xsi32"}, {"2x3xf32"}},
      {"softmax", {"2x3xf32", "1:si32"}, {"3x2xf32"}},
      {"sum_pool_2d", {"1x3x8x8xf32", two(2), two(2), two(1)}, {"1x3x3x4xf32"}},
      {"sum_pool_3d", {"1x3x8x8x8xf32", three(2), three(2), three(1)}, {"1x1x4x4x4xf32"}},
      {"tile", {"2x3xf32", "[2, 1]:2xui32"}, {"2x6xf32"}},
      {"where", {"2x3xi1", "2x3xf32", "2x3xf32"}, {"2x4xf32"}},
      {"reshape", {"2x3xf32", "[3, 2]:2xsi32"}, {"2x3xf32"}},
      {"transpose", {"2x3xf32", "[1, 0]:2xui32"}, {"2x3xf32"}},
      {"sort", {"2x3xf32", "1:si32", "false:i1", "true:i1"}, {"2x4xf32"}},
      {"decomposable.broadcasting_add", {"2x3xf32", "3xf32"}, {"2x4xf32"}},
  });
}

TEST(VerifyOps, WrongRank) {
  expectRefused({
      {"decomposable.broadcasting_add", {"2x3xf32", "3xf32"}, {"1x2x3xf32"}},
      {"reduce_sum", {"2x3xf32", "[1]:1xsi32"}, {"2xf32"}},
      {"expand_dims", {"2x3xf32", "[1]:1xsi32"}, {"2x3xf32"}},
      {"where", {"2x3xi1", "2x3xf32", "2x3xf32"}, {"1x2x3xf32"}},
      {"softmax", {"2x3xf32", "1:si32"}, {"6xf32"}},
      {"tile", {"2x3xf32", "[2, 1]:2xui32"}, {"4x3x1xf32"}},
      {"broadcast_to", {"3xf32", "[2, 3]:2xui32"}, {"1x2x3xf32"}},
      {"conv_transpose2d",
       {"1x3x4x4xf32", "3x2x3x3xf32", two(2), two(1), two(1), two(1), "1:ui32"},
       {"2x8x8xf32"}},
  });
}

TEST(VerifyOps, WrongElementType) {
  expectRefused({
      {"broadcast_to", {"3xf32", "[2, 3]:2xui32"}, {"2x3xf16"}},
      {"conv2d", {"1x3x8x8xf32", "4x3x3x3xf32", two(1), two(1), "1:ui32"}, {"1x4x6x6xf16"}},
      {"conv3d", {"1x3x4x8x8xf32", "4x3x3x3x3xf32", three(1), three(1), "1:ui32"}, {"1x4x2x6x6xf16"}},
      {"conv_transpose2d",
       {"1x3x4x4xf32", "3x2x3x3xf32", two(2), two(1), two(1), two(1), "1:ui32"},
       {"1x2x8x8xf16"}},
      {"tile", {"2x3xf32", "[2, 1]:2xui32"}, {"4x3xf16"}},
      {"reduce_sum", {"2x3xsi8", "[1]:1xsi32"}, {"2x1xsi32"}},
      {"decomposable.broadcasting_pow", {"2x3xf32", "3xf32"}, {"2x3xcomplex<f32>"}},
      {"argmax", {"2x3xf32", "1:si32"}, {"2x1xsi32"}},
      {"quantize", {"2x3xf32", "f32", "si8", "f32", "si32"}, {"2x3xui8"}},
  });
}

TEST(VerifyOps, ResultsMayKnowMoreOrLess) {
  expectAccepted({
      {"decomposable.broadcasting_add", {"?x3xf32", "3xf32"}, {"2x3xf32"}},
      {"decomposable.broadcasting_add", {"2x3xf32", "3xf32"}, {"?x?xf32"}},
      {"reshape", {"2x3xf32", "2xsi32"}, {"3x2xf32"}},
      {"slice", {"?x3xf32", "0:2xsi32", "[2, 2]:2xsi32", "1:2xsi32"}, {"2x2xf32"}},
      {"conv2d", {"?x3x?x8xf32", "4x3x3x3xf32", two(1), two(1), "1:ui32"}, {"2x4x6x?xf32"}},
      {"argmax", {"2x3xf32", "1:si32"}, {"2x1xui16"}},
      {"non_zero", {"2x3xf32"}, {"4x2xsi16"}},
      {"cast", {"?x3xf32"}, {"2x3xf32"}},
      {"cast", {"2x3xf32"}, {"?x?xsi8"}},
  });
  // Core AI parses or saves these with their inferred types only.
  expectRefused({
      {"abs", {"?x3xf32"}, {"2x3xf32"}},
      {"add", {"2x3xf32", "2x3xf32"}, {"?x3xf32"}},
      {"relu", {"2x3xf32"}, {"?x3xf32"}},
      {"not", {"2x3xi1"}, {"?x3xi1"}},
      {"argsort", {"2x3xf32", "1:si32", "true:i1", "true:i1"}, {"?x3xsi32"}},
      {"concat", {"1:si32", "2x3xf32", "2x4xf32"}, {"2x?xf32"}},
      {"gather_nd", {"2x3xf32", "?x1xsi32"}, {"4x3xf32"}},
      {"shrink_dims", {"2x1x3xf32", "[1]:1xsi32"}, {"?x3xf32"}},
      {"create_complex", {"2xf32", "2xf32"}, {"?xcomplex<f32>"}},
      {"real_part", {"2xcomplex<f32>"}, {"?xf32"}},
      {"get_shape", {"2x3xf32"}, {"2xui16"}},
      {"non_zero", {"2x3xf32"}, {"?x?xsi32"}},
      {"lut_to_dense", {"4x6xui2", "1x1x4x1xf32", "0:si16"}, {"4x?xf32"}},
  });
}

TEST(VerifyOps, Operands) {
  auto refused = [](const char *op, const Operands &operands, const char *result, const char *reason) {
    std::string error = verified(op, operands, {result});
    EXPECT_NE(error.find(reason), std::string::npos) << op << ": " << error;
  };
  refused("softmax", {"2x3xf32", "1:si64"}, "2x3xf32", "operand #1");
  refused("transpose", {"2x3xf32", "[1, 0]:2xsi32"}, "3x2xf32", "operand #1");
  refused("reduce_mean", {"2x3xsi32", "[1]:1xsi32"}, "2x1xsi32", "operand #0");
  refused("add", {"2x3xi32", "2x3xi32"}, "2x3xi32", "operand #0");
  refused("not", {"2xf32"}, "2xf32", "operand #0");
  refused("sqrt", {"2xsi32"}, "2xsi32", "operand #0");
  refused("cast", {"2x3xf32"}, "3x2xf32", "keeps the shape");
  refused("cast", {"2x3xf32"}, "2xf32", "keeps the shape");
}

TEST(VerifyOps, MarginsComeOutOfTheInput) {
  expectAccepted({
      {"pad", {"2x3xf32", "[0, 0, 2, 2]:4xui32", "0.0:f32"}, {"2x7xf32"}, kReflect},
      {"pad",
       {"2x3xf32", "[0, 0, 3, 3]:4xui32", "0.0:f32"},
       {"2x9xf32"},
       "padding_mode = #coreai.padding_mode<symmetric>"},
      {"pad",
       {"2x3xf32", "[0, 0, 9, 9]:4xui32", "0.0:f32"},
       {"2x21xf32"},
       "padding_mode = #coreai.padding_mode<replicate>"},
  });
  auto error = [](const char *padding, const char *result, const char *mode) {
    return verified("pad", {"2x3xf32", padding, "0.0:f32"}, {result},
                    std::string("padding_mode = #coreai.padding_mode<") + mode + ">");
  };
  EXPECT_EQ(error("[0, 0, 3, 0]:4xui32", "2x6xf32", "reflect"),
            "cannot reflect 3 elements out of dim 1 of size 3");
  EXPECT_EQ(error("[0, 0, 4, 0]:4xui32", "2x7xf32", "symmetric"),
            "cannot symmetric 4 elements out of dim 1 of size 3");
  EXPECT_EQ(verified("pad", {"2x3xf32", "4xui32", "f32"}, {"?x?xf32"}, kReflect),
            "needs a constant padding value in mode reflect");
}

TEST(VerifyOps, SparseMasks) {
  const std::string sparse =
      "2x3xf32, #coreai.sparse_tensor_encoding<bitmask, numNonZero = 2, posWidth = 1, crdWidth = 1>";
  EXPECT_EQ(verified("build_sparse_with_bitmask", {"2xf32", "[[1, 0, 0], [0, 0, 1]]:2x3xui1"}, {sparse}), "");
  EXPECT_EQ(verified("build_sparse_with_bitmask", {"2xf32", "[[1, 0, 0], [0, 1, 1]]:2x3xui1"}, {sparse}),
            "has 2 values for a mask of 3 bits");
  expectRefused({
      {"build_sparse_with_bitmask", {"2xf32", "2x3xui1"}, {"2x3xf32"}},
      {"build_sparse_with_bitmask", {"2xf32", "2x3xui1"}, {"3x2" + sparse.substr(3)}},
      {"sparse_with_bitmask_to_dense", {sparse}, {"3x2xf32"}},
  });
  EXPECT_NE(verified("cast", {sparse}, {"2x3xf16"}), "");
}

TEST(VerifyOps, EightBitFloatsAreScaledOnly) {
  auto error = [](const char *scale, const char *offset) {
    return verified("blockwise_shift_scale", {"4x6xf8E4M3FN", scale, offset, "4x2xf32"}, {"4x6xf32"});
  };
  EXPECT_EQ(error("4x2xf32", "0.0:4x2xf8E4M3FN"), "");
  EXPECT_EQ(error("4x2xf32", "1.0:4x2xf8E4M3FN"), "needs a constant zero as offset1 for 'f8E4M3FN'");
  EXPECT_EQ(error("4x2xf32", "4x2xf8E4M3FN"), "needs a constant zero as offset1 for 'f8E4M3FN'");
  EXPECT_EQ(error("4x2xf8E5M2", "0.0:4x2xf8E4M3FN"),
            "scales 'f8E4M3FN' by f32, f16 or bf16, not by 'f8E5M2'");
}

// What only a region can get wrong: the error of a graph with `op`, or nothing.
std::string inGraph(const std::string &op, const std::string &result) {
  auto context = makeContext();
  try {
    parse(
        context.get(),
        R"(coreai.graph @main(%x: tensor<2x3xf32> {coreai.name = "x"}, %i: tensor<2x1xsi32> {coreai.name = "i"})
  -> (tensor<)" +
            result + R"(> {coreai.name = "r"}) {
  %axis = coreai.constant dense<1> : tensor<si32>
  %axes = coreai.constant dense<1> : tensor<1xsi32>
  %zero = coreai.constant dense<0.0> : tensor<f32>
  %first = coreai.constant dense<0> : tensor<ui32>
  %r = )" + op +
            "\n  coreai.output %r : tensor<" + result + ">\n}");
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

std::string scatter(const std::string &region) {
  return inGraph("\"coreai.scatter_nd\"(%x, %i, %x) ({\n" + region +
                     "\n}) : (tensor<2x3xf32>, tensor<2x1xsi32>, tensor<2x3xf32>) -> tensor<2x3xf32>",
                 "2x3xf32");
}

TEST(VerifyOps, ReduceRegions) {
  auto reduce = [](const std::string &region) {
    return inGraph("coreai.reduce %x, %axes, init %zero {\n" + region +
                       "\n} : (tensor<2x3xf32>, tensor<1xsi32>, tensor<f32>) -> tensor<2x1xf32>",
                   "2x1xf32");
  };
  EXPECT_EQ(reduce("^bb0(%a: tensor<f32>, %b: tensor<f32>):\ncoreai.yield %b : tensor<f32>"), "");
  EXPECT_NE(reduce("^bb0(%a: tensor<f32>):\ncoreai.yield %a : tensor<f32>").find("has a region of arguments"),
            std::string::npos);
  auto index = [](const std::string &region) {
    return inGraph("coreai.reduce_index %x, %axis, init %zero init_index %first {\n" + region +
                       "\n} : (tensor<2x3xf32>, tensor<si32>, tensor<f32>, tensor<ui32>) -> tensor<2x1xui32>",
                   "2x1xui32");
  };
  const std::string head = "^bb0(%a: tensor<f32>, %p: tensor<ui32>, %b: tensor<f32>, %j: tensor<ui32>):\n";
  EXPECT_EQ(index(head + "coreai.yield %b, %j : tensor<f32>, tensor<ui32>"), "");
  EXPECT_NE(index(head + "coreai.yield %j : tensor<ui32>").find("has a region that yields"),
            std::string::npos);
}

TEST(VerifyOps, ScatterRegion) {
  const std::string head = "^bb0(%a: tensor<f32>, %b: tensor<f32>):\n";
  EXPECT_EQ(scatter(head + "coreai.yield %b : tensor<f32>"), "");
  EXPECT_NE(scatter(head + "%c = coreai.add %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>\n"
                           "coreai.yield %c : tensor<f32>")
                .find("it may only yield its second argument"),
            std::string::npos);
  EXPECT_NE(
      scatter("^bb0(%a: tensor<f32>):\ncoreai.yield %a : tensor<f32>").find("has a region of arguments"),
      std::string::npos);
  EXPECT_NE(
      scatter("^bb0(%a: tensor<f32>, %b: tensor<f16>):\ncoreai.yield %a : tensor<f32>").find("arguments"),
      std::string::npos);
  EXPECT_NE(scatter(head + "coreai.yield %a, %b : tensor<f32>, tensor<f32>").find("has a region that yields"),
            std::string::npos);
  EXPECT_NE(scatter(head + "coreai.yield %a : tensor<f32>").find("it may only yield its second argument"),
            std::string::npos);
}

} // namespace
} // namespace sixrung::ir::test
