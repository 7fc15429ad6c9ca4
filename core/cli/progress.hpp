// One line on stderr that says what takes so long; nothing at all when stderr is no terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace sixrung::cli {

class Progress {
public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress &) = delete;

  void phase(std::string name);           // "reading model.pt2"
  void update(size_t done, size_t total); // within the phase; redrawn a few times a second
  void clear();

private:
  void draw(const std::string &text);

  bool terminal_;
  bool drawn_ = false;
  std::string name_;
  std::chrono::steady_clock::time_point last_;
};

// Seconds since the last call, or since it was made.
class Stopwatch {
public:
  double lap() {
    auto now = std::chrono::steady_clock::now();
    double seconds = std::chrono::duration<double>(now - start_).count();
    start_ = now;
    return seconds;
  }

private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace sixrung::cli
