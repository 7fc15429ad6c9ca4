// Who may take which key (ABI-12), judged before anything is changed.
#pragma once

#include "core/plugin/transaction.hpp"

#include <string>
#include <vector>

namespace sixrung::plugin {

using Entries = std::map<std::string, ladder::Entry, std::less<>>;

struct Verdict {
  std::vector<std::string> clashes; // one sentence each; the load is refused when there is one
  std::vector<std::string> remarks;
  std::vector<std::string> takenUserKeys; // keys of user entries that lose their place
};

// "com.acme.lowerings 1.0.0 (/opt/acme/libacme.so)"
std::string describe(const ladder::Owner &owner);

// What happens when `key` enters the table for `owner`.
void judgeLowering(const ladder::Table &table, const ladder::Owner &owner, std::string_view key,
                   bool declaredOverride, const LoadOptions &options, Verdict &verdict);
void judgeEmitter(const std::vector<std::unique_ptr<EmitterEntry>> &emitters, const ladder::Owner &owner,
                  const NewEmitter &emitter, const LoadOptions &options, Verdict &verdict);
// The same for an entry that is found by its name: `kind` is "composite" or "strategy", `holder` who
// serves the name now, or nullptr.
void judgeNamed(std::string_view kind, const std::string &name, const ladder::Owner *holder,
                const ladder::Owner &owner, bool declaredOverride, const LoadOptions &options,
                Verdict &verdict);

} // namespace sixrung::plugin
