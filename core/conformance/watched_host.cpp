#include "core/conformance/watched_host.hpp"

#include "core/lower/session.hpp"
#include "core/plugin/registry.hpp"

#include <cstring>
#include <new>
#include <string_view>
#include <sys/mman.h>
#include <type_traits>
#include <unistd.h>

namespace sixrung::conformance {
namespace {

thread_local Watch *watch = nullptr; // of this thread; sessions run on their own (ABI-16)

constexpr bool isAdd(std::string_view name) { return name.starts_with("add_"); }

template <uint32_t slot, auto member> struct Watched;

template <uint32_t slot, class Result, class... Arguments, Result (*sixrung_host::*member)(Arguments...)>
struct Watched<slot, member> {
  static constexpr std::string_view kNames[] = {
#define SIXRUNG_HOST_FN(since, ret, name, params) #name,
#include "sixrung/host_functions.def"
#undef SIXRUNG_HOST_FN
  };
  static constexpr bool kCanFail =
      std::is_same_v<Result, sixrung_status *> && slot != SIXRUNG_SLOT_status_create &&
      slot != SIXRUNG_SLOT_constant_view && // owns its bytes from the call on, on failure too
      slot != SIXRUNG_SLOT_call_remark;     // a remark that is lost loses nothing

  static Result call(Arguments... arguments) {
    const sixrung_host *host = lower::hostTable();
    if constexpr (kCanFail) {
      if (watch && (!watch->addsOnly || isAdd(kNames[slot]))) {
        Watch &seen = *watch;
        ++seen.calls;
        bool onPurpose = seen.calls == seen.failAt;
        if (onPurpose)
          seen.failedOnPurpose = kNames[slot];
        sixrung_status *status = onPurpose
                                     ? plugin::toStatus(SIXRUNG_INTERNAL, "failed on purpose by plugin check")
                                     : (host->*member)(arguments...);
        seen.failed += status != nullptr;
        return status;
      }
    }
    return (host->*member)(arguments...);
  }
};

constexpr uint32_t slotsOf(uint32_t minor) {
  uint32_t slots = 0;
#define SIXRUNG_HOST_FN(since, ret, name, params) slots += minor + 1 > since ? 1 : 0;
#include "sixrung/host_functions.def"
#undef SIXRUNG_HOST_FN
  return slots;
}

} // namespace

Watching::Watching(Watch &seen) { watch = &seen; }
Watching::~Watching() { watch = nullptr; }

const sixrung_host *watchedHost() {
  static const sixrung_host table = [] {
    sixrung_host watched = *lower::hostTable();
#define SIXRUNG_HOST_FN(since, ret, name, params)                                                            \
  watched.name = &Watched<SIXRUNG_SLOT_##name, &sixrung_host::name>::call;
#include "sixrung/host_functions.def"
#undef SIXRUNG_HOST_FN
    return watched;
  }();
  return &table;
}

OldHost::OldHost(uint32_t minor) : page_(static_cast<size_t>(::sysconf(_SC_PAGESIZE))) {
  uint32_t size = 16 + 8 * slotsOf(minor);
  void *memory = ::mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  memory_ = static_cast<char *>(memory);
  ::mprotect(memory_ + page_, page_, PROT_NONE);
  char *start = memory_ + page_ - size;
  std::memcpy(start, watchedHost(), size);
  uint32_t head[3] = {size, SIXRUNG_ABI_MAJOR, minor};
  std::memcpy(start, head, sizeof head);
  ::mprotect(memory_, page_, PROT_READ); // the host's own, which nobody writes
  table_ = reinterpret_cast<const sixrung_host *>(start);
}

OldHost::~OldHost() { ::munmap(memory_, 2 * page_); }

} // namespace sixrung::conformance
