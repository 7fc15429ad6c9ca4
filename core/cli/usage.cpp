#include "core/cli/usage.hpp"

#include "core/cli/report.hpp"
#include "core/graph/spelling.hpp"

#include <fmt/format.h>

#include <vector>

namespace sixrung::cli {

namespace {

std::string nearest(const std::string &word, const std::vector<std::string> &known) {
  std::string near = graph::nearest(word, known);
  return near.empty() ? near : fmt::format("; did you mean {}?", near);
}

// What the words that nothing took were to be. CLI11 tells first what is missing because of them.
std::string unknown(const CLI::App &command, const std::string &name, const std::vector<std::string> &left) {
  std::vector<std::string> options, commands;
  for (const CLI::Option *option : command.get_options())
    for (const std::string &spelling : option->get_lnames())
      options.push_back("--" + spelling);
  for (const CLI::App *below : command.get_subcommands([](const CLI::App *) { return true; }))
    commands.push_back(below->get_name());
  for (const std::string &word : left)
    if (word.size() > 1 && word[0] == '-') {
      std::string option = word.substr(0, word.find('='));
      return fmt::format("{} has no option {}{}", name, option, nearest(option, options));
    }
  if (!left.empty() && !commands.empty())
    return fmt::format("{} has no command '{}'{}", name, left.front(), nearest(left.front(), commands));
  return {};
}

} // namespace

void throwUsage(const CLI::App &app, const CLI::ParseError &error) {
  const CLI::App *command = &app;
  std::string name = app.get_name();
  while (!command->get_subcommands().empty()) { // those that were given
    command = command->get_subcommands().front();
    name += " " + command->get_name();
  }
  std::string message = unknown(*command, name, app.remaining(/*recurse=*/true));
  throw UsageError(message.empty() ? error.what() : message, fmt::format("see {} --help", name));
}

} // namespace sixrung::cli
