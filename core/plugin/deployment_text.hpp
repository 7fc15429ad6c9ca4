// The TOML of a deployment file, for those who read it and those who write its pins.
#pragma once

#include "core/graph/error.hpp"

#include <toml++/toml.h>

#include <string>
#include <string_view>

namespace sixrung::plugin {

// "FILE:LINE: what".
Error deploymentError(const std::string &path, size_t line, const std::string &what,
                      ErrorKind kind = ErrorKind::kInvalidInput);
toml::table parseToml(std::string_view text, const std::string &path);
std::string deploymentText(const std::string &path);

} // namespace sixrung::plugin
