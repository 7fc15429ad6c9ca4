#include "core/conformance/child.hpp"

#include "core/graph/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sixrung::conformance {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr size_t kMostBytes = size_t{4} << 20;

std::string encoded(const ChildResult &result) {
  Json checks = Json::array();
  for (const Check &check : result.checks)
    checks.push_back({check.name, static_cast<int>(check.outcome), check.detail, check.remedy});
  return Json{{"checks", std::move(checks)}, {"words", result.words}, {"leaked", result.leaked}}.dump(
      -1, ' ', false, Json::error_handler_t::replace);
}

// False for anything else than what `encoded` wrote: the child ended on its way, or wrote there itself.
bool decode(const std::string &text, ChildResult &result) try {
  Json json = Json::parse(text);
  for (const Json &check : json["checks"])
    result.checks.push_back({check[0], static_cast<Outcome>(check[1].get<int>()), check[2], check[3]});
  result.words = json["words"].get<std::vector<std::string>>();
  result.leaked = json["leaked"];
  result.finished = true;
  return true;
} catch (const Json::exception &) {
  result = {};
  return false;
}

[[noreturn]] void runBody(int results, int said, const std::function<ChildResult()> &body) {
  ::fcntl(results, F_SETFD, FD_CLOEXEC);
  ::setpgid(0, 0); // what the plugin starts ends with it
  rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
    std::signal(signal, SIG_DFL); // no handler of the host tells its own story
  ::dup2(said, STDOUT_FILENO);
  ::dup2(said, STDERR_FILENO);
  std::string text;
  try {
    text = encoded(body());
  } catch (const std::exception &error) { // the checks catch what they expect
    std::fprintf(stderr, "%s\n", error.what());
    std::fflush(nullptr);
    ::_exit(1);
  }
  for (size_t done = 0; done < text.size();) {
    ssize_t n = ::write(results, text.data() + done, text.size() - done);
    if (n < 0 && errno != EINTR)
      break;
    done += n > 0 ? static_cast<size_t>(n) : 0;
  }
  std::fflush(nullptr);
  ::_exit(0); // exit handlers of plugins and libraries are not under test
}

// The last line that says something.
std::string lastLine(const std::string &text) {
  size_t end = text.find_last_not_of("\n\r ");
  if (end == text.npos)
    return {};
  size_t begin = text.find_last_of('\n', end);
  std::string line =
      text.substr(begin == text.npos ? 0 : begin + 1, end - (begin == text.npos ? 0 : begin + 1) + 1);
  for (char &c : line)
    if (static_cast<unsigned char>(c) < 0x20)
      c = ' ';
  return line.size() > 300 ? line.substr(0, 300) + "..." : line;
}

Check failed(const std::string &name, const std::string &remedy, const std::string &why,
             const std::string &said) {
  std::string line = lastLine(said);
  return {name, Outcome::kFail, line.empty() ? why : fmt::format("{}; it said: {}", why, line), remedy};
}

} // namespace

ChildResult runInChild(const std::string &name, const std::string &remedy, std::chrono::milliseconds timeout,
                       const std::function<ChildResult()> &body) {
  int results[2], said[2];
  if (::pipe(results) != 0 || ::pipe(said) != 0)
    throw Error(ErrorKind::kIo, fmt::format("cannot open a pipe: {}", std::strerror(errno)));
  std::fflush(nullptr);
  pid_t child = ::fork();
  if (child < 0)
    throw Error(ErrorKind::kIo, fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (child == 0) {
    ::close(results[0]);
    ::close(said[0]);
    runBody(results[1], said[1], body);
  }
  ::setpgid(child, child);
  ::close(results[1]);
  ::close(said[1]);

  std::array<std::string, 2> texts;
  std::array<pollfd, 2> polled{pollfd{results[0], POLLIN, 0}, pollfd{said[0], POLLIN, 0}};
  Clock::time_point end = Clock::now() + timeout;
  bool late = false;
  // The end of `results` is the end of the child; a process the plugin left behind may hold the other open.
  while (polled[0].fd >= 0 && !late) {
    auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    late = left <= 0;
    if (late || (::poll(polled.data(), 2, static_cast<int>(left)) < 0 && errno != EINTR))
      break;
    for (size_t i = 0; i < 2; ++i) {
      if (polled[i].fd < 0 || !(polled[i].revents & (POLLIN | POLLHUP | POLLERR)))
        continue;
      char buffer[65536];
      ssize_t n = ::read(polled[i].fd, buffer, sizeof buffer);
      if (n <= 0) {
        polled[i].fd = -1;
        continue;
      }
      texts[i].append(buffer, static_cast<size_t>(n));
      if (texts[i].size() > kMostBytes)
        texts[i].erase(0, texts[i].size() - kMostBytes / 2);
    }
  }
  if (late)
    ::kill(-child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  ::kill(-child, SIGKILL); // what it left behind
  // What it said last may still lie in the pipe.
  ::fcntl(said[0], F_SETFL, O_NONBLOCK);
  char buffer[65536];
  for (ssize_t n; texts[1].size() < kMostBytes && (n = ::read(said[0], buffer, sizeof buffer)) > 0;)
    texts[1].append(buffer, static_cast<size_t>(n));
  ::close(results[0]);
  ::close(said[0]);

  ChildResult result;
  if (late)
    result.checks = {failed(
        name, remedy, fmt::format("still running after {} s", std::chrono::duration<double>(timeout).count()),
        texts[1])};
  else if (WIFSIGNALED(status))
    result.checks = {failed(
        name, remedy, fmt::format("crashed: signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status))),
        texts[1])};
  else if (!decode(texts[0], result))
    result.checks = {failed(name, remedy,
                            fmt::format("the process ended early, with exit code {}", WEXITSTATUS(status)),
                            texts[1])};
  return result;
}

} // namespace sixrung::conformance
