// The host's table with a watch in every slot, and tables as older hosts had them.
#pragma once

#include "sixrung/plugin.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sixrung::conformance {

// What happens to the calls a plugin makes on this thread through watchedHost().
struct Watch {
  uint64_t calls = 0;               // that can fail
  uint64_t failed = 0;              // of them, by themselves or on purpose
  uint64_t failAt = 0;              // the call to fail, counted from 1; 0 for none
  bool addsOnly = false;            // count and fail calls of add_lowering and its kin alone
  std::string_view failedOnPurpose; // the function behind `failAt`, once it was called
};

// Begins to watch this thread; ends with the object.
class Watching {
public:
  explicit Watching(Watch &watch);
  ~Watching();
  Watching(const Watching &) = delete;
};

// As the real table, and every call that gives a status is told to the thread's watch first.
const sixrung_host *watchedHost();

// The table a host of ABI 1.`minor` had: its last byte is the last of readable memory, so that reading a
// slot beyond it is a crash (gate d).
class OldHost {
public:
  explicit OldHost(uint32_t minor);
  ~OldHost();
  OldHost(const OldHost &) = delete;
  const sixrung_host *table() const { return table_; }

private:
  size_t page_;
  char *memory_;
  const sixrung_host *table_;
};

} // namespace sixrung::conformance
