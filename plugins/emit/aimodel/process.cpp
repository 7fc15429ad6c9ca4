#include "process.hpp"

#include "../common/interrupt.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <spawn.h>
#include <sys/wait.h>

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

Outcome run(const std::vector<std::string> &arguments, const std::filesystem::path &log) {
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
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
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

std::string tail(const std::filesystem::path &file, size_t bytes) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in)
    return {};
  auto size = static_cast<size_t>(in.tellg());
  size_t from = size > bytes ? size - bytes : 0;
  in.seekg(static_cast<std::streamoff>(from));
  std::string text(size - from, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
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
