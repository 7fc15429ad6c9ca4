#include "core/cli/models.hpp"

#include "core/cli/report.hpp"
#include "core/load/load.hpp"
#include "core/plugin/deployment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <unistd.h>

namespace sixrung::cli {

namespace {

namespace fs = std::filesystem;

bool isIdentifier(std::string_view text) {
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

// "name=rest"; no name when there is none.
std::pair<std::string, std::string> splitName(const std::string &word) {
  size_t equals = word.find('=');
  if (equals == word.npos)
    return {"", word};
  return {word.substr(0, equals), word.substr(equals + 1)};
}

struct Model {
  std::string name, path;
};

Model parseModel(const std::string &word, const std::string &defaultName) {
  auto [name, path] = splitName(word);
  std::error_code ignored;
  // "runs/lr=3/model.pt2" is a path: a name has no slash, and a file of that very name wins.
  if (!isIdentifier(name) || fs::exists(word, ignored))
    return {defaultName, word};
  return {name, path};
}

// A folder or a missing file is told before LibTorch words it its own way.
void requireReadable(const std::string &path) {
  std::error_code error;
  if (fs::is_directory(path, error))
    throw Error(ErrorKind::kIo, fmt::format("cannot read '{}': it is a folder", path))
        .with("hint", "give the .pt2 file that torch.export.save wrote");
  int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    throw Error(ErrorKind::kIo, fmt::format("cannot read '{}': {}", path, std::strerror(errno)))
        .with("hint", errno == ENOENT   ? "check the path; a model is saved with torch.export.save(ep, path)"
                      : errno == EACCES ? "check who may read the file"
                                        : "check the path");
  close(descriptor);
  if (!fs::is_regular_file(path, error))
    throw Error(ErrorKind::kIo, fmt::format("cannot read '{}': it is no regular file", path));
}

// Gives each name to its entrypoint, in order.
void distribute(std::vector<lower::EntryPoint> &entries, const std::vector<std::string> &words,
                std::vector<std::string> lower::EntryPoint::*names, std::string_view option) {
  for (const std::string &word : words) {
    auto [entry, name] = splitName(word);
    if (entry.empty() && entries.size() > 1)
      throw UsageError(fmt::format("{} {}: which entrypoint?", option, word),
                       fmt::format("write {} {}={}", option, entries.front().name, word));
    auto place = std::find_if(entries.begin(), entries.end(), [&entry = entry](const auto &candidate) {
      return entry.empty() || candidate.name == entry;
    });
    if (place == entries.end())
      throw UsageError(fmt::format("{} {}: there is no entrypoint '{}'", option, word, entry));
    ((*place).*names).push_back(name);
  }
}

} // namespace

void useDeployment(lower::Session &session, const std::string &file) {
  for (const std::string &text : plugin::applyDeployment(plugin::readDeployment(file), session.registry()))
    warn(text);
}

void loadPlugins(lower::Session &session, const ModelOptions &options) {
  if (!options.deployment.empty())
    useDeployment(session, options.deployment);
  plugin::LoadOptions permissions;
  for (const std::string &key : options.allowOverride)
    permissions.allowOverride.insert(plugin::isEntryPermission(key) ? key : graph::canonicalKey(key));
  size_t deployed = session.registry().plugins().size(); // whose remarks were told with the deployment
  for (const std::string &file : options.plugins)
    session.registry().load(file, permissions);
  for (size_t i = deployed; i < session.registry().plugins().size(); ++i)
    for (const std::string &remark : session.registry().plugins()[i].remarks)
      warn(fmt::format("{} {}", session.registry().plugins()[i].owner.id, remark));
  // A permission for a key nobody overrides is a misspelt key.
  for (const std::string &key : permissions.allowOverride) {
    if (plugin::isEntryPermission(key)) {
      if (!session.registry().isOverridden(key))
        warn(fmt::format("--allow-override {}: no plugin overrides this entry", key));
      continue;
    }
    if (!session.ladder().resolveKey(key).losers.empty())
      continue;
    std::vector<std::string> near;
    if (!session.ladder().resolveKey(key).entry)
      near = session.ladder().suggestions(key, 1);
    warn(fmt::format("--allow-override {}: no plugin overrides this key{}", key,
                     near.empty() ? "" : fmt::format("; did you mean {}?", near.front())));
  }
}

std::vector<lower::EntryPoint> loadEntries(const ModelOptions &options, Progress &progress) {
  std::vector<Model> models;
  for (const std::string &word : options.models)
    models.push_back(parseModel(word, options.entrypoint));
  for (const Model &model : models) {
    auto same = [&](const Model &other) { return other.name == model.name; };
    if (std::count_if(models.begin(), models.end(), same) > 1)
      throw UsageError(fmt::format("two models for the entrypoint '{}'", model.name),
                       "name each: prefill=prefill.pt2 decode=decode.pt2");
    requireReadable(model.path);
  }
  std::vector<lower::EntryPoint> entries(models.size());
  for (size_t i = 0; i < models.size(); ++i)
    entries[i].name = models[i].name;
  distribute(entries, options.inputNames, &lower::EntryPoint::inputNames, "--input-name");
  distribute(entries, options.outputNames, &lower::EntryPoint::outputNames, "--output-name");
  distribute(entries, options.stateNames, &lower::EntryPoint::stateNames, "--state-name");
  for (size_t i = 0; i < models.size(); ++i) {
    progress.phase(fmt::format("reading {}", models[i].path));
    entries[i].program = std::make_shared<const graph::Program>(load::loadPt2(models[i].path));
  }
  return entries;
}

static lower::StrategyRequest parseStrategy(const std::string &word) {
  size_t colon = word.find(':');
  lower::StrategyRequest request;
  request.name = word.substr(0, colon);
  if (request.name.empty())
    throw UsageError(fmt::format("--externalize {}: it names no strategy", word),
                     "write --externalize module_path:encoder.layers.0");
  if (colon == word.npos)
    return request;
  std::vector<std::string> &paths = request.options["paths"];
  for (size_t begin = colon + 1, end; begin <= word.size(); begin = end + 1) {
    end = std::min(word.find(',', begin), word.size());
    if (end == begin)
      throw UsageError(fmt::format("--externalize {}: a path is empty", word));
    paths.push_back(word.substr(begin, end - begin));
  }
  return request;
}

lower::ConvertOptions conversion(const ModelOptions &options, Progress &progress) {
  lower::ConvertOptions out;
  out.wideIo = options.wideIo;
  for (const std::string &word : options.externalize)
    out.strategies.push_back(parseStrategy(word));
  std::error_code ignored;
  out.sourceRoot = fs::current_path(ignored).string();
  out.progress = [&progress](size_t done, size_t total) { progress.update(done, total); };
  return out;
}

} // namespace sixrung::cli
