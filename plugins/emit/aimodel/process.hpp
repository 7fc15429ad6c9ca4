// Running another program and waiting for it: its whole output in a file, its end in words.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sixrung::emit {

struct Outcome {
  bool started = false;
  int startError = 0; // errno, when it could not be started
  int exitCode = -1;  // when it ended by itself
  int signal = 0;     // when a signal ended it

  bool ok() const { return started && signal == 0 && exitCode == 0; }
  std::string describe() const; // "exited with code 3", "was ended by signal 6 (Aborted)"
};

// stdin is empty; stdout and stderr are appended to `log`. Interrupts reach it too.
Outcome run(const std::vector<std::string> &arguments, const std::filesystem::path &log);

// The last lines of a text file, at most `bytes`.
std::string tail(const std::filesystem::path &file, size_t bytes = 2000);

// Another program's words under a sentence of ours: "; it said:" and the lines indented, or nothing.
std::string quoted(const std::string &words);

} // namespace sixrung::emit
