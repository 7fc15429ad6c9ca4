// Failing with a sentence about a file.
#pragma once

#include "sixrung/sdk.hpp"

#include <cerrno>
#include <cstring>
#include <string>

namespace sixrung::emit {

[[noreturn]] inline void failIo(const std::string &message, const std::string &hint = {}) {
  fail(SIXRUNG_IO, message, hint);
}

constexpr char kFullHint[] = "make room there, or choose an output on another disk";

[[noreturn]] inline void failIo(const std::string &what, const std::string &path, int error,
                                const std::string &hint = {}) {
  bool full = error == ENOSPC || error == EDQUOT;
  failIo(what + " '" + path + "': " + std::strerror(error), hint.empty() && full ? kFullHint : hint);
}

} // namespace sixrung::emit
