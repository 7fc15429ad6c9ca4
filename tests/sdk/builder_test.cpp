#include "fake_host.hpp"

#include <gtest/gtest.h>

namespace sixrung {
namespace {

class BuilderTest : public testing::Test {
protected:
  test::FakeHost host;
  detail::Context context{host.table(), {1}, nullptr, {}};
  detail::CurrentContext current{&context};
  Builder b{&context};
};

TEST_F(BuilderTest, PythonNumbersPromoteByCategoryAlone) {
  Value half = host.add(context, DType::F16, {3}), whole = host.add(context, DType::SI32, {3});
  Value flag = host.add(context, DType::Bool, {3}), zero = host.add(context, DType::F32, {});
  EXPECT_EQ(b.promote({half, 0.1}), DType::F16);
  EXPECT_EQ(b.promote({half, zero}), DType::F16); // a 0-d tensor of the same category does not count
  EXPECT_EQ(b.promote({whole, zero}), DType::F32);
  EXPECT_EQ(b.promote({whole, 1.5}), DType::F32); // never f16
  EXPECT_EQ(b.promote({flag, 1}), DType::SI32);
  EXPECT_EQ(b.promote({flag, true}), DType::Bool);
  EXPECT_EQ(b.promote({whole, int64_t(1) << 40}), DType::SI64);
  EXPECT_EQ(b.promote({half, whole}), DType::F16);
}

TEST_F(BuilderTest, AHalfTimesAnInexactNumberIsWorkedOutInF32) {
  Value half = host.add(context, DType::F16, {3});
  EXPECT_EQ(b.mul(half, 0.5).dtype(), DType::F16);
  EXPECT_EQ(host.ops, std::vector<std::string>{"coreai.decomposable.broadcasting_mul"});
  host.ops.clear();
  EXPECT_EQ(b.mul(half, 0.1).dtype(), DType::F16);
  EXPECT_EQ(host.ops,
            (std::vector<std::string>{"coreai.cast", "coreai.decomposable.broadcasting_mul", "coreai.cast"}));
}

TEST_F(BuilderTest, EqualStaticShapesNeedNoBroadcast) {
  Value x = host.add(context, DType::F32, {2, 3}), open = host.add(context, DType::F32, {2, kDynamic});
  b.add(x, x);
  b.add(open, open);
  EXPECT_EQ(host.ops, (std::vector<std::string>{"coreai.add", "coreai.decomposable.broadcasting_add"}));
}

TEST_F(BuilderTest, SizesAreConstantsWhereStatic) {
  Value x = host.add(context, DType::F32, {2, 3});
  Shape sizes = b.shape(x);
  EXPECT_TRUE(b.product(sizes).is(6));
  b.vector(sizes);
  EXPECT_TRUE(host.ops.empty());
  Value open = host.add(context, DType::F32, {2, kDynamic, 4});
  Value flat = b.reshape(open, {2, b.mulDims(b.dim(open, 1), 4)});
  EXPECT_EQ(flat.dims(), (Ints{2, kDynamic}));
  EXPECT_EQ(host.ops.back(), "coreai.reshape");
}

TEST_F(BuilderTest, NothingChangesNothingIsBuilt) {
  Value x = host.add(context, DType::F32, {2, 3});
  EXPECT_EQ(b.reshape(x, {2, 3}), x);
  EXPECT_EQ(b.transpose(x, {0, -1}), x);
  EXPECT_EQ(b.cast(x, DType::F32), x);
  EXPECT_EQ(b.sliceAxis(x, 1, 0, INT32_MAX), x);
  EXPECT_TRUE(host.ops.empty());
}

TEST_F(BuilderTest, NullAndStaleValuesAreErrors) {
  EXPECT_THROW(b.exp(Value()), Failure);
  EXPECT_THROW(Value(&context, {77}).dtype(), Failure);
  Value x = host.add(context, DType::F32, {2});
  EXPECT_THROW(x.dim(1), Failure);
  EXPECT_THROW(b.sum(x, {3}), Failure);
  EXPECT_EQ(host.statuses, 0) << "a status leaked";
}

TEST_F(BuilderTest, HalfSpellingsOfAxes) {
  EXPECT_EQ(axisOf(-1, 3), 2);
  EXPECT_EQ(axisOf(-1, 0), 0);
  EXPECT_THROW(axisOf(3, 3), Failure);
  EXPECT_THROW(axisOf(-4, 3), Failure);
}

TEST(Scalars, FitOnlyWithoutRounding) {
  EXPECT_TRUE(Scalar(0.5).fits(DType::F16));
  EXPECT_FALSE(Scalar(0.1).fits(DType::F32));
  EXPECT_FALSE(Scalar(1e5).fits(DType::F16));
  EXPECT_TRUE(Scalar(255).fits(DType::UI8));
  EXPECT_FALSE(Scalar(256).fits(DType::UI8));
  EXPECT_FALSE(Scalar(-129).fits(DType::SI8));
  EXPECT_FALSE(Scalar(1.0).fits(DType::SI32));
}

} // namespace
} // namespace sixrung
