// Checks in a process of their own: a crash is a failed check, a hang ends with the timeout.
#pragma once

#include "core/conformance/conformance.hpp"

#include <functional>

namespace sixrung::conformance {

struct ChildResult {
  std::vector<Check> checks;
  std::vector<std::string> words; // what else the child found out
  int64_t leaked = 0;             // statuses made there and never released
  bool finished = false;          // false when it crashed or hung: `checks` is then the one that says so
};

// Runs `body` in a forked process. When that does not come to its end, the result is the failed check `name`
// with this remedy.
ChildResult runInChild(const std::string &name, const std::string &remedy, std::chrono::milliseconds timeout,
                       const std::function<ChildResult()> &body);

} // namespace sixrung::conformance
