#include "tests/ir/infer_harness.hpp"

namespace sixrung::ir::test {
namespace {

TEST(InferElementwise, UnaryKeepsItsType) {
  expectTypes({
      {"abs", {"2x3xsi32"}, "2x3xsi32"},
      {"exp", {"2x?xcomplex<f32>"}, "2x?xcomplex<f32>"},
      {"not", {"i1"}, "i1"},
      {"gelu", {"2x3xbf16"}, "2x3xbf16"},
      {"sigmoid", {"2x3xf8E4M3FN"}, "2x3xf8E4M3FN"},
  });
}

TEST(InferElementwise, BinaryOperandsAreAlike) {
  expectTypes({
      {"add", {"2x3xf32", "2x3xf32"}, "2x3xf32"},
      {"maximum", {"?x3xsi8", "?x3xsi8"}, "?x3xsi8"},
      {"greater", {"2x3xf32", "2x3xf32"}, "2x3xi1"},
      {"equal", {"?x3xf32", "2x?xf32"}, "2x3xi1"},
      {"xor", {"i1", "i1"}, "i1"},
  });
  expectErrors({
      {"add",
       {"2x3xf32", "3xf32"},
       "the shapes 2x3 and 3 must be equal; coreai.decomposable.broadcasting_add "},
      {"add", {"2x3xf32", "f32"}, "the shapes 2x3 and scalar must be equal"},
      {"divide", {"2x3xf32", "f32"}, "coreai.decomposable.broadcasting_divide broadcasts"},
      {"mul", {"2x3xf32", "2x4xf32"}, "the shapes 2x3 and 2x4 must be equal"},
      {"sub", {"?x3xf32", "2x3xf32"}, "coreai.cast makes them so"},
      {"pow",
       {"2x3xf32", "2x3xf16"},
       "operands 0 and 1 must have one element type, not 'f32' and 'f16'; coreai.cast "},
      {"add", {"2x3xf32"}, "takes 2 operands, not 1"},
      {"add", {}, "takes 2 operands, not 0"},
      {"add", {"*xf32", "2xf32"}, "operand 0 must be a ranked tensor"},
  });
}

TEST(InferElementwise, BroadcastingJoinsShapes) {
  const std::string add = "decomposable.broadcasting_add";
  expectTypes({
      {add, {"2x3xf32", "3xf32"}, "2x3xf32"},
      {add, {"3xf32", "2x3xf32"}, "2x3xf32"},
      {add, {"2x1xf32", "1x3xf32"}, "2x3xf32"},
      {add, {"f32", "f32"}, "f32"},
      {add, {"f32", "2x?xf32"}, "2x?xf32"},
      {add, {"4x1x3xf32", "2x1xf32"}, "4x2x3xf32"},
      {add, {"0x3xf32", "1x3xf32"}, "0x3xf32"},
      {add, {"?x3xf32", "2x1xf32"}, "2x3xf32"}, // the unknown one is 1 or 2
      {add, {"?x3xf32", "1x3xf32"}, "?x3xf32"},
      {add, {"?xf32", "?xf32"}, "?xf32"},
      {"decomposable.broadcasting_greater", {"2x1xsi32", "5xsi32"}, "2x5xi1"},
      {"decomposable.broadcasting_where", {"2x1xi1", "3xf32", "4x1x1xf32"}, "4x2x3xf32"},
  });
  expectErrors({
      {add, {"2x3xf32", "2xf32"}, "the shapes 2x3 and 2 do not broadcast"},
      {add, {"0x3xf32", "2x3xf32"}, "do not broadcast"},
      {add, {"2xf32", "2xsi32"}, "one element type"},
      {"decomposable.broadcasting_where", {"5xi1", "3xf32", "f32"}, "do not broadcast"},
      {"decomposable.broadcasting_where", {"3xi1", "3xf32", "3xf16"}, "one element type"},
  });
}

TEST(InferElementwise, Where) {
  expectTypes({
      {"where", {"2x3xi1", "2x3xf32", "2x3xf32"}, "2x3xf32"},
      {"where", {"2x?xi1", "?x3xf32", "?x3xf32"}, "2x3xf32"},
  });
  expectErrors({
      {"where", {"2xi1", "2x3xf32", "2x3xf32"}, "must be equal"},
      {"where", {"2x3xi1", "2x3xf32", "?x3xf32"}, "coreai.cast makes them so"},
  });
}

TEST(InferElementwise, Complex) {
  expectTypes({
      {"create_complex", {"2x3xf32", "2x3xf32"}, "2x3xcomplex<f32>"},
      {"real_part", {"?xcomplex<f32>"}, "?xf32"},
      {"imaginary_part", {"complex<f32>"}, "f32"},
  });
  expectErrors({
      {"create_complex", {"2xf16", "2xf16"}, "must be f32"},
      {"real_part", {"2xf32"}, "takes a complex tensor"},
  });
}

TEST(InferElementwise, RangeCountsItsSteps) {
  expectTypes({
      {"range", {"0:si32", "7:si32", "3:si32"}, "3xsi32"},
      {"range", {"5:si32", "0:si32", "-2:si32"}, "3xsi32"},
      {"range", {"0:si32", "0:si32", "1:si32"}, "0xsi32"},
      {"range", {"3:si32", "1:si32", "1:si32"}, "0xsi32"},
      {"range", {"-9223372036854775808:si64", "-9223372036854775807:si64", "1:si64"}, "1xsi64"},
      {"range", {"0.0:f32", "1.0:f32", "0.25:f32"}, "4xf32"},
      {"range", {"0.0:f16", "2.0:f16", "1.0:f16"}, "2xf16"},
      {"range", {"0.0:f32", "1.0:f32", "0.1:f32"}, "10xf32"},
      // 11 in single precision, as the runtime counts, and 12 in double.
      {"range", {"0.0:f32", "0.19908395:f32", "0.01809854:f32"}, "?xf32"},
      {"range", {"si32", "7:si32", "1:si32"}, "?xsi32"},
  });
  expectErrors({
      {"range", {"0:si32", "7:si32", "0:si32"}, "the step must not be 0"},
      {"range", {"0.0:f32", "7.0:f32", "0.0:f32"}, "the step must not be 0"},
      {"range", {"0:si32", "7:si32", "1:si64"}, "one element type"},
  });
}

} // namespace
} // namespace sixrung::ir::test
