#include "core/cli/progress.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace sixrung::cli {

Progress::Progress() {
  const char *term = std::getenv("TERM");
  terminal_ = isatty(STDERR_FILENO) && term && std::strcmp(term, "dumb") != 0;
}

void Progress::phase(std::string name) {
  name_ = std::move(name);
  draw(name_ + " ...");
}

void Progress::update(size_t done, size_t total) {
  auto now = std::chrono::steady_clock::now();
  if (total == 0 || now - last_ < std::chrono::milliseconds(100))
    return;
  draw(fmt::format("{} {:3}% ({} of {} nodes)", name_, done * 100 / total, done, total));
}

void Progress::draw(const std::string &text) {
  if (!terminal_)
    return;
  fmt::print(stderr, "\r\033[K{}", text);
  std::fflush(stderr);
  drawn_ = true;
  last_ = std::chrono::steady_clock::now();
}

void Progress::clear() {
  if (!drawn_)
    return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  drawn_ = false;
}

} // namespace sixrung::cli
