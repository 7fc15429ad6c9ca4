// Loading plugins, transactions, clashes: one registry per converter session (ABI-11, ABI-12).
#pragma once

#include "core/graph/error.hpp"
#include "core/ladder/ladder.hpp"
#include "sixrung/plugin.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sixrung::plugin {

// The facts embedded in a plugin file, read without opening the library (ABI-3). The section holds
// lines: "sixrung-manifest 1", "id com.acme.x", "version 1.0.0", "abi 1.0", "min-host 0", "tier 1",
// then one line an entry: "lowering KEY", "override KEY", "emitter NAME"; since 1.1 "composite NAME",
// "strategy NAME".
struct Manifest {
  std::string id, version;
  uint32_t abiMajor = 0, abiMinor = 0, minHostMinor = 0, tier = 0;
  std::vector<std::string> lowerings; // canonical keys, overrides included
  std::set<std::string> overrides;    // those declared as overrides
  std::vector<std::string> emitters, composites, strategies;
  std::string format; // "elf64-x86-64", "mach-o arm64", as LLVM names it
};
// Reads ELF or Mach-O through llvm::object; throws Error(kPlugin) naming the file and what is wrong.
Manifest readManifest(const std::string &file);
Manifest parseManifest(std::string_view text); // the section's text alone

struct EmitterEntry {
  std::string name;
  std::vector<std::string> suffixes;
  sixrung_emit_fn fn = nullptr;
  void *user = nullptr;
  std::shared_ptr<const ladder::Owner> owner;
};

struct CompositeAttribute {
  std::string name;
  uint32_t tag = SIXRUNG_ARG_NONE;
  bool optional = false;
  graph::Argument fallback; // None: there is none
};

// A known operation and its meaning in ops. Immutable and kept until the registry goes.
struct CompositeEntry {
  std::string name;
  uint32_t version = 1;
  std::vector<std::string> inputs, outputs;
  std::vector<CompositeAttribute> attributes;
  ladder::Entry body; // its key is "composite::NAME"
  std::string over;   // id of the plugin whose entry it replaces; empty for none
};

struct StrategyEntry {
  std::string name;
  sixrung_strategy_fn fn = nullptr;
  void *user = nullptr;
  std::shared_ptr<const ladder::Owner> owner;
  std::string over;
};

struct LoadOptions {
  bool builtin = false;
  // Keys this load may take from others (ABI-12); "emitter:NAME", "composite:NAME", "strategy:NAME" for
  // other entries. A plugin's own declaration is no permission: only the one who deploys gives it.
  std::set<std::string> allowOverride;
  // The SHA-256 the file must have, in hex; empty when the deployment pins none (ABI-14).
  std::string sha256 = {};
};

// What `plugin list` shows.
struct PluginInfo {
  ladder::Owner owner;
  Manifest manifest;
  std::string fingerprint;          // free text of the descriptor
  std::vector<std::string> remarks; // overrides permitted but not declared, or declared for nothing
};

// Whether a permission is for an entry found by name, "emitter:NAME", "composite:NAME" or "strategy:NAME",
// and not for a key.
bool isEntryPermission(std::string_view permission);

class Registry {
public:
  // `host` is the table plugins are handed; it outlives the registry.
  explicit Registry(const sixrung_host *host);
  ~Registry(); // shutdown in reverse order; libraries stay loaded (ABI-15)
  Registry(const Registry &) = delete;

  // Manifest first, then Boost.DLL, descriptor checks, init into a transaction, commit all or
  // nothing. Throws Error(kPlugin); the registry is then as before.
  void load(const std::string &file, const LoadOptions &options = {});
  // Every plugin of a folder, by file name; for the built-ins beside the host.
  void loadBuiltins(const std::string &folder);
  // A lowering that came without a library: Python. Throws Error(kPlugin) on a clash,
  // "'KEY' is already registered; set allow_override=True to replace it", unless `allowOverride`.
  void addLowering(ladder::Entry entry, bool allowOverride);

  const ladder::Table &table() const;
  // What the deployment in use forbids; from then on a strict one refuses plugins without a pin.
  void setPolicy(ladder::Policy policy);
  // Who tells which plugins at hand are not loaded and would serve a key (ladder::Table::absent).
  void setAbsent(std::function<std::vector<ladder::Owner>(std::string_view key)> absent);
  const std::vector<PluginInfo> &plugins() const;
  const EmitterEntry *emitter(std::string_view name) const;
  // By the longest matching suffix of a path; nullptr when none takes it.
  const EmitterEntry *emitterForPath(std::string_view path) const;
  std::vector<const EmitterEntry *> emitters() const;
  // The ones that serve a name; nullptr when none does.
  const CompositeEntry *composite(std::string_view name) const;
  const StrategyEntry *strategy(std::string_view name) const;
  std::vector<std::string> compositeNames() const;
  std::vector<std::string> strategyNames() const;
  // Whether the entry behind a permission such as "composite:NAME" took another's place.
  bool isOverridden(std::string_view permission) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Slots of the host table core/plugin itself serves: statuses and transactions. core/lower and
// core/lower/emission fill the rest.
void fillPluginSlots(sixrung_host &host);

// The status type behind sixrung_status, and crossings to and from Error (ABI-7).
sixrung_status *toStatus(const Error &error);
sixrung_status *toStatus(uint32_t code, std::string_view message);
// Consumes a status (may be null); throws Error with its message and payload.
void throwIfFailed(sixrung_status *status, ErrorKind kind);
int64_t liveStatuses(); // for the leak gate

} // namespace sixrung::plugin
