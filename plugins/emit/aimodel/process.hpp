// Running another program and waiting for it: its whole output in a log, its end in words.
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

// What other programs say. In memory where the system has such files: the reason may be that the disk is
// full.
class Log {
public:
  explicit Log(const std::filesystem::path &file); // written where it has none
  ~Log();
  Log(const Log &) = delete;

  int descriptor() const { return descriptor_; }
  // The last lines, at most `bytes`.
  std::string tail(size_t bytes = 2000) const;

private:
  int descriptor_;
};

// stdin is empty; stdout and stderr are appended to `log`. Interrupts reach it too.
Outcome run(const std::vector<std::string> &arguments, const Log &log);

// Another program's words under a sentence of ours: "; it said:" and the lines indented, or nothing.
std::string quoted(const std::string &words);

} // namespace sixrung::emit
