#include "core/ladder/ladder.hpp"

#include "core/ladder/steps.hpp"

namespace sixrung::ladder {

std::string_view clashKey(std::string_view key) {
  auto ns = graph::keyNamespace(key);
  return ns == "coreai" || ns == "coreaix" ? graph::keyWithoutOverload(key) : key;
}

const Entry *findClash(const std::map<std::string, Entry, std::less<>> &entries, std::string_view key) {
  std::string_view stem = clashKey(key);
  // '.' sorts before every letter of an op's name, so keys of one stem stand together.
  for (auto it = entries.lower_bound(stem); it != entries.end() && it->first.starts_with(stem); ++it)
    if (clashKey(it->first) == stem)
      return &it->second;
  return nullptr;
}

std::string_view rungName(Rung rung) {
  switch (rung) {
  case Rung::kExternalized:
    return "externalized";
  case Rung::kUser:
    return "user";
  case Rung::kAten:
    return "aten";
  case Rung::kCoreAi:
    return "coreai";
  case Rung::kHigherOrder:
    return "higher_order";
  case Rung::kError:
    break;
  }
  return "error";
}

Ladder::Ladder(const Table &table) : table_(table), steps_(makeSteps(table)) {}
Ladder::~Ladder() = default;

Match Ladder::resolve(const graph::Node &node) const {
  Match match;
  for (const auto &step : steps_)
    step->offer({node.target, node.name}, match);
  if (match.entry) {
    auto [first, last] = table_.displaced.equal_range(clashKey(node.target));
    for (; first != last; ++first)
      match.losers.push_back(&first->second);
  }
  return match;
}

Match Ladder::resolveKey(std::string_view key) const {
  graph::Node node;
  node.target = key;
  return resolve(node);
}

} // namespace sixrung::ladder
