#include "core/cli/commands.hpp"

#include "core/cli/models.hpp"
#include "core/cli/report.hpp"
#include "core/lower/provenance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>

namespace sixrung::cli {

namespace {

namespace fs = std::filesystem;

struct Seconds {
  double load = 0, convert = 0, save = 0;
};

bool hasSidecar(const ConvertOptions &options) {
  return options.sidecar.value_or(!options.deployment.empty());
}

// Before the model is read: a misspelt suffix should not cost the conversion.
void checkOutput(lower::Session &session, const std::string &output) {
  if (!session.registry().emitterForPath(output)) {
    std::vector<std::string> known;
    for (const plugin::EmitterEntry *emitter : session.registry().emitters())
      for (const std::string &suffix : emitter->suffixes)
        known.push_back(suffix);
    throw UsageError(fs::path(output).has_extension()
                         ? fmt::format("no output format takes the suffix of '{}'", output)
                         : fmt::format("'{}' has no suffix, which would choose the format", output),
                     known.empty() ? "no plugin brings an output format: is SIXRUNG_BUILTIN_PLUGINS right?"
                                   : fmt::format("known suffixes: {}", fmt::join(known, ", ")));
  }
  fs::path folder = fs::path(output).parent_path();
  std::error_code error;
  if (!folder.empty() && !fs::is_directory(folder, error))
    throw Error(ErrorKind::kIo,
                fmt::format("cannot write '{}': there is no folder '{}'", output, folder.string()))
        .with("hint", fmt::format("create it first: mkdir -p {}", folder.string()));
}

void checkNoModel(const std::vector<lower::EntryPoint> &entries, const std::string &output) {
  std::error_code error;
  for (const lower::EntryPoint &entry : entries)
    if (fs::equivalent(entry.program->archive, output, error))
      throw UsageError(fmt::format("'{}' is the model, which the output would replace", output),
                       "choose another output");
}

struct Use {
  const plugin::PluginInfo *plugin = nullptr;
  size_t nodes = 0;
};

// Plugins that lowered a node, with how many, in the order of loading.
std::vector<Use> usedPlugins(lower::Session &session, const lower::Converted &program) {
  std::map<std::string, size_t> counts;
  for (const lower::NodeRecord &record : program.nodes())
    ++counts[record.plugin];
  std::vector<Use> used;
  for (const plugin::PluginInfo &info : session.registry().plugins())
    if (auto found = counts.find(info.owner.id); found != counts.end())
      used.push_back({&info, found->second});
  return used;
}

std::string sizes(const std::vector<int64_t> &dims) {
  std::vector<std::string> words;
  for (int64_t dim : dims)
    words.push_back(dim < 0 ? "?" : std::to_string(dim));
  return fmt::format("{}", fmt::join(words, "x"));
}

void printSummary(lower::Session &session, const lower::Converted &program, const ConvertOptions &options,
                  const Seconds &seconds) {
  std::string beside = hasSidecar(options) ? " and " + lower::sidecarPath(options.output) : std::string();
  std::string out = fmt::format("wrote {}{}\n  nodes    {} lowered to {} ops\n", options.output, beside,
                                program.nodes().size(), program.opCount());
  for (const lower::EntryInfo &entry : program.entries()) {
    auto port = [](const lower::PortInfo &p) {
      return fmt::format("{}:{}[{}]", p.name, graph::dtypeName(p.dtype), sizes(p.dims));
    };
    std::vector<std::string> inputs, outputs;
    for (const lower::PortInfo &p : entry.inputs)
      inputs.push_back(port(p));
    for (const lower::PortInfo &p : entry.outputs)
      outputs.push_back(port(p));
    out += fmt::format("  entry    {}({}) -> {}\n", entry.name, fmt::join(inputs, ", "),
                       fmt::join(outputs, ", "));
  }
  size_t width = 0;
  std::vector<Use> used = usedPlugins(session, program);
  for (const Use &use : used)
    width = std::max(width, use.plugin->owner.id.size());
  std::string_view label = "plugins";
  for (const Use &use : used) {
    out += fmt::format("  {:<8} {:<{}}  {:<8} {} node{}\n", label, use.plugin->owner.id, width,
                       use.plugin->owner.version, use.nodes, use.nodes == 1 ? "" : "s");
    label = "";
  }
  label = "states";
  for (const lower::StateInfo &state : program.states()) {
    out += fmt::format("  {:<8} {}.{}{}\n", label, state.entrypoint, state.name,
                       state.hasInitial ? " (initial value in the program)" : "");
    label = "";
  }
  out += fmt::format("  seconds  read {:.2f}, convert {:.2f}, save {:.2f}\n", seconds.load, seconds.convert,
                     seconds.save);
  printText(out);
}

Json ports(const std::vector<lower::PortInfo> &infos) {
  Json out = Json::array();
  for (const lower::PortInfo &info : infos) {
    Json dims = Json::array();
    for (int64_t dim : info.dims)
      dims.push_back(dim < 0 ? Json(nullptr) : Json(dim));
    out.push_back({{"name", info.name}, {"dtype", graph::dtypeName(info.dtype)}, {"dims", std::move(dims)}});
  }
  return out;
}

Json summary(lower::Session &session, const lower::Converted &program, const ConvertOptions &options,
             const Seconds &seconds) {
  Json entries = Json::array(), plugins = Json::array(), states = Json::array(), remarks = Json::array();
  for (const lower::EntryInfo &entry : program.entries())
    entries.push_back(
        {{"name", entry.name}, {"inputs", ports(entry.inputs)}, {"outputs", ports(entry.outputs)}});
  for (const Use &use : usedPlugins(session, program))
    plugins.push_back({{"id", use.plugin->owner.id},
                       {"version", use.plugin->owner.version},
                       {"file", use.plugin->owner.file},
                       {"sha256", use.plugin->owner.sha256},
                       {"nodes", use.nodes}});
  for (const lower::StateInfo &state : program.states())
    states.push_back({{"entrypoint", state.entrypoint},
                      {"name", state.name},
                      {"dtype", graph::dtypeName(state.valueDtype)},
                      {"has_initial", state.hasInitial}});
  for (const lower::NodeRecord &record : program.nodes())
    for (const std::string &remark : record.remarks)
      remarks.push_back({{"entrypoint", record.entrypoint},
                         {"node", record.node},
                         {"source", record.source},
                         {"text", remark}});
  return {{"output", options.output},
          {"provenance", hasSidecar(options) ? Json(lower::sidecarPath(options.output)) : Json(nullptr)},
          {"nodes", program.nodes().size()},
          {"ops", program.opCount()},
          {"entrypoints", std::move(entries)},
          {"states", std::move(states)},
          {"plugins", std::move(plugins)},
          {"remarks", std::move(remarks)},
          {"seconds", {{"read", seconds.load}, {"convert", seconds.convert}, {"save", seconds.save}}}};
}

} // namespace

Exit convert(const ConvertOptions &options) {
  Progress progress;
  lower::Session session;
  loadPlugins(session, options);
  checkOutput(session, options.output);
  Seconds seconds;
  Stopwatch watch;
  std::vector<lower::EntryPoint> entries = loadEntries(options, progress);
  checkNoModel(entries, options.output);
  seconds.load = watch.lap();

  lower::ConvertOptions how = conversion(options, progress);
  for (const lower::EntryPoint &entry : entries)
    session.stage(entry, how.sourceRoot);
  how.debugLocations = options.mode == "debug";
  progress.phase("converting");
  lower::Converted program = session.convert(entries, how);
  seconds.convert = watch.lap();

  progress.phase(fmt::format("saving {}", options.output));
  std::map<std::string, std::string> emitterOptions;
  if (options.optimize)
    emitterOptions.emplace("optimize", "1");
  if (!options.python.empty())
    emitterOptions.emplace("python", options.python);
  if (hasSidecar(options))
    lower::emitWithSidecar(session, program, options.output, {}, emitterOptions);
  else
    session.emit(program, options.output, {}, emitterOptions);
  seconds.save = watch.lap();
  progress.clear();

  for (const lower::NodeRecord &record : program.nodes())
    for (const std::string &remark : record.remarks)
      if (std::string_view text = remark; text.substr(0, 9) == "warning: ")
        warn(fmt::format("{}{}: {}", record.node, record.source.empty() ? "" : " (" + record.source + ")",
                         text.substr(9)));

  if (options.json)
    printJson(summary(session, program, options, seconds));
  else
    printSummary(session, program, options, seconds);
  return kOk;
}

} // namespace sixrung::cli
