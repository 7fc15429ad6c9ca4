#include "core/cli/report.hpp"

#include "core/graph/spelling.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <set>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sixrung::cli {

namespace {

struct Report {
  Exit code = kInternal;
  std::string message;
  std::vector<std::pair<std::string, std::string>> payload;
};

Report currentError() {
  try {
    throw;
  } catch (const Error &error) {
    return {exitFor(error.kind()), error.what(), error.payload()};
  } catch (const UsageError &error) {
    Report report{kUsage, error.what(), {}};
    if (!error.hint.empty())
      report.payload.emplace_back("hint", error.hint);
    return report;
  } catch (const std::bad_alloc &) {
    return {kInternal, "out of memory", {}};
  } catch (const std::exception &error) {
    return {kInternal, error.what(), {}};
  } catch (...) {
    return {kInternal, "an exception of unknown type", {}};
  }
}

bool colored() {
  const char *term = std::getenv("TERM");
  return isatty(STDERR_FILENO) && !std::getenv("NO_COLOR") && term && std::strcmp(term, "dumb") != 0;
}

const char *errorWord() { return colored() ? "\033[1;31merror:\033[0m" : "error:"; }

// "  key:    first line" with the other lines below it.
void appendDetail(std::string &out, std::string_view key, std::string_view text) {
  constexpr size_t kColumn = 10;
  out += fmt::format("  {:<{}}", fmt::format("{}:", key), kColumn - 2);
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    if (at > 0)
      out.append(kColumn, ' ');
    out.append(text.substr(at, end - at));
    out += '\n';
    at = end + 1;
  }
}

// Where first, then the cause, and what to do at the end, where the eye is. Said twice on the way up,
// told once; the code of a status is for programs.
std::string block(const Report &report) {
  std::string out = report.message;
  while (!out.empty() && out.back() == '\n')
    out.pop_back();
  out += '\n';
  std::set<std::pair<std::string, std::string>> told;
  for (bool hints : {false, true})
    for (const auto &[key, text] : report.payload)
      if ((key == "hint") == hints && key != "code" && !text.empty() && told.emplace(key, text).second)
        appendDetail(out, key, text);
  if (report.code == kInternal)
    appendDetail(out, "hint", "this is a defect of sixrung: please report it with the file and the command");
  return out;
}

} // namespace

Exit reportCurrentError(bool json) {
  Report report = currentError();
  if (json) {
    Json details = Json::object();
    for (const auto &[key, text] : report.payload) {
      Json &place = details[key];
      if (!place.is_string())
        place = text;
      else if (place.get<std::string>() != text)
        place = place.get<std::string>() + "\n" + text;
    }
    Json error = {{"kind", exitName(report.code)},
                  {"exit_code", static_cast<int>(report.code)},
                  {"message", report.message},
                  {"details", std::move(details)}};
    fmt::print("{}\n", Json{{"error", std::move(error)}}.dump(2, ' ', false, Json::error_handler_t::replace));
    std::fflush(stdout);
    return report.code;
  }
  std::fflush(stdout);
  fmt::print(stderr, "{}error:{} {}", colored() ? "\033[1;31m" : "", colored() ? "\033[0m" : "",
             graph::printable(block(report)));
  return report.code;
}

void warn(std::string_view text) { fmt::print(stderr, "warning: {}\n", graph::printable(text)); }
void complain(std::string_view text) { fmt::print(stderr, "{} {}\n", errorWord(), graph::printable(text)); }

static void write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw Error(ErrorKind::kIo, fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

void printText(std::string_view text) { write(graph::printable(text)); }

void printJson(const Json &json) { write(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"); }

} // namespace sixrung::cli
