#include "core/plugin/registry.hpp"

#include "core/plugin/clash.hpp"
#include "core/plugin/crossing.hpp"
#include "core/plugin/facts.hpp"
#include "core/plugin/library.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace sixrung::plugin {
namespace {

struct Active { // one successful init
  sixrung_plugin_descriptor descriptor{};
  void *state = nullptr;
  FileIdentity file;
};

[[noreturn]] void fail(const std::string &what) { throw Error(ErrorKind::kPlugin, what); }

void shutDown(const sixrung_host *host, const Active &active) noexcept {
  try {
    if (active.descriptor.shutdown)
      active.descriptor.shutdown(host, active.state);
  } catch (...) { // nobody is left to tell
  }
}

// Before anything else of the file is believed (ABI-14).
void checkPin(const PluginFile &file, std::string pin) {
  for (char &c : pin)
    c = c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
  if (!pin.empty() && pin != file.sha256)
    fail(fmt::format(
        "its SHA-256 is {}, but {} is pinned. Find out who changed it; if the change is meant, pin "
        "the new one",
        file.sha256, pin));
}

// Fills the transaction. A failure and an exception of init read alike; shutdown is then not due.
void runInit(const sixrung_host *host, Active &active, Transaction &transaction) {
  sixrung_status *status = nullptr;
  std::string thrown;
  try {
    status = active.descriptor.init(host, transaction.handle(), &active.state);
  } catch (const std::exception &error) {
    thrown = fmt::format("its init threw: {}", error.what());
  } catch (...) {
    thrown = "its init threw an exception that is no std::exception";
  }
  transaction.close();
  if (!thrown.empty())
    throw Error(ErrorKind::kPlugin, thrown)
        .with("hint", "no exception may leave a plugin (ABI-7); the SDK's SIXRUNG_PLUGIN catches them");
  try {
    throwIfFailed(status, ErrorKind::kPlugin);
  } catch (const Error &error) {
    Error told(ErrorKind::kPlugin, fmt::format("its init failed: {}", error.what()));
    for (const auto &[key, value] : error.payload())
      told.with(key, value);
    throw told;
  }
}

} // namespace

struct Registry::Impl {
  const sixrung_host *host;
  ladder::Table table;
  std::vector<std::unique_ptr<EmitterEntry>> emitters;     // later ones win a contested name or suffix
  std::vector<std::unique_ptr<CompositeEntry>> composites; // later ones win
  std::vector<std::unique_ptr<StrategyEntry>> strategies;
  std::vector<PluginInfo> plugins;
  std::vector<Active> active; // as `plugins`

  // Whether this very plugin is active already; an id from another file is an error (ABI-12).
  bool isLoaded(const PluginFile &file, const Manifest &manifest) const {
    for (size_t i = 0; i < plugins.size(); ++i) {
      const ladder::Owner &owner = plugins[i].owner;
      if (owner.id != manifest.id)
        continue;
      bool same = owner.file == file.path || active[i].file.sameFile(file.identity);
      if (same && owner.sha256 == file.sha256 && owner.version == manifest.version)
        return true;
      fail(same ? fmt::format("changed since {} was loaded from it; libraries are never unloaded (ABI-15): "
                              "restart the process",
                              describe(owner))
                : fmt::format("has the id of {}, which is loaded already; one id stands for one file. "
                              "Remove one of the two, or give the other its own id",
                              describe(owner)));
    }
    return false;
  }

  const CompositeEntry *composite(std::string_view name) const {
    for (auto it = composites.rbegin(); it != composites.rend(); ++it)
      if ((*it)->name == name)
        return it->get();
    return nullptr;
  }
  const StrategyEntry *strategy(std::string_view name) const {
    for (auto it = strategies.rbegin(); it != strategies.rend(); ++it)
      if ((*it)->name == name)
        return it->get();
    return nullptr;
  }
  const ladder::Owner *compositeOwner(std::string_view name) const {
    const CompositeEntry *entry = composite(name);
    return entry ? entry->body.owner.get() : nullptr;
  }
  const ladder::Owner *strategyOwner(std::string_view name) const {
    const StrategyEntry *entry = strategy(name);
    return entry ? entry->owner.get() : nullptr;
  }

  void judge(const ladder::Owner &owner, const Transaction &transaction, const LoadOptions &options,
             Verdict &verdict) const {
    for (const ladder::Entry &entry : transaction.lowerings)
      judgeLowering(table, owner, entry.key, entry.declaredOverride, options, verdict);
    for (const NewEmitter &emitter : transaction.emitters)
      judgeEmitter(emitters, owner, emitter, options, verdict);
    for (const auto &[entry, declared] : transaction.composites)
      judgeNamed("composite", entry->name, compositeOwner(entry->name), owner, declared, options, verdict);
    for (const auto &[entry, declared] : transaction.strategies)
      judgeNamed("strategy", entry->name, strategyOwner(entry->name), owner, declared, options, verdict);
    if (!verdict.clashes.empty())
      throw Error(ErrorKind::kPlugin, fmt::format("{}", fmt::join(verdict.clashes, "\n  ")))
          .with("code", std::string(codeName(SIXRUNG_ALREADY_EXISTS)));
  }

  // Everything that can fail happens on copies first; what follows moves nodes and cannot throw.
  void commit(Transaction &transaction, const Verdict &verdict, PluginInfo info, const Active &added) {
    Entries fresh;
    for (ladder::Entry &entry : transaction.lowerings)
      fresh.emplace(entry.key, std::move(entry));
    std::multimap<std::string, ladder::Entry, std::less<>> displaced;
    for (const std::string &key : verdict.takenUserKeys)
      displaced.emplace(ladder::clashKey(key), table.user.at(key));
    std::vector<std::unique_ptr<EmitterEntry>> freshEmitters;
    for (NewEmitter &emitter : transaction.emitters)
      freshEmitters.push_back(std::make_unique<EmitterEntry>(std::move(emitter.entry)));
    for (NewComposite &added : transaction.composites)
      if (const ladder::Owner *holder = compositeOwner(added.entry->name))
        added.entry->over = holder->id;
    for (NewStrategy &added : transaction.strategies)
      if (const ladder::Owner *holder = strategyOwner(added.entry->name))
        added.entry->over = holder->id;
    emitters.reserve(emitters.size() + freshEmitters.size());
    composites.reserve(composites.size() + transaction.composites.size());
    strategies.reserve(strategies.size() + transaction.strategies.size());
    plugins.reserve(plugins.size() + 1);
    active.reserve(active.size() + 1);

    for (const std::string &key : verdict.takenUserKeys)
      table.user.erase(key);
    table.displaced.merge(displaced);
    (info.owner.builtin ? table.builtin : table.user).merge(fresh);
    std::move(freshEmitters.begin(), freshEmitters.end(), std::back_inserter(emitters));
    for (NewComposite &added : transaction.composites)
      composites.push_back(std::move(added.entry));
    for (NewStrategy &added : transaction.strategies)
      strategies.push_back(std::move(added.entry));
    plugins.push_back(std::move(info));
    active.push_back(added);
  }

  void load(const JudgedFile &judged, const LoadOptions &options) {
    const auto &[file, manifest, native] = judged;
    checkPin(file, options.sha256);
    checkServable(manifest, native, host->abi_minor);
    if (isLoaded(file, manifest))
      return;
    if (const ladder::Policy &policy = table.policy;
        policy.strict && !options.builtin && options.sha256.empty())
      fail(fmt::format("deployment '{}' is strict and does not list it; add it to {} and pin it with "
                       "sixrung deployment lock",
                       policy.deployment, policy.file));
    ladder::Owner owner{manifest.id, manifest.version, file.path, file.sha256, options.builtin};
    {
      // The manifest is enough to refuse a clash, before any code of the plugin runs.
      Verdict early;
      for (const std::string &key : manifest.lowerings)
        judgeLowering(table, owner, key, manifest.overrides.count(key) != 0, options, early);
      for (const std::string &name : manifest.composites)
        judgeNamed("composite", name, compositeOwner(name), owner, false, options, early);
      for (const std::string &name : manifest.strategies)
        judgeNamed("strategy", name, strategyOwner(name), owner, false, options, early);
      if (!early.clashes.empty())
        throw Error(ErrorKind::kPlugin, fmt::format("{}", fmt::join(early.clashes, "\n  ")))
            .with("code", std::string(codeName(SIXRUNG_ALREADY_EXISTS)));
    }
    Active added;
    added.file = file.identity;
    added.descriptor = checkedDescriptor(openLibrary(file), manifest, host->abi_minor);
    Transaction transaction(std::make_shared<ladder::Owner>(owner));
    runInit(host, added, transaction);
    try {
      auto wrong = differences(transaction, manifest);
      if (!wrong.empty())
        fail(fmt::format("{}", fmt::join(wrong, "; ")));
      Verdict verdict;
      judge(owner, transaction, options, verdict);
      PluginInfo info{owner, manifest, {}, verdict.remarks};
      info.fingerprint = checkedString(added.descriptor.fingerprint, "fingerprint", 1024);
      commit(transaction, verdict, std::move(info), added);
    } catch (...) {
      shutDown(host, added); // init had succeeded
      throw;
    }
  }
};

Registry::Registry(const sixrung_host *host) : impl_(std::make_unique<Impl>()) { impl_->host = host; }

Registry::~Registry() {
  std::lock_guard lock(loadMutex());
  for (auto it = impl_->active.rbegin(); it != impl_->active.rend(); ++it)
    shutDown(impl_->host, *it);
}

void Registry::load(const std::string &file, const LoadOptions &options) {
  std::lock_guard lock(loadMutex());
  JudgedFile judged = judgeFile(file); // its errors name the file
  const std::string &path = judged.file.path;
  try {
    impl_->load(judged, options);
  } catch (const Error &error) {
    Error refused(ErrorKind::kPlugin, fmt::format("plugin {} is refused: {}", path, error.what()));
    for (const auto &[key, value] : error.payload())
      refused.with(key, value);
    throw refused.with("file", path);
  } catch (const std::exception &error) {
    throw Error(ErrorKind::kPlugin, fmt::format("plugin {} is refused: {}", path, error.what()));
  }
}

void Registry::loadBuiltins(const std::string &folder) {
  std::vector<std::string> files;
  std::error_code error;
  std::string suffix = librarySuffix();
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == suffix)
      files.push_back(it->path().string());
  if (error)
    throw Error(ErrorKind::kPlugin, fmt::format("built-in plugins {}: {}", folder, error.message()))
        .with("hint", "is the installation complete? SIXRUNG_BUILTIN_PLUGINS names another folder");
  std::sort(files.begin(), files.end()); // never directory order (ABI-12)
  for (const std::string &file : files)
    load(file, {true, {}});
}

void Registry::addLowering(ladder::Entry entry, bool allowOverride) {
  if (auto fault = keyFault(entry.key))
    fail(fmt::format("the key '{}' is not canonical: {}", entry.key, *fault));
  if (!entry.fn || !entry.owner)
    throw Error(ErrorKind::kInternal,
                fmt::format("the lowering of '{}' has no function or no owner", entry.key));
  const ladder::Entry *user = ladder::findClash(impl_->table.user, entry.key);
  const ladder::Entry *builtin = ladder::findClash(impl_->table.builtin, entry.key);
  if (const ladder::Entry *holder = user ? user : builtin; holder && !allowOverride)
    throw Error(ErrorKind::kPlugin,
                fmt::format("'{}' is already registered; set allow_override=True to replace it (it is {}'s)",
                            entry.key, describe(*holder->owner)))
        .with("code", std::string(codeName(SIXRUNG_ALREADY_EXISTS)));
  Entries fresh;
  std::string key = entry.key;
  fresh.emplace(key, std::move(entry));
  if (user) {
    std::string taken = user->key;
    impl_->table.displaced.emplace(ladder::clashKey(taken), *user);
    impl_->table.user.erase(taken);
  }
  impl_->table.user.merge(fresh);
}

const ladder::Table &Registry::table() const { return impl_->table; }
void Registry::setPolicy(ladder::Policy policy) { impl_->table.policy = std::move(policy); }
void Registry::setAbsent(std::function<std::vector<ladder::Owner>(std::string_view key)> absent) {
  impl_->table.absent = std::move(absent);
}
const std::vector<PluginInfo> &Registry::plugins() const { return impl_->plugins; }

const EmitterEntry *Registry::emitter(std::string_view name) const {
  for (auto it = impl_->emitters.rbegin(); it != impl_->emitters.rend(); ++it)
    if ((*it)->name == name)
      return it->get();
  return nullptr;
}

const EmitterEntry *Registry::emitterForPath(std::string_view path) const {
  const EmitterEntry *best = nullptr;
  size_t longest = 0;
  for (const auto &emitter : impl_->emitters)
    for (const std::string &suffix : emitter->suffixes)
      if (path.ends_with(suffix) && suffix.size() >= longest) {
        longest = suffix.size();
        best = emitter.get();
      }
  return best;
}

const CompositeEntry *Registry::composite(std::string_view name) const { return impl_->composite(name); }
const StrategyEntry *Registry::strategy(std::string_view name) const { return impl_->strategy(name); }

template <typename Entries> static std::vector<std::string> namesOf(const Entries &entries) {
  std::set<std::string> names;
  for (const auto &entry : entries)
    names.insert(entry->name);
  return {names.begin(), names.end()};
}

bool isEntryPermission(std::string_view permission) {
  size_t colon = permission.find(':');
  std::string_view kind = permission.substr(0, colon);
  return colon != permission.npos && permission.substr(colon, 2) != "::" &&
         (kind == "emitter" || kind == "composite" || kind == "strategy");
}

bool Registry::isOverridden(std::string_view permission) const {
  std::string_view kind = permission.substr(0, permission.find(':'));
  std::string_view name = permission.substr(std::min(kind.size() + 1, permission.size()));
  if (const CompositeEntry *entry = composite(name); entry && kind == "composite")
    return !entry->over.empty();
  if (const StrategyEntry *entry = strategy(name); entry && kind == "strategy")
    return !entry->over.empty();
  if (kind != "emitter")
    return false;
  // An emitter takes the place of an earlier one by its name or by a suffix (judgeEmitter).
  const EmitterEntry *winner = emitter(name);
  for (const auto &earlier : impl_->emitters) {
    if (!winner || earlier.get() == winner)
      break;
    bool suffix = std::any_of(winner->suffixes.begin(), winner->suffixes.end(), [&](const std::string &own) {
      return std::count(earlier->suffixes.begin(), earlier->suffixes.end(), own) != 0;
    });
    if (earlier->name == name || suffix)
      return true;
  }
  return false;
}

std::vector<std::string> Registry::compositeNames() const { return namesOf(impl_->composites); }
std::vector<std::string> Registry::strategyNames() const { return namesOf(impl_->strategies); }

std::vector<const EmitterEntry *> Registry::emitters() const {
  std::vector<const EmitterEntry *> served;
  for (const auto &entry : impl_->emitters)
    if (emitter(entry->name) == entry.get())
      served.push_back(entry.get());
  return served;
}

} // namespace sixrung::plugin
