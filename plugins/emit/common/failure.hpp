// What an emitter throws: a code of the ABI, a sentence, and what to do about it.
#pragma once

#include "sixrung/plugin.h"

#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace sixrung::emit {

class Failure : public std::runtime_error {
public:
  Failure(uint32_t code, const std::string &message, std::string hint = {})
      : std::runtime_error(message), code(code), hint(std::move(hint)) {}

  uint32_t code;
  std::string hint;
  std::string cause; // another program's own words
};

inline Failure ioFailure(const std::string &what, const std::string &path, int error, std::string hint = {}) {
  return Failure(SIXRUNG_IO, what + " '" + path + "': " + std::strerror(error), std::move(hint));
}

// An error that came from the host crosses our frames as it is.
struct HostFailure {
  sixrung_status *status;
};

inline sixrung_str str(const std::string &text) { return {text.data(), text.size()}; }

inline void check(sixrung_status *status) {
  if (status)
    throw HostFailure{status};
}

// Runs `body` and turns whatever it throws into a status: no exception crosses (ABI-7).
template <typename Body> sixrung_status *guarded(const sixrung_host *host, Body &&body) noexcept {
  try {
    body();
    return nullptr;
  } catch (const HostFailure &failure) {
    return failure.status;
  } catch (const Failure &failure) {
    sixrung_status *status = host->status_create(failure.code, failure.what(), std::strlen(failure.what()));
    if (!failure.cause.empty())
      host->status_add(status, {"cause", 5}, str(failure.cause));
    if (!failure.hint.empty())
      host->status_add(status, {"hint", 4}, str(failure.hint));
    return status;
  } catch (const std::exception &failure) {
    return host->status_create(SIXRUNG_INTERNAL, failure.what(), std::strlen(failure.what()));
  } catch (...) {
    static constexpr char kUnknown[] = "an exception of unknown type";
    return host->status_create(SIXRUNG_INTERNAL, kUnknown, sizeof kUnknown - 1);
  }
}

} // namespace sixrung::emit
