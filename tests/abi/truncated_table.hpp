// A host table as an older minor had it, ending where memory ends: whoever reads a slot beyond its size
// touches the unreadable page behind it.
#pragma once

#include "core/lower/session.hpp"
#include "sixrung/plugin.h"

#include <cstring>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace sixrung::test {

class TruncatedTable {
public:
  // The first `slots` slots of this host's table, said to be of `minor`.
  explicit TruncatedTable(uint32_t slots, uint32_t minor = SIXRUNG_ABI_MINOR)
      : page_(static_cast<size_t>(::sysconf(_SC_PAGESIZE))) {
    size_t size = 16 + 8 * size_t{slots};
    memory_ = static_cast<char *>(
        ::mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (memory_ == MAP_FAILED)
      throw std::bad_alloc();
    ::mprotect(memory_ + page_, page_, PROT_NONE);
    char *start = memory_ + page_ - size;
    std::memcpy(start, lower::hostTable(), size);
    uint32_t head[3] = {static_cast<uint32_t>(size), SIXRUNG_ABI_MAJOR, minor};
    std::memcpy(start, head, sizeof head);
    table_ = reinterpret_cast<const sixrung_host *>(start);
  }
  // As a host of ABI 1.`minor` has it.
  static TruncatedTable of(uint32_t minor) { return TruncatedTable(slotsOf(minor), minor); }
  ~TruncatedTable() { ::munmap(memory_, 2 * page_); }
  TruncatedTable(const TruncatedTable &) = delete;

  const sixrung_host *table() const { return table_; }

private:
  static uint32_t slotsOf(uint32_t minor) {
    constexpr uint32_t kSince[] = {
#define SIXRUNG_HOST_FN(since, ret, name, params) since,
#include "sixrung/host_functions.def"
#undef SIXRUNG_HOST_FN
    };
    uint32_t count = 0;
    for (uint32_t since : kSince)
      count += since <= minor ? 1 : 0;
    return count;
  }

  size_t page_;
  char *memory_;
  const sixrung_host *table_;
};

} // namespace sixrung::test
