// The six-rung dispatch ladder (LADDER-1..6): who lowers a node. It names no op.
#pragma once

#include "core/graph/program.hpp"
#include "core/ladder/policy.hpp"
#include "sixrung/plugin.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sixrung::ladder {

// Who brought an entry.
struct Owner {
  std::string id;      // plugin id; "python" for a Python lowering
  std::string version; // semantic version; empty for Python
  std::string file;    // shared library or Python source file
  std::string sha256;  // of the file's bytes, hex; of a Python lowering's own source
  bool builtin = false;
};

// One lowering in the registry. Python lowerings enter through the same C signature.
struct Entry {
  std::string key; // canonical
  sixrung_lower_fn fn = nullptr;
  void *user = nullptr;
  std::shared_ptr<const Owner> owner;
  bool declaredOverride = false;
  std::string detail; // Python: "module.qualname"
};

// All entries of one session, filled by core/plugin. `user` entries are private plugins and Python
// callables; `builtin` entries came with the product. A key is in each map at most once.
struct Table {
  std::map<std::string, Entry, std::less<>> user;
  std::map<std::string, Entry, std::less<>> builtin;
  std::map<std::string, Entry, std::less<>> externalized; // by node name (rung 1)
  // User entries another user entry took over with permission, by clashKey: `explain` names them (ABI-13).
  std::multimap<std::string, Entry, std::less<>> displaced;
  Policy policy; // of the deployment in use
  // Plugins that are at hand but not loaded, and would serve a key. Asked only when nobody does; may be
  // empty.
  std::function<std::vector<Owner>(std::string_view key)> absent;
};

// Two keys clash when this is equal: coreai and coreaix ops are looked up without the overload
// (LADDER-4), so "coreai::quantize.default" clashes with "coreai::quantize".
std::string_view clashKey(std::string_view key);
// The entry of `entries` that clashes with `key`, or nullptr.
const Entry *findClash(const std::map<std::string, Entry, std::less<>> &entries, std::string_view key);

enum class Rung { kExternalized = 1, kUser = 2, kAten = 3, kCoreAi = 4, kHigherOrder = 5, kError = 6 };
std::string_view rungName(Rung rung); // "externalized", "user", "aten", "coreai", "higher_order", "error"

struct Match {
  Rung rung = Rung::kError;
  const Entry *entry = nullptr;      // null on rung 6
  std::vector<const Entry *> losers; // entries of lower rungs this one overrides
};

class Ladder {
public:
  explicit Ladder(const Table &table);
  ~Ladder();
  // The winner for a node; rung 6 when nobody serves it.
  Match resolve(const graph::Node &node) const;
  // The same for a bare key (dispatch from inside a lowering; rung 1 does not apply).
  Match resolveKey(std::string_view key) const;
  // The rung error for a node without a winner, in the field's wording, with advice.
  // Source paths under `sourceRoot` are told relative to it.
  std::string missMessage(const graph::Node &node, std::string_view sourceRoot = {}) const;
  // Keys close to `key`: other overloads of the same op first, then near spellings. At most `limit`.
  std::vector<std::string> suggestions(std::string_view key, size_t limit = 4) const;
  // "KEY would be served by PLUGIN VERSION (FILE): enable it with ..." for a key that nobody serves; empty
  // when no plugin at hand would.
  std::string absentAdvice(std::string_view key) const;
  const Policy &policy() const { return table_.policy; }

  class Step; // one rung: one class with one method

private:
  const Table &table_;
  std::vector<std::unique_ptr<Step>> steps_;
};

} // namespace sixrung::ladder
