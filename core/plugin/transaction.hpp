// What one init brings, collected apart from the registry until all of it is judged (ABI-11).
#pragma once

#include "core/plugin/registry.hpp"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sixrung::plugin {

struct NewEmitter {
  EmitterEntry entry;
  bool declaredOverride = false;
};

struct NewComposite {
  std::unique_ptr<CompositeEntry> entry;
  bool declaredOverride = false;
};

struct NewStrategy {
  std::unique_ptr<StrategyEntry> entry;
  bool declaredOverride = false;
};

class Transaction {
public:
  explicit Transaction(std::shared_ptr<const ladder::Owner> owner);
  ~Transaction(); // its handle is stale from here on
  Transaction(const Transaction &) = delete;

  sixrung_transaction handle() const { return {id_}; }
  // No more entries: init has returned.
  void close();

  // Throw failure(): the slots turn it into a status.
  void add(const sixrung_lowering *lowering);
  void add(const sixrung_emitter *emitter);
  void add(const sixrung_composite *composite);
  void add(const sixrung_strategy *strategy);

  std::vector<ladder::Entry> lowerings;
  std::vector<NewEmitter> emitters;
  std::vector<NewComposite> composites;
  std::vector<NewStrategy> strategies;

private:
  std::shared_ptr<const ladder::Owner> owner_;
  std::set<std::string> keys_; // by clashKey
  uint64_t id_;
};

// Throws failure() for a flag no entry has.
void checkEntryFlags(uint32_t flags, const std::string &what);

// Sentences on what the entries and the manifest do not agree about; empty when they do (ABI-3).
std::vector<std::string> differences(const Transaction &transaction, const Manifest &manifest);

} // namespace sixrung::plugin
