// From the C signature of a lowering to a Python callable, and back with its exception.
#pragma once

#include "core/graph/error.hpp"
#include "live_door.hpp"
#include "sixrung/plugin.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace sixrung::python {

// Behind sixrung_lowering::user; lives as long as the session it is registered with.
struct PythonLowering {
  // (Call, fx.Node | None) -> list[ValueId | None], one a result.
  py::object run;
};

// A sixrung_lower_fn. Takes the GIL, which conversions do not hold (ABI-16).
sixrung_status *runPythonLowering(const sixrung_host *host, void *user, sixrung_call call);

// What the conversion running on this thread knows beside the core: its programs, to find fx.Nodes by,
// the exception a Python lowering raised, to be the cause of the error the conversion ends in, and the
// one that ends it as itself.
class ConversionScope {
public:
  explicit ConversionScope(std::vector<std::shared_ptr<LiveProgram>> programs);
  ~ConversionScope();
  ConversionScope(const ConversionScope &) = delete;

  static py::object fxNode(const graph::Node *node);
  static void keep(const py::error_already_set &error, std::string summary);
  // The kept exception, once, when it is behind an error with this message; else None. A plugin may
  // have gone on after the failure of a lowering it called.
  static py::object takeException(const std::string &message);
  // KeyboardInterrupt, SystemExit and their like belong to the caller of the conversion, whatever a
  // plugin made of the failure of the lowering that raised one.
  static bool interrupted();
  static void throwInterrupt(); // does nothing when there is none
  // Between nodes: ends the conversion for such an exception, or for one that a signal handler raises.
  void poll();

private:
  std::vector<std::shared_ptr<LiveProgram>> programs_;
  py::object exception_, interrupt_;
  std::string summary_;
  std::chrono::steady_clock::time_point polled_ = std::chrono::steady_clock::now();
  ConversionScope *outer_;
};

// `error` as Python's type `className` of sixrung.errors, with its hint in the message.
py::object exceptionOf(const Error &error, const char *className);
// Raises that, with `cause`, unless None, as its cause.
[[noreturn]] void raise(const Error &error, const char *className, const py::object &cause);

} // namespace sixrung::python
