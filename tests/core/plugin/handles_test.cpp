// ABI-8: stale and forged handles are told from live ones.
#include "core/plugin/handles.hpp"

#include <gtest/gtest.h>

#include <random>
#include <thread>

namespace sixrung::plugin {
namespace {

TEST(Handles, LiveStaleAndReused) {
  HandleTable<int> table;
  uint64_t first = table.insert(1);
  EXPECT_NE(first, 0u);
  EXPECT_NE(first >> 32, 0u);
  EXPECT_EQ(table.find(first), 1);
  EXPECT_TRUE(table.erase(first));
  EXPECT_FALSE(table.erase(first));
  EXPECT_EQ(table.find(first), std::nullopt);
  uint64_t second = table.insert(2);
  EXPECT_EQ(static_cast<uint32_t>(second), static_cast<uint32_t>(first)) << "the slot is used again";
  EXPECT_NE(first, second);
  EXPECT_EQ(table.find(first), std::nullopt);
  EXPECT_EQ(table.find(second), 2);
  EXPECT_EQ(table.live(), 1u);
}

TEST(Handles, ManySlots) {
  HandleTable<uint64_t> table;
  std::vector<uint64_t> ids;
  for (uint64_t i = 0; i < 10'000; ++i)
    ids.push_back(table.insert(i));
  for (uint64_t i = 0; i < ids.size(); ++i)
    ASSERT_EQ(table.find(ids[i]), i);
}

TEST(Handles, ForgedIds) {
  HandleTable<int> table;
  uint64_t id = table.insert(1);
  std::mt19937_64 random(1);
  for (uint64_t forged : {uint64_t{0}, ~uint64_t{0}, id + 1, id ^ (uint64_t{1} << 32), id & 0xFFFFFFFF}) {
    EXPECT_EQ(table.find(forged), std::nullopt);
    EXPECT_FALSE(table.erase(forged));
  }
  for (int i = 0; i < 100'000; ++i) {
    uint64_t forged = random();
    EXPECT_TRUE(forged == id || !table.find(forged));
  }
  EXPECT_EQ(table.find(id), 1);
}

TEST(Handles, LargerValues) {
  struct Pair {
    void *pointer;
    uint32_t index;
  };
  HandleTable<Pair> table;
  int here = 0;
  uint64_t id = table.insert({&here, 7});
  EXPECT_EQ(table.find(id)->pointer, &here);
  EXPECT_EQ(table.find(id)->index, 7u);
}

// A reader never sees another tenant's value under its own id.
TEST(Handles, ReadersBesideWriters) {
  struct Twice {
    uint64_t a, b;
  };
  HandleTable<Twice> table;
  std::atomic<uint64_t> published{table.insert({0, 0})};
  std::atomic<bool> stop{false};
  std::thread reader([&] {
    while (!stop)
      if (auto value = table.find(published.load())) {
        ASSERT_EQ(value->a, value->b);
      }
  });
  for (uint64_t i = 1; i < 20'000; ++i) {
    uint64_t old = published.load();
    table.erase(old);
    published = table.insert({i, i});
  }
  stop = true;
  reader.join();
}

} // namespace
} // namespace sixrung::plugin
