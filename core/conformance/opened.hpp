// The plugin as a host opened it: its descriptor, and inits into transactions of its own.
#pragma once

#include "core/conformance/watched_host.hpp"
#include "core/plugin/file.hpp"
#include "core/plugin/transaction.hpp"

#include <memory>
#include <optional>
#include <string>

namespace sixrung::conformance {

// How a call over the boundary came back.
struct Returned {
  bool success = false; // NULL
  std::string thrown;   // what crossed, against ABI-7; empty for nothing
  std::string message;  // of the status
  std::string wild;     // the status is none of the host's; empty when it is
};

class Opened {
public:
  // Judges, opens and checks the file as loading does. Throws Error(kPlugin).
  explicit Opened(const std::string &file);

  const plugin::Manifest &manifest() const { return judged_.manifest; }

  // One init, and the shutdown that is due when it succeeded.
  class Init {
  public:
    Init(const Opened &opened, const sixrung_host *host);
    // What the exception was, empty for none.
    std::string shutDown();

    Returned returned;
    plugin::Transaction transaction;

  private:
    const Opened &opened_;
    const sixrung_host *host_;
    void *state_ = nullptr;
  };

private:
  plugin::JudgedFile judged_;
  sixrung_plugin_descriptor descriptor_{};
};

// Calls `function`, which gives a status; consumes it.
template <typename Function> Returned called(Function &&function);
Returned consumed(sixrung_status *status);
std::string describeCurrentException();

template <typename Function> Returned called(Function &&function) {
  try {
    return consumed(function());
  } catch (...) {
    Returned returned;
    returned.thrown = describeCurrentException();
    return returned;
  }
}

} // namespace sixrung::conformance
