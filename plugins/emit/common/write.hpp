// Streaming the program to an open file.
#pragma once

#include "failure.hpp"
#include "interrupt.hpp"

#include <cerrno>
#include <string_view>
#include <unistd.h>

namespace sixrung::emit {

inline void writeAll(std::string_view bytes, int descriptor, const std::string &shown) {
  while (!bytes.empty()) {
    if (InterruptGuard::interrupted())
      failIo("interrupted while writing '" + shown + "'");
    constexpr size_t kMost = size_t{1} << 30; // a single write beyond 2 GiB fails on some systems
    ssize_t wrote = write(descriptor, bytes.data(), std::min(bytes.size(), kMost));
    if (wrote < 0 && errno == EINTR)
      continue;
    if (wrote < 0)
      failIo("cannot write", shown, errno);
    bytes.remove_prefix(static_cast<size_t>(wrote));
  }
}

// Weights pass through in pieces as the host hands them; nothing is gathered here.
inline void serializeTo(Emission &emission, uint32_t format, int descriptor, const std::string &shown) {
  emission.serialize(format, [&](std::string_view bytes) { writeAll(bytes, descriptor, shown); });
}

} // namespace sixrung::emit
