#include "core/lower/session.hpp"

#include "core/lower/converted.hpp"
#include "core/lower/discovery.hpp"
#include "core/lower/emission.hpp"
#include "core/lower/entry.hpp"
#include "core/lower/externalize.hpp"
#include "core/lower/ports.hpp"
#include "core/lower/provenance.hpp"
#include "core/validate/validate.hpp"

#include <fmt/format.h>
#include <set>

namespace sixrung::lower {

struct Session::Impl {
  plugin::Registry registry{hostTable()};
  ladder::Ladder ladder{registry.table()};
};

Session::Session(const std::string &folder) : impl_(std::make_unique<Impl>()) {
  std::string builtins = folder.empty() ? builtinFolder() : folder;
  if (!builtins.empty())
    impl_->registry.loadBuiltins(builtins);
  for (const std::string &privateFolder : pluginPathFolders())
    for (const std::string &file : pluginFiles(privateFolder))
      impl_->registry.load(file);
  impl_->registry.setAbsent([registry = &impl_->registry, builtins](std::string_view key) {
    std::set<std::string> loaded;
    for (const plugin::PluginInfo &info : registry->plugins())
      loaded.insert(info.owner.id);
    return absentPlugins(std::move(loaded), builtins, key);
  });
}

Session::~Session() = default;

plugin::Registry &Session::registry() { return impl_->registry; }
const ladder::Ladder &Session::ladder() const { return impl_->ladder; }

void Session::stage(const EntryPoint &entry, const std::string &sourceRoot) const {
  validate::validateStaged(*entry.program, impl_->ladder, sourceRoot);
  (void)portNames(entry);
}

static void checkEntryNames(const std::vector<EntryPoint> &entries) {
  if (entries.empty())
    throw Error(ErrorKind::kInvalidInput, "there is no program to convert");
  std::set<std::string> names;
  for (const EntryPoint &entry : entries) {
    if (entry.name.empty())
      throw Error(ErrorKind::kInvalidInput, "an entrypoint has an empty name");
    if (!names.insert(entry.name).second)
      throw Error(ErrorKind::kInvalidInput, fmt::format("two entrypoints are called '{}'", entry.name));
  }
}

// A strict deployment takes a lowering's warning for an error, while nothing is written yet.
static void refuseWarnings(const ladder::Policy &policy, const std::vector<NodeRecord> &records) {
  constexpr std::string_view kWarning = "warning: ";
  std::string told;
  for (const NodeRecord &record : policy.strict ? records : std::vector<NodeRecord>())
    for (const std::string &remark : record.remarks)
      if (remark.starts_with(kWarning))
        told +=
            fmt::format("\n  {}{}: {}", record.node, record.source.empty() ? "" : " (" + record.source + ")",
                        remark.substr(kWarning.size()));
  if (!told.empty())
    throw Error(ErrorKind::kUnsupported,
                fmt::format("deployment '{}' is strict, and there are warnings:{}", policy.deployment, told));
}

Converted Session::convert(const std::vector<EntryPoint> &entries, const ConvertOptions &options) {
  checkEntryNames(entries);
  auto out = std::make_unique<Converted::Impl>();
  out->context = ir::makeContext();
  out->module = mlir::ModuleOp::create(mlir::UnknownLoc::get(out->context.get()));

  // All are planned before one is built: what is wrong with the last is told before the work on the first.
  std::vector<std::unique_ptr<Externalized>> cut; // outlives the lowerings
  std::vector<std::unique_ptr<EntryLowering>> lowerings;
  size_t total = 0, done = 0;
  for (const EntryPoint &given : entries) {
    const EntryPoint *entry = &given;
    const ladder::Ladder *ladder = &impl_->ladder;
    if (!options.strategies.empty()) {
      cut.push_back(std::make_unique<Externalized>(impl_->registry, given, options.strategies));
      entry = &cut.back()->entry();
      ladder = &cut.back()->ladder();
      cut.back()->checkNames(entries);
    }
    lowerings.push_back(
        std::make_unique<EntryLowering>(*out->module, *ladder, impl_->registry, *entry, options));
    if (!cut.empty())
      lowerings.back()->setOrigins(cut.back()->origins());
    lowerings.back()->plan();
    total += lowerings.back()->liveNodes();
    out->programs.push_back(given.program);
  }
  std::function<void()> onNode;
  if (options.progress) {
    options.progress(0, total);
    onNode = [&] { options.progress(++done, total); };
  }
  for (std::unique_ptr<EntryLowering> &lowering : lowerings) {
    lowering->build(onNode);
    auto append = [](auto &to, auto from) {
      to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    };
    append(out->records, lowering->takeRecords());
    append(out->states, lowering->takeStates());
    out->entries.push_back(lowering->takeInfo());
    lowering.reset(); // values, frames and the builder, before the next grows its own
  }
  refuseWarnings(impl_->ladder.policy(), out->records);
  out->provenance = describeProvenance(impl_->registry, entries);
  return Converted(std::move(out));
}

void Session::emit(Converted &program, const std::string &path, const std::string &name,
                   const std::map<std::string, std::string> &options) {
  if (path.find('\0') != path.npos) // the system would take what stands before it
    throw Error(ErrorKind::kInvalidInput, "the output's path holds a NUL character");
  const plugin::Registry &registry = impl_->registry;
  const plugin::EmitterEntry *emitter = name.empty() ? registry.emitterForPath(path) : registry.emitter(name);
  if (!emitter) {
    std::string known;
    for (const plugin::EmitterEntry *entry : registry.emitters())
      known +=
          fmt::format("{}{} ({})", known.empty() ? "" : ", ", entry->name, fmt::join(entry->suffixes, " "));
    std::string wanted = name.empty() ? fmt::format("no emitter writes {}", path)
                                      : fmt::format("there is no emitter '{}'", name);
    throw Error(ErrorKind::kInvalidInput, fmt::format("{}; known are {}", wanted,
                                                      known.empty() ? "none: no plugin brings one" : known));
  }
  if (std::string why = registry.table().policy.denial("emitter:" + emitter->name, emitter->owner->id);
      !why.empty())
    throw Error(ErrorKind::kUnsupported, fmt::format("writing {}: {}", path, why));
  std::map<std::string, std::string> all = options;
  if (!all.count("provenance"))
    all.emplace("provenance", assetMetadata(program));
  runEmitter(*emitter, *program.impl().module, path, all);
}

} // namespace sixrung::lower
