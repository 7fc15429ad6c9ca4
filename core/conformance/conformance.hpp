// The conformance suite of the plugin ABI (gate j): what an author runs on a finished library.
#pragma once

#include "core/graph/program.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace sixrung::conformance {

enum class Outcome { kPass, kFail, kNotRun };

struct Check {
  std::string name; // "exports", "lowers acme::gate.default"
  Outcome outcome = Outcome::kPass;
  std::string detail; // what was seen, or why it failed or was not run
  std::string remedy; // what to do; empty when it passed
};

// A program the plugin's keys are tried on.
struct Sample {
  std::string file;
  std::shared_ptr<const graph::Program> program;
};

struct Options {
  std::vector<Sample> samples;
  std::chrono::milliseconds timeout{60'000}; // of each check
};

struct Report {
  std::string file; // canonical
  std::string id, version;
  std::string built; // "Linux x86_64", "macOS arm64"; empty when it is no shared library
  bool native = false;
  std::vector<Check> checks;
  size_t count(Outcome outcome) const;
};

// Looks at the file first, then runs it: each check that runs code of the plugin does so in a process of
// its own, so that one which crashes or hangs is a failed check. Throws Error(kPlugin) for a file that
// cannot be read.
Report check(const std::string &file, const Options &options = {});

} // namespace sixrung::conformance
