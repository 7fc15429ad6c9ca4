// The one exception of the core: what went wrong, where, and what to do.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sixrung {

// What kind of failure it is; decides the exit code of the CLI and the Python type.
enum class ErrorKind {
  kInvalidInput, // the .pt2, the exported program or an argument is malformed
  kUnsupported,  // well formed, but nothing can lower it
  kPlugin,       // a plugin was refused, clashed or failed
  kIo,           // reading or writing failed
  kInternal,     // a broken invariant of sixrung itself
};

class Error : public std::runtime_error {
public:
  Error(ErrorKind kind, const std::string &message) : std::runtime_error(message), kind_(kind) {}

  ErrorKind kind() const { return kind_; }
  // Key and value pairs: "node", "op", "source", "plugin", "hint", "cause".
  const std::vector<std::pair<std::string, std::string>> &payload() const { return payload_; }
  Error &with(std::string key, std::string value) {
    payload_.emplace_back(std::move(key), std::move(value));
    return *this;
  }

private:
  ErrorKind kind_;
  std::vector<std::pair<std::string, std::string>> payload_;
};

} // namespace sixrung
