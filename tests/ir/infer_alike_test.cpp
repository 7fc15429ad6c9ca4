// Casts that the builder puts around ops of which Core AI takes the inferred types only.
#include "tests/ir/support.hpp"

namespace sixrung::ir::test {
namespace {

size_t count(const std::string &text, const std::string &part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST(InferAlike, OperandsAreCast) {
  Fixture f;
  auto b = f.graph({f.port("x", f.type(DType::kF32, {-1, 3})), f.port("y", f.type(DType::kF32, {2, -1})),
                    f.port("z", f.type(DType::kF32, {2, 3})), f.port("c", f.type(DType::kBool, {2, 3}))});
  Value x = b->argument(0), y = b->argument(1), z = b->argument(2);
  Value axis = scalar<int32_t>(f, *b, DType::kSI32, 1);
  Value sum = build(*b, "coreai.add", {x, y});
  Value joined = build(*b, "coreai.concat", {axis, x, y, z});
  Value chosen = build(*b, "coreai.where", {b->argument(3), x, z});
  EXPECT_EQ(sum.getType(), f.type(DType::kF32, {2, 3}));
  EXPECT_EQ(joined.getType(), f.type(DType::kF32, {2, -1}));
  EXPECT_EQ(chosen.getType(), f.type(DType::kF32, {2, 3}));
  b->finish({sum, joined, chosen}, {"a", "b", "c"});
  std::string text = f.text();
  EXPECT_EQ(count(text, "coreai.cast"), 2u) << text; // x and y once each: y is alike for concat
}

TEST(InferAlike, ContradictionsAreLeftToTheVerifier) {
  Fixture f;
  auto b = f.graph({f.port("x", f.type(DType::kF32, {-1, 3})), f.port("y", f.type(DType::kF32, {2, 4}))});
  EXPECT_TRUE(contains(
      messageOf(ErrorKind::kUnsupported, [&] { build(*b, "coreai.add", {b->argument(0), b->argument(1)}); }),
      "the shapes ?x3 and 2x4 must be equal"));
}

TEST(InferAlike, ResultsAreCast) {
  Fixture f;
  auto b = f.graph({f.port("x", f.type(DType::kF32, {-1, 3}))});
  mlir::Type known = f.type(DType::kF32, {2, 3}), unknown = f.type(DType::kF32, {-1, 3});
  Value relu = build(*b, "coreai.relu", {b->argument(0)}, {known});
  Value sigmoid = build(*b, "coreai.sigmoid", {b->argument(0)}, {known}); // takes what it is given
  Value cosine = build(*b, "coreai.cos", {relu}, {unknown});
  EXPECT_EQ(relu.getType(), known);
  EXPECT_EQ(sigmoid.getType(), known);
  EXPECT_EQ(cosine.getType(), unknown);
  b->finish({relu, sigmoid, cosine}, {"a", "b", "c"});
  std::string text = f.text();
  EXPECT_EQ(count(text, "coreai.cast"), 2u) << text;
  EXPECT_TRUE(contains(text, "coreai.relu %arg0 : (tensor<?x3xf32>) -> tensor<?x3xf32>")) << text;
  EXPECT_TRUE(contains(text, "coreai.sigmoid %arg0 : (tensor<?x3xf32>) -> tensor<2x3xf32>")) << text;
}

} // namespace
} // namespace sixrung::ir::test
