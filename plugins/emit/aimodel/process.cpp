#include "process.hpp"

#include "../common/failure.hpp"
#include "../common/interrupt.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <crt_externs.h>
#define environ (*_NSGetEnviron())
#else
extern char **environ;
#endif

namespace sixrung::emit {

std::string Outcome::describe() const {
  if (!started)
    return std::string("could not be started: ") + std::strerror(startError);
  if (signal)
    return "was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  if (exitCode < 0)
    return "ended in a way that cannot be told: this process ignores SIGCHLD";
  return "exited with code " + std::to_string(exitCode);
}

Outcome run(const std::vector<std::string> &arguments, const Log &log) {
  std::vector<char *> argv;
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);

  // The working folder must not be able to stand in for a package (PYTHONSAFEPATH, Python 3.11).
  std::string safePath = "PYTHONSAFEPATH=1";
  std::vector<char *> environment;
  for (char **entry = environ; *entry; ++entry)
    if (std::strncmp(*entry, "PYTHONSAFEPATH=", 15) != 0)
      environment.push_back(*entry);
  environment.push_back(safePath.data());
  environment.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, log.descriptor(), 1);
  posix_spawn_file_actions_adddup2(&actions, log.descriptor(), 2);
  pid_t pid = 0;
  Outcome outcome;
  outcome.startError = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (outcome.startError != 0)
    return outcome;
  outcome.started = true;

  InterruptGuard::forwardTo(pid);
  if (InterruptGuard::interrupted()) // it came before there was anybody to pass it on to
    kill(pid, SIGTERM);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) {
      // The system reaped it where SIGCHLD is ignored: its end is unknown, so it counts as failed.
      InterruptGuard::forwardTo(0);
      return outcome;
    }
  InterruptGuard::forwardTo(0);
  if (WIFSIGNALED(status))
    outcome.signal = WTERMSIG(status);
  else
    outcome.exitCode = WEXITSTATUS(status);
  return outcome;
}

Log::Log(const std::filesystem::path &file) : descriptor_(-1) {
#if defined(__linux__)
  descriptor_ = memfd_create("sixrung-log", MFD_CLOEXEC);
#endif
  if (descriptor_ < 0)
    descriptor_ = open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor_ < 0)
    failIo("cannot write", file.string(), errno);
}

Log::~Log() { close(descriptor_); }

std::string Log::tail(size_t bytes) const {
  off_t size = lseek(descriptor_, 0, SEEK_END);
  if (size <= 0)
    return {};
  off_t from = std::max<off_t>(0, size - static_cast<off_t>(bytes));
  std::string text(static_cast<size_t>(size - from), '\0');
  ssize_t got = pread(descriptor_, text.data(), text.size(), from);
  text.resize(got > 0 ? static_cast<size_t>(got) : 0);
  if (from > 0) // begin at a whole line
    text.erase(0, text.find('\n') == std::string::npos ? 0 : text.find('\n') + 1);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
    text.pop_back();
  return text;
}

std::string quoted(const std::string &words) {
  if (words.empty())
    return {};
  std::string out = "; it said:\n  ";
  for (char c : words) {
    out += c;
    if (c == '\n')
      out += "  ";
  }
  return out;
}

} // namespace sixrung::emit
