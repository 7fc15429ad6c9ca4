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

// CLI11's own words where they are a sentence; ours where they name what the user never sees.
std::string reworded(const CLI::App &command, const CLI::ParseError &error) {
  std::string message = error.what();
  std::string name = message.substr(0, message.find(':'));
  if (dynamic_cast<const CLI::ArgumentMismatch *>(&error))
    return message.find("At Most") != message.npos ? name + " is given more than once"
                                                   : name + " needs a value";
  if (dynamic_cast<const CLI::RequiredError *>(&error))
    for (const CLI::Option *option : command.get_options())
      if (option->get_positional() && option->get_required() && option->count() == 0)
        return option->get_type_name() + " is required";
  return message;
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
  throw UsageError(message.empty() ? reworded(*command, error) : message, fmt::format("see {} --help", name));
}

} // namespace sixrung::cli
