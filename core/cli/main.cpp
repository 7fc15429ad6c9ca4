// sixrung: the command line. One function a subcommand; see commands.hpp.
#include "core/cli/commands.hpp"
#include "core/cli/report.hpp"
#include "core/cli/usage.hpp"
#include "core/lower/session.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <string_view>

namespace {

using namespace sixrung;
using namespace sixrung::cli;

void addPluginOptions(CLI::App &command, ModelOptions &options) {
  command.add_option("--plugin", options.plugins, "Also load this plugin; repeatable")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command
      .add_option("--allow-override", options.allowOverride,
                  "Let a plugin given with --plugin take this key from another; repeatable")
      ->type_name("KEY")
      ->allow_extra_args(false);
}

void addModelOptions(CLI::App &command, ModelOptions &options) {
  command
      .add_option("models", options.models,
                  "A .pt2 file written by torch.export.save; several as NAME=FILE, one entrypoint each")
      ->type_name("[NAME=]MODEL.pt2")
      ->required();
  command
      .add_option("--deployment", options.deployment,
                  "Use the plugins this deployment file lists, as it says")
      ->type_name("FILE");
  addPluginOptions(command, options);
  command
      .add_option("--entrypoint", options.entrypoint, "Name of the entrypoint of a model given without one")
      ->type_name("NAME")
      ->capture_default_str();
  auto names = [&](const char *option, std::vector<std::string> &words, const char *what) {
    command
        .add_option(
            option, words,
            fmt::format("Name of the next {}, in order; repeatable; ENTRYPOINT=NAME with several models",
                        what))
        ->type_name("NAME")
        ->allow_extra_args(false);
  };
  names("--input-name", options.inputNames, "input");
  names("--output-name", options.outputNames, "output");
  names("--state-name", options.stateNames, "state");
  command
      .add_option("--externalize", options.externalize,
                  "Let this strategy cut nodes out into graphs of their own; repeatable. "
                  "module_path:encoder.layers.* cuts submodules")
      ->type_name("STRATEGY[:PATH,...]")
      ->allow_extra_args(false);
  command.add_flag("--wide-io", options.wideIo, "Keep int64 and float64 as 64 bits from the inputs on");
  command.add_flag("--json", options.json, "Results and errors as JSON on standard output");
}

int run(int argc, char **argv) {
  // Known before parsing, which may fail.
  bool json = false;
  for (int i = 1; i < argc; ++i)
    json = json || std::string_view(argv[i]) == "--json";

  CLI::App app("Converts PyTorch exported programs (.pt2) to Core AI.", "sixrung");
  app.footer(std::string(kExitCodesHelp));
  app.require_subcommand(1);
  app.set_version_flag("--version", [] {
    return fmt::format("sixrung {} (plugin ABI {})", lower::productVersion(), lower::abiVersion());
  });

  Exit exit = kOk;
  ConvertOptions convertOptions;
  CLI::App *convertCommand = app.add_subcommand("convert", "Convert models to one asset or MLIR file");
  addModelOptions(*convertCommand, convertOptions);
  convertCommand
      ->add_option("-o,--output", convertOptions.output,
                   "Where to write; the suffix chooses the format (.aimodel, .mlir, .mlirb)")
      ->type_name("PATH")
      ->required();
  convertCommand->add_option("--mode", convertOptions.mode, "debug carries source locations, release none")
      ->check(CLI::IsMember({"debug", "release"}))
      ->capture_default_str();
  convertCommand->add_flag("--optimize", convertOptions.optimize,
                           "Let coreai-core rewrite the program before it is saved as .aimodel");
  convertCommand
      ->add_option("--python", convertOptions.python,
                   "The Python whose coreai-core saves an .aimodel; else SIXRUNG_PYTHON, else one nearby")
      ->type_name("PATH");
  convertCommand->add_flag_callback(
      "--provenance", [&] { convertOptions.sidecar = true; },
      "Write what produced the output beside it; the default with --deployment");
  convertCommand->add_flag_callback(
      "--no-provenance", [&] { convertOptions.sidecar = false; }, "Write no such file");
  convertCommand->footer(std::string(kExitCodesHelp));
  convertCommand->callback([&] { exit = convert(convertOptions); });

  ExplainOptions explainOptions;
  CLI::App *explainCommand =
      app.add_subcommand("explain", "Show who lowers each node and to what; writes nothing");
  addModelOptions(*explainCommand, explainOptions);
  explainCommand
      ->add_option("--against", explainOptions.against,
                   "Show only what this deployment would change, compared with --deployment")
      ->type_name("FILE");
  explainCommand->footer(std::string(kExitCodesHelp));
  explainCommand->callback([&] { exit = explain(explainOptions); });

  PluginListOptions listOptions;
  CLI::App *pluginCommand = app.add_subcommand("plugin", "Make, list and check plugins");
  pluginCommand->require_subcommand(1);
  CLI::App *listCommand =
      pluginCommand->add_subcommand("list", "List the plugins from their manifests; runs none of their code");
  listCommand->add_option("--plugin", listOptions.plugins, "Also list this file; repeatable")
      ->type_name("FILE")
      ->allow_extra_args(false);
  listCommand->add_option("--serves", listOptions.serves, "Only those that lower this key")->type_name("KEY");
  listCommand->add_flag("--keys", listOptions.keys, "Show every key");
  listCommand->add_flag("--json", listOptions.json, "Results and errors as JSON on standard output");
  listCommand->callback([&] { exit = listPlugins(listOptions); });

  PluginNewOptions newOptions;
  CLI::App *newCommand = pluginCommand->add_subcommand("new", "Write a plugin that builds, with a test");
  newCommand->add_option("name", newOptions.name, "Its name, such as acme-rope")
      ->type_name("NAME")
      ->required();
  newCommand->add_option("--lang", newOptions.language, "The language of its source")
      ->check(CLI::IsMember({"c", "c++"}))
      ->capture_default_str();
  newCommand->add_option("-o,--output", newOptions.output, "The folder to write; by default NAME")
      ->type_name("FOLDER");
  newCommand->callback([&] { exit = newPlugin(newOptions); });

  PluginCheckOptions pluginCheckOptions;
  CLI::App *pluginCheck =
      pluginCommand->add_subcommand("check", "Run the conformance suite on a finished library");
  pluginCheck->add_option("file", pluginCheckOptions.file, "The plugin")->type_name("FILE")->required();
  pluginCheck
      ->add_option(
          "--sample", pluginCheckOptions.samples,
          "Try its keys on this model; repeatable. Those in samples/ beside the library are tried too")
      ->type_name("MODEL.pt2")
      ->allow_extra_args(false);
  pluginCheck->add_option("--timeout", pluginCheckOptions.timeout, "Seconds a check may take")
      ->type_name("SECONDS")
      ->check(CLI::Range(1u, 86400u))
      ->capture_default_str();
  pluginCheck->add_flag("--json", pluginCheckOptions.json, "Results and errors as JSON on standard output");
  pluginCheck->footer(std::string(kExitCodesHelp));
  pluginCheck->callback([&] { exit = checkPlugin(pluginCheckOptions); });

  DeploymentOptions deploymentOptions;
  CLI::App *deploymentCommand = app.add_subcommand("deployment", "Check and pin deployment files");
  deploymentCommand->require_subcommand(1);
  CLI::App *checkCommand = deploymentCommand->add_subcommand("check", "Say whether it can be used as it is");
  CLI::App *lockCommand =
      deploymentCommand->add_subcommand("lock", "Write the SHA-256 of every plugin into it");
  for (CLI::App *command : {checkCommand, lockCommand})
    command->add_option("file", deploymentOptions.file, "The deployment file")->type_name("FILE")->required();
  checkCommand->add_flag("--json", deploymentOptions.json, "Results and errors as JSON on standard output");
  checkCommand->callback([&] { exit = checkDeployment(deploymentOptions); });
  lockCommand->callback([&] { exit = lockDeployment(deploymentOptions); });

  ProvenanceOptions provenanceOptions;
  CLI::App *provenanceCommand = app.add_subcommand("provenance", "Show what produced an output");
  provenanceCommand
      ->add_option("path", provenanceOptions.path, "An asset, or a file with its record beside it")
      ->type_name("PATH")
      ->required();
  provenanceCommand->add_flag("--json", provenanceOptions.json, "The record as JSON on standard output");
  provenanceCommand->callback([&] { exit = provenance(provenanceOptions); });

  try {
    app.parse(argc, argv);
    return exit;
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0) // --help, --version
      return app.exit(error);
    try {
      throwUsage(app, error);
    } catch (...) {
      return reportCurrentError(json);
    }
  } catch (...) {
    return reportCurrentError(json);
  }
}

} // namespace

int main(int argc, char **argv) { return run(argc, argv); }
