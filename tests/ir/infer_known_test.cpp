// What is known of integers that shape arithmetic computes, and what inference makes of it.
#include "core/ir/builder.hpp"
#include "core/ir/dialect.hpp"
#include "core/ir/infer.hpp"

#include "gtest/gtest.h"

namespace sixrung::ir::test {
namespace {

// The elements of what `lines` name %r, "?" where unknown; "-" when not even their number is known.
std::string known(const std::string &lines, const std::string &type) {
  auto context = makeContext();
  auto module = parse(context.get(), R"(coreai.graph @main(%x: tensor<?x3x4xf32> {coreai.name = "x"},
  %s: tensor<2xsi32> {coreai.name = "s"}, %v: tensor<?xsi32> {coreai.name = "v"}) -> ()" +
                                         type + R"( {coreai.name = "r"}) {
  %zero = coreai.constant dense<0> : tensor<si32>
  %c0 = coreai.constant dense<0> : tensor<1xsi32>
  %c1 = coreai.constant dense<1> : tensor<1xsi32>
  %c2 = coreai.constant dense<2> : tensor<1xsi32>
  %last = coreai.constant dense<-1> : tensor<1xsi32>
)" + lines + "\n  coreai.output %r : " + type +
                                         "\n}");
  mlir::Value result = module->getBody()->front().getRegion(0).front().getTerminator()->getOperand(0);
  std::optional<Integers> values = knownIntegers(result);
  if (!values)
    return "-";
  std::string text;
  for (const std::optional<int64_t> &value : *values)
    text += (text.empty() ? "" : " ") + (value ? std::to_string(*value) : "?");
  return text;
}

TEST(InferKnown, Constants) {
  EXPECT_EQ(known("%r = coreai.constant dense<[3, -1]> : tensor<2xsi32>", "tensor<2xsi32>"), "3 -1");
  EXPECT_EQ(known("%r = coreai.constant dense<7> : tensor<3xui16>", "tensor<3xui16>"), "7 7 7");
  EXPECT_EQ(known("%r = coreai.constant dense<4294967295> : tensor<1xui32>", "tensor<1xui32>"), "4294967295");
  EXPECT_EQ(known("%r = coreai.constant dense<true> : tensor<i1>", "tensor<i1>"), "1");
  EXPECT_EQ(known("%r = coreai.constant dense<1.0> : tensor<2xf32>", "tensor<2xf32>"), "-");
  EXPECT_EQ(known("%r = coreai.constant dense<1> : tensor<1x1xsi32>", "tensor<1x1xsi32>"), "-");
  EXPECT_EQ(known("%r = coreai.reverse %s, %c0 : (tensor<2xsi32>, tensor<1xsi32>) -> tensor<2xsi32>",
                  "tensor<2xsi32>"),
            "? ?");
  EXPECT_EQ(known("%r = coreai.reverse %v, %c0 : (tensor<?xsi32>, tensor<1xsi32>) -> tensor<?xsi32>",
                  "tensor<?xsi32>"),
            "-");
}

TEST(InferKnown, ShapeArithmetic) {
  const std::string shape = "%shape = coreai.get_shape %x : tensor<?x3x4xf32> -> tensor<3xui32>\n"
                            "%i = coreai.cast %shape : tensor<3xui32> to tensor<3xsi32>\n";
  const std::string dim = shape + "%d = coreai.slice %i, %c1, %c2, %c1 : (tensor<3xsi32>, tensor<1xsi32>, "
                                  "tensor<1xsi32>, tensor<1xsi32>) -> tensor<1xsi32>\n";
  EXPECT_EQ(
      known(shape + "%r = coreai.reshape %i, %last : (tensor<3xsi32>, tensor<1xsi32>) -> tensor<3xsi32>",
            "tensor<3xsi32>"),
      "? 3 4");
  EXPECT_EQ(
      known(dim + "%r = coreai.concat %zero, %i, %d, %last : (tensor<si32>, tensor<3xsi32>, tensor<1xsi32>, "
                  "tensor<1xsi32>) -> tensor<5xsi32>",
            "tensor<5xsi32>"),
      "? 3 4 3 -1");
  EXPECT_EQ(known(dim + "%r = coreai.shrink_dims %d, %c0 : (tensor<1xsi32>, tensor<1xsi32>) to tensor<si32>",
                  "tensor<si32>"),
            "3");
}

// Out of range, the constant folder and the runtime disagree about a cast.
TEST(InferKnown, CastsOfWhatFits) {
  EXPECT_EQ(known("%c = coreai.constant dense<[5, -1, 70000]> : tensor<3xsi32>\n"
                  "%r = coreai.cast %c : tensor<3xsi32> to tensor<3xui16>",
                  "tensor<3xui16>"),
            "5 ? ?");
}

TEST(InferKnown, DeepChainsEnd) {
  std::string lines = "%a0 = coreai.constant dense<> : tensor<0xsi32>\n";
  for (int i = 0; i < 60; ++i) // each joins the one before twice
    lines += "%a" + std::to_string(i + 1) + " = coreai.concat %zero, %a" + std::to_string(i) + ", %a" +
             std::to_string(i) + " : (tensor<si32>, tensor<0xsi32>, tensor<0xsi32>) -> tensor<0xsi32>\n";
  EXPECT_EQ(known(lines + "%r = coreai.concat %zero, %a60 : (tensor<si32>, tensor<0xsi32>) -> tensor<0xsi32>",
                  "tensor<0xsi32>"),
            "");
}

} // namespace
} // namespace sixrung::ir::test
