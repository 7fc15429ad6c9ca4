// What is wrong with a command line, in one sentence.
#pragma once

#include <CLI/CLI.hpp>

namespace sixrung::cli {

// Throws UsageError for a command line that `app` did not take: the unknown option or command, with the one
// that was meant, before anything that is missing.
[[noreturn]] void throwUsage(const CLI::App &app, const CLI::ParseError &error);

} // namespace sixrung::cli
