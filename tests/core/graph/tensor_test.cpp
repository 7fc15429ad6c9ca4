#include "core/graph/error.hpp"
#include "core/graph/program.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <numeric>

using namespace sixrung;
using namespace sixrung::graph;

namespace {

struct Ints {
  std::vector<int32_t> values;
  TensorData tensor(std::vector<int64_t> sizes, std::vector<int64_t> strides, int64_t offset = 0) const {
    TensorData data;
    data.dtype = DType::kSI32;
    data.sizes = std::move(sizes);
    data.strides = std::move(strides);
    data.data = reinterpret_cast<const std::byte *>(values.data() + offset);
    data.extent = (values.size() - static_cast<size_t>(offset)) * 4;
    return data;
  }
};

Ints range(int n) {
  Ints ints{std::vector<int32_t>(static_cast<size_t>(n))};
  std::iota(ints.values.begin(), ints.values.end(), 0);
  return ints;
}

std::vector<int32_t> packed(const TensorData &tensor) {
  auto bytes = pack(tensor);
  std::vector<int32_t> out(bytes.size() / 4);
  if (!out.empty())
    std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

using Values = std::vector<int32_t>;

} // namespace

TEST(TensorData, Contiguity) {
  auto ints = range(6);
  EXPECT_TRUE(ints.tensor({2, 3}, {3, 1}).isContiguous());
  EXPECT_TRUE(ints.tensor({2, 1, 3}, {3, 77, 1}).isContiguous()); // the stride of one element means nothing
  EXPECT_FALSE(ints.tensor({3, 2}, {1, 3}).isContiguous());
  EXPECT_FALSE(ints.tensor({2, 3}, {0, 1}).isContiguous());
  EXPECT_TRUE(ints.tensor({}, {}).isContiguous());
  EXPECT_TRUE(ints.tensor({0, 5}, {9, 9}).isContiguous());
  EXPECT_EQ(ints.tensor({2, 3}, {3, 1}).elementCount(), 6);
  EXPECT_EQ(ints.tensor({0, int64_t{1} << 62, 8}, {1, 1, 1}).elementCount(), 0);
  EXPECT_THROW(ints.tensor({int64_t{1} << 62, 8}, {1, 1}).elementCount(), Error);
}

TEST(Pack, FollowsStrides) {
  auto ints = range(6);
  EXPECT_EQ(packed(ints.tensor({2, 3}, {3, 1})), (Values{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(packed(ints.tensor({3, 2}, {1, 3})), (Values{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(packed(ints.tensor({2, 3}, {0, 1})), (Values{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(packed(ints.tensor({3}, {2}, 1)), (Values{1, 3, 5}));
  EXPECT_EQ(packed(ints.tensor({2, 2}, {1, 1}, 1)), (Values{1, 2, 2, 3})); // overlapping windows
  EXPECT_EQ(packed(ints.tensor({}, {}, 4)), (Values{4}));
  EXPECT_EQ(packed(ints.tensor({0}, {1})), (Values{}));
}

TEST(Pack, RefusesWhatIsNotThere) {
  auto ints = range(6);
  EXPECT_THROW(pack(ints.tensor({7}, {1})), Error);
  EXPECT_THROW(pack(ints.tensor({2, 4}, {3, 1})), Error);
  EXPECT_THROW(pack(ints.tensor({2}, {-1})), Error);
  EXPECT_THROW(pack(ints.tensor({-2}, {1})), Error);
  EXPECT_THROW(pack(ints.tensor({2}, {})), Error);
  EXPECT_THROW(pack(ints.tensor({3}, {INT64_MAX})), Error);
  EXPECT_THROW(pack(ints.tensor({int64_t{1} << 40, int64_t{1} << 40}, {0, 0})), Error);
  TensorData none = ints.tensor({1}, {1});
  none.data = nullptr;
  EXPECT_THROW(pack(none), Error);
  TensorData untyped = ints.tensor({1}, {1});
  untyped.dtype = DType::kNone;
  EXPECT_THROW(pack(untyped), Error);
}

TEST(IsInside, IsWhatPackAccepts) {
  auto ints = range(6);
  EXPECT_TRUE(isInside(ints.tensor({2, 3}, {3, 1})));
  EXPECT_TRUE(isInside(ints.tensor({0}, {5})));
  EXPECT_TRUE(isInside(ints.tensor({1000, 1000}, {0, 0})));
  EXPECT_FALSE(isInside(ints.tensor({2, 4}, {3, 1})));
  EXPECT_FALSE(isInside(ints.tensor({-1}, {1})));
  EXPECT_FALSE(isInside(ints.tensor({2}, {-1})));
  EXPECT_FALSE(isInside(ints.tensor({int64_t{1} << 40, int64_t{1} << 40}, {0, 0})));
  EXPECT_FALSE(isInside(ints.tensor(std::vector<int64_t>(65, 1), std::vector<int64_t>(65, 1))));
}
