// Gates (c) and (d): host tables as older minors had them, each ending where memory ends. Reading a slot
// beyond the given size touches the unreadable page behind it.
#include "core/lower/session.hpp"
#include "sixrung/plugin.h"

#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace {

// A copy of the first `slots` slots of the host's table, its last byte the last of a readable page.
class TruncatedTable {
public:
  explicit TruncatedTable(uint32_t slots) : page_(static_cast<size_t>(::sysconf(_SC_PAGESIZE))) {
    size_t size = 16 + 8 * size_t{slots};
    memory_ = static_cast<char *>(
        ::mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (memory_ == MAP_FAILED)
      throw std::bad_alloc();
    ::mprotect(memory_ + page_, page_, PROT_NONE);
    char *start = memory_ + page_ - size;
    std::memcpy(start, sixrung::lower::hostTable(), size);
    uint32_t given = static_cast<uint32_t>(size);
    std::memcpy(start, &given, sizeof(given));
    table_ = reinterpret_cast<const sixrung_host *>(start);
  }
  ~TruncatedTable() { ::munmap(memory_, 2 * page_); }
  TruncatedTable(const TruncatedTable &) = delete;

  const sixrung_host *table() const { return table_; }

private:
  size_t page_;
  char *memory_;
  const sixrung_host *table_;
};

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
