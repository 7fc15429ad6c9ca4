// What the command line says: results on stdout, errors and warnings on stderr, JSON on stdout.
#pragma once

#include "core/cli/exit_codes.hpp"

#include <nlohmann/json.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

namespace sixrung::cli {

using Json = nlohmann::ordered_json;

// The command line itself is wrong; `hint` says what would be right.
class UsageError : public std::runtime_error {
public:
  explicit UsageError(const std::string &message, std::string hint = {})
      : std::runtime_error(message), hint(std::move(hint)) {}
  std::string hint;
};

// The error being handled, reported as one block on stderr or one JSON object on stdout. Call it from
// a catch block; returns the exit code.
Exit reportCurrentError(bool json);

// "warning: ..." and "error: ..." on stderr, for what does not end the command.
void warn(std::string_view text);
void complain(std::string_view text);

// On stdout. Throws Error(kIo) when it cannot be written, as for a full disk.
void printText(std::string_view text);
void printJson(const Json &json);

} // namespace sixrung::cli
