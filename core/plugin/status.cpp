// Status objects: allocated here alone, counted, and known one by one, so that a pointer which is none
// of ours, or no longer, is told from a status and not followed.
#include "core/plugin/crossing.hpp"
#include "core/plugin/slots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <new>
#include <unordered_set>

struct sixrung_status {
  uint32_t code = SIXRUNG_INTERNAL;
  std::string message;
  std::vector<std::pair<std::string, std::string>> payload;
};

namespace sixrung::plugin {
namespace {

constexpr size_t kLongestMessage = size_t{1} << 16;
constexpr size_t kMostPairs = 64;
constexpr std::string_view kCodeKey = "code"; // of an Error that came from a status

struct Live {
  std::mutex mutex;
  std::unordered_set<const sixrung_status *> statuses;
};
// Never destroyed: plugins may release statuses while the process ends.
Live &live() {
  static Live *all = new Live;
  return *all;
}

// What is handed out when there is no memory for another. Not counted; releasing it does nothing.
sixrung_status *outOfMemory() {
  static sixrung_status *status = new sixrung_status{SIXRUNG_INTERNAL, "out of memory", {}};
  return status;
}
// Made while there is memory.
[[maybe_unused]] const sixrung_status *const madeEarly = outOfMemory();

// Any bytes to bounded UTF-8: what is no text is shown as '?'.
std::string sanitized(const char *data, uint64_t size) {
  if (!data)
    return {};
  size_t kept = static_cast<size_t>(std::min<uint64_t>(size, kLongestMessage));
  if (kept < size) // never cut inside a character
    while (kept > 0 && (static_cast<unsigned char>(data[kept]) & 0xC0) == 0x80)
      --kept;
  std::string text(data, kept);
  if (!isUtf8(text))
    for (char &c : text)
      if (static_cast<unsigned char>(c) >= 0x80)
        c = '?';
  return text;
}

sixrung_status *create(uint32_t code, std::string message) noexcept {
  try {
    auto status = std::make_unique<sixrung_status>();
    status->code = code ? code : SIXRUNG_INTERNAL; // 0 would read as success
    status->message = std::move(message);
    std::lock_guard lock(live().mutex);
    live().statuses.insert(status.get());
    return status.release();
  } catch (...) {
    return outOfMemory();
  }
}

bool known(const sixrung_status *status) {
  std::lock_guard lock(live().mutex);
  return live().statuses.count(status) != 0 || status == outOfMemory();
}

void addPair(sixrung_status *status, std::string key, std::string value) {
  if (status != outOfMemory() && status->payload.size() < kMostPairs)
    status->payload.emplace_back(std::move(key), std::move(value));
}

uint32_t codeOf(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::kInvalidInput:
    return SIXRUNG_INVALID_ARGUMENT;
  case ErrorKind::kUnsupported:
    return SIXRUNG_UNSUPPORTED;
  case ErrorKind::kIo:
    return SIXRUNG_IO;
  case ErrorKind::kPlugin:
  case ErrorKind::kInternal:
    break;
  }
  return SIXRUNG_INTERNAL;
}

constexpr std::array<std::string_view, 11> kCodeNames = {
    "OK",           "INVALID_ARGUMENT", "UNSUPPORTED",   "NOT_FOUND",
    "STALE_HANDLE", "TYPE_MISMATCH",    "VERIFY_FAILED", "ALREADY_EXISTS",
    "IO",           "INTERNAL",         "VERSION"};

} // namespace

std::string_view codeName(uint32_t code) {
  return code < kCodeNames.size() ? kCodeNames[code] : std::string_view("UNKNOWN");
}

Error failure(uint32_t code, const std::string &message) {
  Error error(ErrorKind::kPlugin, message);
  error.with(std::string(kCodeKey), std::string(codeName(code)));
  return error;
}

sixrung_status *toStatus(uint32_t code, std::string_view message) {
  try {
    return create(code, sanitized(message.data(), message.size()));
  } catch (...) {
    return outOfMemory();
  }
}

sixrung_status *toStatus(const Error &error) {
  try {
    uint32_t code = codeOf(error.kind());
    for (const auto &[key, value] : error.payload())
      if (key == kCodeKey)
        if (auto it = std::find(kCodeNames.begin() + 1, kCodeNames.end(), value); it != kCodeNames.end())
          code = static_cast<uint32_t>(it - kCodeNames.begin());
    sixrung_status *status = toStatus(code, error.what());
    for (const auto &[key, value] : error.payload())
      if (key != kCodeKey)
        addPair(status, key, value);
    return status;
  } catch (...) {
    return outOfMemory();
  }
}

sixrung_status *currentExceptionToStatus() noexcept {
  try {
    throw;
  } catch (const Error &error) {
    return toStatus(error);
  } catch (const std::bad_alloc &) {
    return outOfMemory();
  } catch (const std::exception &error) {
    return toStatus(SIXRUNG_INTERNAL, error.what());
  } catch (...) {
    return toStatus(SIXRUNG_INTERNAL, "an exception that is no std::exception");
  }
}

void throwIfFailed(sixrung_status *status, ErrorKind kind) {
  if (!status)
    return;
  if (!known(status))
    throw Error(ErrorKind::kPlugin, "the plugin returned a status the host never made, or one it had "
                                    "released before")
        .with("hint", "return what status_create or another host function gave, once");
  Error error(kind, status->message);
  for (auto &[key, value] : status->payload)
    error.with(key, value);
  error.with(std::string(kCodeKey), std::string(codeName(status->code)));
  slots::status_release(status);
  throw error;
}

int64_t liveStatuses() {
  std::lock_guard lock(live().mutex);
  return static_cast<int64_t>(live().statuses.size());
}

namespace slots {

sixrung_status *status_create(uint32_t code, const char *message, uint64_t size) {
  try {
    return create(code, sanitized(message, size));
  } catch (...) {
    return outOfMemory();
  }
}

void status_release(sixrung_status *status) {
  {
    std::lock_guard lock(live().mutex);
    if (live().statuses.erase(status) == 0)
      return; // NULL, the shared one, released before, or never ours
  }
  delete status;
}

void status_add(sixrung_status *status, sixrung_str key, sixrung_str value) {
  try {
    if (known(status))
      addPair(status, sanitized(key.data, key.size), sanitized(value.data, value.size));
  } catch (...) { // a missing detail is better than a lost error
  }
}

uint32_t status_code(const sixrung_status *status) {
  if (!status)
    return 0;
  return known(status) ? status->code : SIXRUNG_STALE_HANDLE;
}

sixrung_str status_message(const sixrung_status *status) {
  if (!status || !known(status))
    return {"", 0};
  return {status->message.data(), status->message.size()};
}

} // namespace slots
} // namespace sixrung::plugin
