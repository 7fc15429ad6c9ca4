// Positions and masks that are known when the graph is built: tests/e2e/ops/test_constants.py compares the
// same with the runtime.
#include "tests/ir/support.hpp"

namespace sixrung::ir::test {
namespace {

struct FoldConstants : testing::Test {
  Fixture f;
  std::unique_ptr<GraphBuilder> graph =
      f.graph({f.port("x", f.type(DType::kF32, {2, 3})), f.port("d", f.type(DType::kF32, {-1, 3}))});
  GraphBuilder &b = *graph;

  template <typename T> Value tensor(DType dtype, std::vector<int64_t> dims, std::vector<T> values) {
    return b.constant(f.type(dtype, std::move(dims)),
                      {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T)});
  }
  Value ints(std::vector<int64_t> dims, std::vector<int32_t> values) {
    return tensor<int32_t>(DType::kSI32, std::move(dims), std::move(values));
  }
  Value vec(std::vector<int32_t> values) { return vector<int32_t>(f, b, DType::kSI32, values); }
  Value at(int32_t value) { return scalar<int32_t>(f, b, DType::kSI32, value); }
  Value truths(std::vector<int64_t> dims, std::vector<char> values) {
    return tensor<char>(DType::kBool, std::move(dims), std::move(values));
  }
  std::vector<int32_t> of(Value value) { return elements<int32_t>(b, value); }
  std::vector<char> truthsOf(Value value) { return elements<char>(b, value); }
  Value wide(std::string name, Value l, Value r) {
    return build(b, "coreai.decomposable.broadcasting_" + name, {l, r});
  }
};

using Bools = std::vector<char>;
using Ints = std::vector<int32_t>;

TEST_F(FoldConstants, Comparisons) {
  Value row = ints({1, 3}, {-1, 0, 1}), column = ints({2, 1}, {0, -1});
  EXPECT_EQ(truthsOf(wide("greater", row, column)), (Bools{0, 0, 1, 0, 1, 1}));
  EXPECT_EQ(truthsOf(wide("equal", row, column)), (Bools{0, 1, 0, 1, 0, 0}));
  EXPECT_EQ(truthsOf(wide("not_equal", row, column)), (Bools{1, 0, 1, 0, 1, 1}));
  Value large = vector<uint64_t>(f, b, DType::kUI64, {UINT64_MAX, 1}),
        small = vector<uint64_t>(f, b, DType::kUI64, {1, UINT64_MAX});
  EXPECT_EQ(truthsOf(build(b, "coreai.greater", {large, small})), (Bools{1, 0}));
}

TEST_F(FoldConstants, Logic) {
  Value p = truths({2, 1}, {1, 0}), q = truths({3}, {0, 1, 0});
  EXPECT_EQ(truthsOf(wide("bitwise_and", p, q)), (Bools{0, 1, 0, 0, 0, 0}));
  EXPECT_EQ(truthsOf(wide("bitwise_or", p, q)), (Bools{1, 1, 1, 0, 1, 0}));
  EXPECT_EQ(truthsOf(wide("bitwise_xor", p, q)), (Bools{1, 0, 1, 0, 1, 0}));
  EXPECT_EQ(truthsOf(build(b, "coreai.not", {q})), (Bools{1, 0, 1}));
  EXPECT_EQ(of(wide("bitwise_and", vec({12, -1}), at(10))), (Ints{8, 10}));
}

TEST_F(FoldConstants, ArithmeticWrapsAtItsOwnWidth) {
  Value bytes = vector<int8_t>(f, b, DType::kSI8, {127, -128, 100});
  EXPECT_EQ(elements<int8_t>(b, build(b, "coreai.add", {bytes, bytes})), (std::vector<int8_t>{-2, 0, -56}));
  Value shorts = vector<uint16_t>(f, b, DType::kUI16, {65535, 2}),
        two = vector<uint16_t>(f, b, DType::kUI16, {2, 3});
  EXPECT_EQ(elements<uint16_t>(b, build(b, "coreai.mul", {shorts, two})), (std::vector<uint16_t>{65534, 6}));
  EXPECT_EQ(elements<uint16_t>(b, build(b, "coreai.sub", {two, shorts})), (std::vector<uint16_t>{3, 1}));
  Value longs = vector<int64_t>(f, b, DType::kSI64, {INT64_MAX}),
        one = vector<int64_t>(f, b, DType::kSI64, {1});
  EXPECT_EQ(elements<int64_t>(b, build(b, "coreai.add", {longs, one})), (std::vector<int64_t>{INT64_MIN}));
}

TEST_F(FoldConstants, Choices) {
  Value condition = truths({3}, {1, 0, 1}), x = b.argument(0), d = b.argument(1);
  EXPECT_EQ(of(build(b, "coreai.decomposable.broadcasting_where", {condition, ints({2, 1}, {1, 2}), at(9)})),
            (Ints{1, 9, 1, 2, 9, 2}));
  float zero = 0;
  Value number = scalar<float>(f, b, DType::kF32, zero);
  auto choose = [&](char truth, Value yes, Value no) {
    return build(b, "coreai.decomposable.broadcasting_where",
                 {truths({1, 3}, {truth, truth, truth}), yes, no});
  };
  EXPECT_EQ(choose(1, x, number), x);
  EXPECT_EQ(choose(0, number, x), x);
  EXPECT_NE(choose(0, x, number), number); // not of the result's shape
  EXPECT_NE(choose(1, d, x), d);           // whose first dim may be 1, and the result's 2
}

TEST_F(FoldConstants, ElementsPicked) {
  Value m = ints({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(of(build(b, "coreai.slice", {m, vec({0, -2}), vec({INT32_MAX, INT32_MAX}), vec({1, 1})})),
            (Ints{2, 3, 5, 6}));
  EXPECT_EQ(of(build(b, "coreai.slice", {m, vec({1, 0}), vec({2, 3}), vec({1, 2})})), (Ints{4, 6}));
  EXPECT_EQ(of(build(b, "coreai.gather_nd", {m, ints({2, 1}, {-1, 0})})), (Ints{4, 5, 6, 1, 2, 3}));
  EXPECT_EQ(of(build(b, "coreai.gather_nd", {m, ints({2, 2}, {0, -1, 1, 0})})), (Ints{3, 4}));
  EXPECT_EQ(of(build(b, "coreai.gather_along_axis", {m, ints({2, 1}, {2, -3}), at(-1)})), (Ints{3, 4}));
  EXPECT_EQ(of(build(b, "coreai.gather_along_axis", {m, ints({1, 3}, {1, 0, 1}), at(0)})), (Ints{4, 2, 6}));
  // Out of range is an error of the runtime's, and stays one.
  EXPECT_FALSE(b.constantBytes(build(b, "coreai.gather_nd", {m, ints({1, 1}, {2})})));
  EXPECT_FALSE(b.constantBytes(build(b, "coreai.gather_along_axis", {m, ints({1, 3}, {0, 0, -3}), at(0)})));
}

TEST_F(FoldConstants, ElementsMoved) {
  Value m = ints({2, 3}, {1, 2, 3, 4, 5, 6}), order = vector<uint32_t>(f, b, DType::kUI32, {1, 0});
  EXPECT_EQ(of(build(b, "coreai.transpose", {m, order})), (Ints{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(of(build(b, "coreai.broadcast_to",
                     {ints({2, 1}, {7, 8}), vector<uint32_t>(f, b, DType::kUI32, {2, 2})})),
            (Ints{7, 7, 8, 8}));
  EXPECT_EQ(of(build(b, "coreai.concat", {at(1), m, ints({2, 1}, {8, 9})})), (Ints{1, 2, 3, 8, 4, 5, 6, 9}));
  EXPECT_EQ(of(build(b, "coreai.concat", {at(-2), m, ints({1, 3}, {7, 8, 9})})),
            (Ints{1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST_F(FoldConstants, SumsAndTruths) {
  Value m = ints({2, 3}, {1, 2, 3, INT32_MAX, 1, 6});
  auto sum = [&](uint32_t axis, char reverse) {
    return b
        .build(
            "coreai.scan",
            {m, scalar<uint32_t>(f, b, DType::kUI32, axis), scalar<char>(f, b, DType::kBool, reverse)},
            {f.attribute("scan_op", mlir::IntegerAttr::get(mlir::IntegerType::get(f.context.get(), 32), 0))})
        .front();
  };
  EXPECT_EQ(of(sum(1, 0)), (Ints{1, 3, 6, INT32_MAX, INT32_MIN, INT32_MIN + 6}));
  EXPECT_EQ(of(sum(0, 0)), (Ints{1, 2, 3, INT32_MIN, 3, 9}));
  EXPECT_FALSE(b.constantBytes(sum(1, 1)));
  Value t = truths({2, 3}, {0, 0, 1, 0, 0, 0});
  EXPECT_EQ(truthsOf(build(b, "coreai.any", {t, vec({1})})), (Bools{1, 0}));
  EXPECT_EQ(truthsOf(build(b, "coreai.all", {t, vec({0})})), (Bools{0, 0, 0}));
  EXPECT_EQ(truthsOf(build(b, "coreai.any", {t, vec({0, -1})})), (Bools{1}));
}

TEST_F(FoldConstants, ResultsWithoutElements) {
  Value none = build(b, "coreai.slice", {b.argument(0), vec({0, 5}), vec({2, INT32_MAX}), vec({1, 1})});
  EXPECT_EQ(none.getType(), f.type(DType::kF32, {2, 0}));
  EXPECT_TRUE(b.constantBytes(none));
  EXPECT_TRUE(b.constantBytes(build(b, "coreai.sin", {none})));
}

TEST_F(FoldConstants, BeyondWhatStandsInTheText) {
  std::vector<int32_t> many(700);
  for (int i = 0; i < 700; ++i)
    many[i] = i;
  Value big = vec(many);
  EXPECT_EQ(of(build(b, "coreai.slice", {big, vec({698}), vec({700}), vec({1})})), (Ints{698, 699}));
  Value mask = wide("greater", big, at(698));
  EXPECT_EQ(truthsOf(build(b, "coreai.any", {mask, vec({0})})), (Bools{1}));
  EXPECT_EQ(truthsOf(build(b, "coreai.all", {build(b, "coreai.not", {mask}), vec({0})})), (Bools{0}));
}

} // namespace
} // namespace sixrung::ir::test
