// Gate (d): a plugin that skips the size check is caught by the page behind a shorter table. Real plugins on
// the tables of every minor: tests/core/lower/minors_test.cpp.
#include "tests/abi/truncated_table.hpp"

#include <gtest/gtest.h>
#include <string>

namespace {

using sixrung::test::TruncatedTable;

// A plugin function that asks before it reads.
uint32_t countAvailable(const sixrung_host *host) {
  uint32_t count = 0;
#define SIXRUNG_HOST_FN(since, ret, name, params) count += SIXRUNG_HAS(host, name) ? 1 : 0;
#include "sixrung/host_functions.def"
#undef SIXRUNG_HOST_FN
  return count;
}

// States its need in one sentence when the table is too short.
sixrung_status *careful(const sixrung_host *host) {
  if (SIXRUNG_HAS(host, emission_serialize))
    return nullptr;
  const char text[] = "needs a host with emission_serialize, which is in ABI 1.0";
  return host->status_create(SIXRUNG_VERSION, text, sizeof(text) - 1);
}

bool careless(const sixrung_host *host) { return host->emission_serialize != nullptr; }

TEST(HostTable, ATruncatedOneIsNeverReadBeyondItsSize) {
  for (uint32_t slots = 0; slots <= SIXRUNG_SLOT_COUNT; ++slots)
    EXPECT_EQ(countAvailable(TruncatedTable(slots).table()), slots);
}

TEST(HostTable, APluginSaysWhatItMisses) {
  TruncatedTable old(SIXRUNG_SLOT_emission_serialize);
  sixrung_status *status = careful(old.table());
  ASSERT_NE(status, nullptr);
  EXPECT_EQ(old.table()->status_code(status), SIXRUNG_VERSION);
  sixrung_str message = old.table()->status_message(status);
  EXPECT_NE(std::string(message.data, message.size).find("emission_serialize"), std::string::npos);
  old.table()->status_release(status);
  EXPECT_EQ(careful(TruncatedTable(SIXRUNG_SLOT_COUNT).table()), nullptr);
}

TEST(HostTableDeathTest, APluginThatDoesNotAskIsCaught) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        TruncatedTable old(SIXRUNG_SLOT_emission_serialize);
        std::exit(careless(old.table()) ? 0 : 1);
      },
      "");
}

TEST(HostTable, StatusCreateIsSlotZeroForEver) {
  EXPECT_EQ(SIXRUNG_SLOT_status_create, 0);
  TruncatedTable one(1);
  sixrung_status *status = one.table()->status_create(SIXRUNG_IO, "x", 1);
  ASSERT_NE(status, nullptr);
  sixrung::lower::hostTable()->status_release(status);
}

} // namespace
