// Exit codes: part of the interface, told by --help and docs/cli.md.
#pragma once

#include "core/graph/error.hpp"

#include <string_view>

namespace sixrung::cli {

enum Exit : int {
  kOk = 0,
  kRefused = 1,  // the program is well formed, but something in it cannot be converted
  kUsage = 2,    // the command line
  kBadInput = 3, // a .pt2 or deployment file is malformed, or does not fit the names given
  kPlugin = 4,   // a plugin was refused, clashed or failed
  kIo = 5,       // reading or writing failed
  kInternal = 70,
};

constexpr std::string_view kExitCodesHelp =
    "Exit codes:\n"
    "  0   done\n"
    "  1   something in the program cannot be converted\n"
    "  2   wrong usage of the command line\n"
    "  3   a malformed .pt2 or deployment file, or names that do not fit it\n"
    "  4   a plugin was refused, clashed with another, or failed\n"
    "  5   reading or writing failed\n"
    "  70  an error of sixrung itself\n"
    "Interrupted by a signal, it cleans up and dies of that signal.";

constexpr Exit exitFor(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::kUnsupported:
    return kRefused;
  case ErrorKind::kInvalidInput:
    return kBadInput;
  case ErrorKind::kPlugin:
    return kPlugin;
  case ErrorKind::kIo:
    return kIo;
  case ErrorKind::kInternal:
    return kInternal;
  }
  return kInternal;
}

// The word for it in JSON.
constexpr std::string_view exitName(Exit code) {
  switch (code) {
  case kOk:
    return "ok";
  case kRefused:
    return "unsupported";
  case kUsage:
    return "usage";
  case kBadInput:
    return "invalid_input";
  case kPlugin:
    return "plugin";
  case kIo:
    return "io";
  case kInternal:
    return "internal";
  }
  return "internal";
}

} // namespace sixrung::cli
