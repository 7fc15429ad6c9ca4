#include "core/ladder/steps.hpp"

namespace sixrung::ladder {
namespace {

using Entries = std::map<std::string, Entry, std::less<>>;

const Entry *find(const Entries &entries, std::string_view key) {
  auto it = entries.find(key);
  return it == entries.end() ? nullptr : &it->second;
}

void propose(Match &match, Rung rung, const Entry *entry) {
  if (!entry)
    return;
  if (match.entry) {
    if (entry != match.entry)
      match.losers.push_back(entry);
    return;
  }
  match.rung = rung;
  match.entry = entry;
}

// LADDER-1: installed for this very node by name.
class ExternalizedStep final : public Ladder::Step {
  using Step::Step;
  void offer(const Query &query, Match &match) const override {
    if (!query.node.empty())
      propose(match, Rung::kExternalized, find(table_.externalized, query.node));
  }
};

// LADDER-2: registered by the session, exact key. Built-ins never stand here.
class UserStep final : public Ladder::Step {
  using Step::Step;
  void offer(const Query &query, Match &match) const override {
    propose(match, Rung::kUser, find(table_.user, query.key));
  }
};

// LADDER-3: ATen, bare Python operators, and prims, which torch's own decompositions of ATen leave.
class AtenStep final : public Ladder::Step {
  using Step::Step;
  void offer(const Query &query, Match &match) const override {
    auto ns = graph::keyNamespace(query.key);
    if (ns.empty() || ns == "aten" || ns == "prims")
      propose(match, Rung::kAten, find(table_.builtin, query.key));
  }
};

// LADDER-4: the dialect's own ops, whatever the overload. A session's lowering written with another
// overload serves the op too, so it stands here before the built-in.
class CoreAiStep final : public Ladder::Step {
  using Step::Step;
  void offer(const Query &query, Match &match) const override {
    auto ns = graph::keyNamespace(query.key);
    if (ns != "coreai" && ns != "coreaix")
      return;
    propose(match, Rung::kCoreAi, findClash(table_.user, query.key));
    propose(match, Rung::kCoreAi, findClash(table_.builtin, query.key));
  }
};

// LADDER-5: ops that receive their graph modules.
class HigherOrderStep final : public Ladder::Step {
  using Step::Step;
  void offer(const Query &query, Match &match) const override {
    if (graph::keyNamespace(query.key) == "higher_order")
      propose(match, Rung::kHigherOrder, find(table_.builtin, query.key));
  }
};

// LADDER-6: nobody; missMessage() tells.
class ErrorStep final : public Ladder::Step {
  using Step::Step;
  void offer(const Query &, Match &match) const override {
    if (!match.entry)
      match.rung = Rung::kError;
  }
};

} // namespace

std::vector<std::unique_ptr<Ladder::Step>> makeSteps(const Table &table) {
  std::vector<std::unique_ptr<Ladder::Step>> steps;
  steps.push_back(std::make_unique<ExternalizedStep>(table));
  steps.push_back(std::make_unique<UserStep>(table));
  steps.push_back(std::make_unique<AtenStep>(table));
  steps.push_back(std::make_unique<CoreAiStep>(table));
  steps.push_back(std::make_unique<HigherOrderStep>(table));
  steps.push_back(std::make_unique<ErrorStep>(table));
  return steps;
}

} // namespace sixrung::ladder
