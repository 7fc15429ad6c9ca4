// Failing with a sentence about a file.
#pragma once

#include "sixrung/sdk.hpp"

#include <cstring>
#include <string>

namespace sixrung::emit {

[[noreturn]] inline void failIo(const std::string &message, const std::string &hint = {}) {
  fail(SIXRUNG_IO, message, hint);
}

[[noreturn]] inline void failIo(const std::string &what, const std::string &path, int error,
                                const std::string &hint = {}) {
  failIo(what + " '" + path + "': " + std::strerror(error), hint);
}

} // namespace sixrung::emit
