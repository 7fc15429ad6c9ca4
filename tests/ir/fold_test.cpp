// Shape arithmetic disappears; its numbers are the runtime's.
#include "tests/ir/support.hpp"

#include <cmath>
#include <limits>

namespace sixrung::ir::test {
namespace {

struct Fold : testing::Test {
  Fixture f;
  std::unique_ptr<GraphBuilder> graph =
      f.graph({f.port("x", f.type(DType::kF32, {2, 3, 4})), f.port("d", f.type(DType::kF32, {-1, 3}))});
  GraphBuilder &b = *graph;

  Value ints(std::vector<int32_t> values) { return vector<int32_t>(f, b, DType::kSI32, values); }
  std::vector<int32_t> of(Value value) { return elements<int32_t>(b, value); }
  template <typename T> std::vector<T> cast(Value value, DType to) {
    auto from = mlir::cast<mlir::RankedTensorType>(value.getType());
    return elements<T>(b, build(b, "coreai.cast", {value}, {f.type(to, from.getShape().vec())}));
  }
};

TEST_F(Fold, ShapesOfStaticTensors) {
  EXPECT_EQ(elements<uint32_t>(b, build(b, "coreai.get_shape", {b.argument(0)})),
            (std::vector<uint32_t>{2, 3, 4}));
  EXPECT_FALSE(b.constantBytes(build(b, "coreai.get_shape", {b.argument(1)})));
}

TEST_F(Fold, CastsSaturate) {
  EXPECT_EQ(cast<uint32_t>(ints({-1, 7}), DType::kUI32), (std::vector<uint32_t>{0, 7}));
  EXPECT_EQ(cast<int8_t>(ints({300, -300, 5}), DType::kSI8), (std::vector<int8_t>{127, -128, 5}));
  Value floats = vector<float>(f, b, DType::kF32, {3e9f, -3e9f, std::nanf(""), -1.9f, INFINITY, 2.5f});
  EXPECT_EQ(cast<int32_t>(floats, DType::kSI32),
            (std::vector<int32_t>{INT32_MAX, INT32_MIN, 0, -1, INT32_MAX, 2}));
  EXPECT_EQ(cast<uint8_t>(floats, DType::kUI8), (std::vector<uint8_t>{255, 0, 0, 0, 255, 2}));
  EXPECT_EQ(cast<uint8_t>(vector<float>(f, b, DType::kF32, {0.0f, -0.0f, std::nanf(""), 0.1f}), DType::kBool),
            (std::vector<uint8_t>{0, 0, 1, 1}));
  EXPECT_EQ(cast<float>(ints({16777217, -2}), DType::kF32), (std::vector<float>{16777216.0f, -2.0f}));
  Value wide = vector<int64_t>(f, b, DType::kSI64, {INT64_MAX, INT64_MIN, -5});
  EXPECT_EQ(cast<int32_t>(wide, DType::kSI32), (std::vector<int32_t>{INT32_MAX, INT32_MIN, -5}));
  EXPECT_EQ(cast<uint64_t>(wide, DType::kUI64),
            (std::vector<uint64_t>{static_cast<uint64_t>(INT64_MAX), 0, 0}));
  Value huge = vector<uint64_t>(f, b, DType::kUI64, {UINT64_MAX, 3});
  EXPECT_EQ(cast<int64_t>(huge, DType::kSI64), (std::vector<int64_t>{INT64_MAX, 3}));
  EXPECT_EQ(cast<uint16_t>(vector<float>(f, b, DType::kF32, {1.0f, 65520.0f}), DType::kF16),
            (std::vector<uint16_t>{0x3C00, 0x7C00}));
  EXPECT_EQ(cast<int32_t>(vector<char>(f, b, DType::kBool, {1, 0}), DType::kSI32),
            (std::vector<int32_t>{1, 0}));
}

TEST_F(Fold, LargeConstantsStay) {
  Value edge = ints(std::vector<int32_t>(65536, 3)), beyond = ints(std::vector<int32_t>(65537, 3));
  EXPECT_EQ(of(build(b, "coreai.add", {edge, edge})), std::vector<int32_t>(65536, 6));
  EXPECT_FALSE(b.constantBytes(build(b, "coreai.add", {beyond, beyond})));
  // Floats, of which a cast would make a second copy, sooner.
  std::vector<int32_t> many(65);
  for (int i = 0; i < 65; ++i)
    many[i] = i;
  EXPECT_FALSE(b.constantBytes(build(b, "coreai.cast", {ints(many)}, {f.type(DType::kF32, {65})})));
  many.pop_back();
  EXPECT_TRUE(b.constantBytes(build(b, "coreai.cast", {ints(many)}, {f.type(DType::kF32, {64})})));
}

TEST_F(Fold, IntegerArithmetic) {
  auto op = [&](std::string name, Value l, Value r) { return of(build(b, name, {l, r})); };
  EXPECT_EQ(op("coreai.add", ints({1, INT32_MAX}), ints({2, 1})), (std::vector<int32_t>{3, INT32_MIN}));
  EXPECT_EQ(op("coreai.sub", ints({1, 5}), ints({2, 1})), (std::vector<int32_t>{-1, 4}));
  EXPECT_EQ(op("coreai.maximum", ints({-1, 5}), ints({2, 1})), (std::vector<int32_t>{2, 5}));
  EXPECT_EQ(op("coreai.minimum", ints({-1, 5}), ints({2, 1})), (std::vector<int32_t>{-1, 1}));
  EXPECT_EQ(op("coreai.floor_divide", ints({-7, 7, -8, 7}), ints({2, -2, 2, 2})),
            (std::vector<int32_t>{-4, -4, -4, 3}));
  EXPECT_EQ(op("coreai.decomposable.broadcasting_mul", ints({2, 3}), scalar<int32_t>(f, b, DType::kSI32, 4)),
            (std::vector<int32_t>{8, 12}));
  int32_t columns[] = {10, 20};
  Value column =
      b.constant(f.type(DType::kSI32, {2, 1}), {reinterpret_cast<const char *>(columns), sizeof columns});
  EXPECT_EQ(op("coreai.decomposable.broadcasting_add", column, ints({1, 2, 3})),
            (std::vector<int32_t>{11, 12, 13, 21, 22, 23}));
  Value large = vector<uint32_t>(f, b, DType::kUI32, {UINT32_MAX}),
        two = vector<uint32_t>(f, b, DType::kUI32, {2});
  EXPECT_EQ(elements<uint32_t>(b, build(b, "coreai.maximum", {large, two})),
            (std::vector<uint32_t>{UINT32_MAX}));
  EXPECT_EQ(elements<uint32_t>(b, build(b, "coreai.floor_divide", {large, two})),
            (std::vector<uint32_t>{INT32_MAX}));
}

TEST_F(Fold, WhatWouldEndTheRuntimeStays) {
  EXPECT_FALSE(b.constantBytes(build(b, "coreai.floor_divide", {ints({1}), ints({0})})));
  EXPECT_FALSE(b.constantBytes(build(b, "coreai.floor_divide", {ints({INT32_MIN}), ints({-1})})));
}

TEST_F(Fold, FloatArithmeticStays) {
  Value one = vector<float>(f, b, DType::kF32, {1});
  EXPECT_FALSE(b.constantBytes(build(b, "coreai.add", {one, one})));
}

TEST_F(Fold, SlicesAndConcatenationsOfShapes) {
  Value shape = ints({2, 3, 4, 5});
  auto slice = [&](int32_t start, int32_t end, int32_t stride) {
    return build(b, "coreai.slice", {shape, ints({start}), ints({end}), ints({stride})});
  };
  EXPECT_EQ(of(slice(1, 3, 1)), (std::vector<int32_t>{3, 4}));
  EXPECT_EQ(of(slice(-2, INT32_MAX, 1)), (std::vector<int32_t>{4, 5}));
  EXPECT_EQ(of(slice(0, 4, 2)), (std::vector<int32_t>{2, 4}));
  EXPECT_EQ(of(slice(0, -1, 1)), (std::vector<int32_t>{2, 3, 4}));
  EXPECT_EQ(slice(0, INT32_MAX, 1), shape); // all of it
  Value axis = scalar<int32_t>(f, b, DType::kSI32, 0);
  EXPECT_EQ(of(build(b, "coreai.concat", {axis, slice(0, 1, 1), ints({9}), slice(3, 4, 1)})),
            (std::vector<int32_t>{2, 9, 5}));
  EXPECT_EQ(build(b, "coreai.concat", {axis, b.argument(0)}), b.argument(0));
}

TEST_F(Fold, OtherShapesOfTheSameElements) {
  Value one = ints({7});
  Value scalar = build(b, "coreai.reshape", {one, vector<int32_t>(f, b, DType::kSI32, {})});
  EXPECT_EQ(scalar.getType(), f.type(DType::kSI32, {}));
  EXPECT_EQ(of(scalar), (std::vector<int32_t>{7}));
  EXPECT_EQ(build(b, "coreai.shrink_dims", {one, ints({0})}), scalar);
  EXPECT_EQ(build(b, "coreai.expand_dims", {scalar, ints({0})}), one);
}

TEST_F(Fold, SmallRanges) {
  auto at = [&](int32_t value) { return scalar<int32_t>(f, b, DType::kSI32, value); };
  EXPECT_EQ(of(build(b, "coreai.range", {at(5), at(-2), at(-3)})), (std::vector<int32_t>{5, 2, -1}));
  EXPECT_EQ(of(build(b, "coreai.range", {at(0), at(1), at(1)})), (std::vector<int32_t>{0}));
  EXPECT_FALSE(b.constantBytes(build(b, "coreai.range", {at(0), at(65537), at(1)})));
}

TEST_F(Fold, SplatsMovedAboutAreSplats) {
  float two = 2;
  Value twos = b.splat(f.type(DType::kF32, {1, 300}), {reinterpret_cast<const char *>(&two), 4});
  Value wide = build(b, "coreai.broadcast_to", {twos, vector<uint32_t>(f, b, DType::kUI32, {7, 300})});
  EXPECT_EQ(wide.getType(), f.type(DType::kF32, {7, 300}));
  EXPECT_EQ(elements<float>(b, wide), std::vector<float>(2100, 2));
  Value turned = build(b, "coreai.transpose", {wide, vector<uint32_t>(f, b, DType::kUI32, {1, 0})});
  EXPECT_EQ(turned.getType(), f.type(DType::kF32, {300, 7}));
  EXPECT_TRUE(b.constantBytes(turned));
  EXPECT_FALSE(b.constantBytes(
      build(b, "coreai.broadcast_to", {b.argument(0), vector<uint32_t>(f, b, DType::kUI32, {5, 2, 3, 4})})));
}

TEST_F(Fold, NeutralConstants) {
  auto i = f.graph({f.port("i", f.type(DType::kSI32, {-1, 3})), f.port("m", f.type(DType::kBool, {2})),
                    f.port("x", f.type(DType::kF32, {2}))},
                   "neutral");
  auto op = [&](std::string name, Value l, Value r) {
    return build(*i, std::string("coreai.decomposable.broadcasting_") + name, {l, r});
  };
  auto at = [&](int32_t value) { return scalar<int32_t>(f, *i, DType::kSI32, value); };
  Value n = i->argument(0), m = i->argument(1), x = i->argument(2);
  EXPECT_EQ(op("add", n, at(0)), n);
  EXPECT_EQ(op("add", at(0), n), n);
  EXPECT_EQ(op("sub", n, at(0)), n);
  EXPECT_NE(op("sub", at(0), n), n);
  EXPECT_EQ(op("mul", at(1), n), n);
  EXPECT_EQ(op("floor_divide", n, at(1)), n);
  EXPECT_NE(op("floor_divide", at(1), n), n);
  EXPECT_NE(op("add", n, at(1)), n);
  // The constant may widen a dim that is 1 at run time.
  EXPECT_NE(op("add", n, i->splat(f.type(DType::kSI32, {2, 3}), {"\0\0\0\0", 4})), n);
  EXPECT_EQ(op("bitwise_and", m, scalar<char>(f, *i, DType::kBool, 1)), m);
  EXPECT_NE(op("bitwise_and", m, scalar<char>(f, *i, DType::kBool, 0)), m);
  EXPECT_EQ(op("or", scalar<char>(f, *i, DType::kBool, 0), m), m);
  EXPECT_EQ(op("mul", x, scalar<float>(f, *i, DType::kF32, 1)), x);
  EXPECT_EQ(op("divide", x, scalar<float>(f, *i, DType::kF32, 1)), x);
  EXPECT_NE(op("add", x, scalar<float>(f, *i, DType::kF32, 0)), x); // -0.0 + 0.0 is 0.0
}

TEST_F(Fold, OpsThatChangeNothingGiveTheirOperand) {
  Value x = b.argument(0);
  EXPECT_EQ(build(b, "coreai.reshape", {x, ints({2, 3, 4})}), x);
  EXPECT_EQ(build(b, "coreai.broadcast_to", {x, vector<uint32_t>(f, b, DType::kUI32, {2, 3, 4})}), x);
  Value zero = ints({0, 0, 0}), end = ints({INT32_MAX, INT32_MAX, INT32_MAX}), one = ints({1, 1, 1});
  EXPECT_EQ(build(b, "coreai.slice", {x, zero, end, one}), x);
  // A transposition may change the order of elements under the same type.
  Value square =
      build(b, "coreai.transpose",
            {build(b, "coreai.reshape", {x, ints({1, 24})}), vector<uint32_t>(f, b, DType::kUI32, {1, 0})});
  EXPECT_TRUE(square.getDefiningOp());
}

} // namespace
} // namespace sixrung::ir::test
