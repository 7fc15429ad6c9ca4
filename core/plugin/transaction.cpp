#include "core/plugin/transaction.hpp"

#include "core/plugin/crossing.hpp"
#include "core/plugin/facts.hpp"
#include "core/plugin/handles.hpp"
#include "core/plugin/slots.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace sixrung::plugin {
namespace {

constexpr uint32_t kFirstLowering = offsetof(sixrung_lowering, user) + sizeof(void *);
constexpr uint32_t kFirstEmitter = offsetof(sixrung_emitter, user) + sizeof(void *);
constexpr size_t kLongestSuffixes = 1024;

HandleTable<Transaction *> &transactions() {
  static auto *table = new HandleTable<Transaction *>; // outlives every late call of a plugin
  return *table;
}

Transaction &resolve(sixrung_transaction handle) {
  if (auto found = transactions().find(handle.id))
    return **found;
  throw failure(SIXRUNG_STALE_HANDLE, "this transaction is over: entries are added inside init only");
}

std::vector<std::string> splitSuffixes(std::string_view text) {
  std::vector<std::string> suffixes;
  while (!text.empty()) {
    auto end = text.find(';');
    std::string_view one = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (one.size() < 2 || one[0] != '.' || one.find('/') != one.npos)
      throw failure(SIXRUNG_INVALID_ARGUMENT, fmt::format("'{}' is no file suffix such as .mlir", one));
    if (std::find(suffixes.begin(), suffixes.end(), one) == suffixes.end())
      suffixes.emplace_back(one);
  }
  return suffixes;
}

// The names on one side only, as one sentence.
void compare(std::vector<std::string> declared, std::vector<std::string> added, const char *kind,
             std::vector<std::string> &out) {
  std::sort(declared.begin(), declared.end());
  std::sort(added.begin(), added.end());
  std::vector<std::string> missing, extra;
  std::set_difference(declared.begin(), declared.end(), added.begin(), added.end(),
                      std::back_inserter(missing));
  std::set_difference(added.begin(), added.end(), declared.begin(), declared.end(),
                      std::back_inserter(extra));
  if (!missing.empty())
    out.push_back(
        fmt::format("its manifest declares {} init did not add: {}", kind, fmt::join(missing, ", ")));
  if (!extra.empty())
    out.push_back(
        fmt::format("init added {} its manifest does not declare: {}", kind, fmt::join(extra, ", ")));
}

} // namespace

void checkEntryFlags(uint32_t flags, const std::string &what) {
  if (flags & ~SIXRUNG_ENTRY_OVERRIDE)
    throw failure(SIXRUNG_INVALID_ARGUMENT, fmt::format("{} has flags {:#x}; this host knows {:#x} alone",
                                                        what, flags, SIXRUNG_ENTRY_OVERRIDE));
}

Transaction::Transaction(std::shared_ptr<const ladder::Owner> owner)
    : owner_(std::move(owner)), id_(transactions().insert(this)) {}
Transaction::~Transaction() { close(); }
void Transaction::close() { transactions().erase(id_); }

void Transaction::add(const sixrung_lowering *given) {
  auto lowering = checkedStruct(given, "the lowering", kFirstLowering);
  std::string_view key = checkedString(lowering.key, "the lowering's key", kLongestKey);
  if (auto fault = keyFault(key))
    throw failure(SIXRUNG_INVALID_ARGUMENT, fmt::format("the key '{}' is not canonical: {}", key, *fault));
  std::string what = fmt::format("the lowering of '{}'", key);
  checkEntryFlags(lowering.flags, what);
  if (!lowering.fn)
    throw failure(SIXRUNG_INVALID_ARGUMENT, what + " has no function");
  if (!keys_.emplace(ladder::clashKey(key)).second)
    throw failure(SIXRUNG_ALREADY_EXISTS, fmt::format("this plugin already added '{}'", key));
  ladder::Entry entry;
  entry.key = key;
  entry.fn = lowering.fn;
  entry.user = lowering.user;
  entry.owner = owner_;
  entry.declaredOverride = (lowering.flags & SIXRUNG_ENTRY_OVERRIDE) != 0;
  lowerings.push_back(std::move(entry));
}

void Transaction::add(const sixrung_emitter *given) {
  auto emitter = checkedStruct(given, "the emitter", kFirstEmitter);
  std::string_view name = checkedString(emitter.name, "the emitter's name", kLongestKey);
  if (!isEmitterName(name))
    throw failure(SIXRUNG_INVALID_ARGUMENT, fmt::format("'{}' is no name of an emitter", name));
  std::string what = fmt::format("the emitter '{}'", name);
  checkEntryFlags(emitter.flags, what);
  if (!emitter.fn)
    throw failure(SIXRUNG_INVALID_ARGUMENT, what + " has no function");
  for (const NewEmitter &other : emitters)
    if (other.entry.name == name)
      throw failure(SIXRUNG_ALREADY_EXISTS, fmt::format("this plugin already added {}", what));
  NewEmitter added;
  added.entry.name = name;
  added.entry.suffixes =
      splitSuffixes(checkedString(emitter.suffixes, "the emitter's suffixes", kLongestSuffixes));
  added.entry.fn = emitter.fn;
  added.entry.user = emitter.user;
  added.entry.owner = owner_;
  added.declaredOverride = (emitter.flags & SIXRUNG_ENTRY_OVERRIDE) != 0;
  emitters.push_back(std::move(added));
}

std::vector<std::string> differences(const Transaction &transaction, const Manifest &manifest) {
  std::vector<std::string> keys, overrides, names, composites, strategies, out;
  for (const ladder::Entry &entry : transaction.lowerings) {
    keys.push_back(entry.key);
    if (entry.declaredOverride)
      overrides.push_back(entry.key);
  }
  for (const NewEmitter &emitter : transaction.emitters)
    names.push_back(emitter.entry.name);
  compare(manifest.lowerings, keys, "lowerings", out);
  if (out.empty()) // a missing key would be told twice
    compare({manifest.overrides.begin(), manifest.overrides.end()}, overrides, "overrides", out);
  compare(manifest.emitters, names, "emitters", out);
  for (const NewComposite &composite : transaction.composites)
    composites.push_back(composite.entry->name);
  compare(manifest.composites, composites, "composites", out);
  for (const NewStrategy &strategy : transaction.strategies)
    strategies.push_back(strategy.entry->name);
  compare(manifest.strategies, strategies, "strategies", out);
  return out;
}

namespace slots {

sixrung_status *add_lowering(sixrung_transaction transaction, const sixrung_lowering *lowering) {
  return guarded([&] { resolve(transaction).add(lowering); });
}

sixrung_status *add_emitter(sixrung_transaction transaction, const sixrung_emitter *emitter) {
  return guarded([&] { resolve(transaction).add(emitter); });
}

sixrung_status *add_composite(sixrung_transaction transaction, const sixrung_composite *composite) {
  return guarded([&] { resolve(transaction).add(composite); });
}

sixrung_status *add_strategy(sixrung_transaction transaction, const sixrung_strategy *strategy) {
  return guarded([&] { resolve(transaction).add(strategy); });
}

// No capability beyond the table (ABI-6) while only registering; core/lower has some.
const void *get_extension(sixrung_str) { return nullptr; }

} // namespace slots

void fillPluginSlots(sixrung_host &host) {
  host.status_create = slots::status_create;
  host.status_release = slots::status_release;
  host.status_add = slots::status_add;
  host.status_code = slots::status_code;
  host.status_message = slots::status_message;
  host.get_extension = slots::get_extension;
  host.add_lowering = slots::add_lowering;
  host.add_emitter = slots::add_emitter;
  host.add_composite = slots::add_composite;
  host.add_strategy = slots::add_strategy;
}

} // namespace sixrung::plugin
