#include "core/plugin/facts.hpp"

#include "core/graph/program.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sixrung::plugin {
namespace {

bool isAlpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWord(char c) { return isAlpha(c) || isDigit(c) || c == '_'; }

// Calls `part` for each piece between `separator`s; false as soon as one call is.
template <typename Part> bool eachPart(std::string_view text, char separator, Part part) {
  while (true) {
    auto end = text.find(separator);
    if (!part(text.substr(0, end)))
      return false;
    if (end == text.npos)
      return true;
    text.remove_prefix(end + 1);
  }
}

bool isNumber(std::string_view text) {
  return !text.empty() && text.size() <= 9 && std::all_of(text.begin(), text.end(), isDigit) &&
         (text.size() == 1 || text[0] != '0');
}

bool areIdentifiers(std::string_view text) { // dot-separated, of a pre-release or build
  return eachPart(text, '.', [](std::string_view part) {
    return !part.empty() &&
           std::all_of(part.begin(), part.end(), [](char c) { return isAlpha(c) || isDigit(c) || c == '-'; });
  });
}

} // namespace

bool isReverseDns(std::string_view id) {
  size_t labels = 0;
  return id.size() <= 128 &&
         eachPart(id, '.',
                  [&](std::string_view label) {
                    ++labels;
                    return !label.empty() && isAlpha(label[0]) &&
                           std::all_of(label.begin(), label.end(),
                                       [](char c) { return isWord(c) || c == '-'; });
                  }) &&
         labels >= 2;
}

bool isSemanticVersion(std::string_view version) {
  if (version.size() > 128)
    return false;
  if (auto plus = version.find('+'); plus != version.npos) {
    if (!areIdentifiers(version.substr(plus + 1)))
      return false;
    version = version.substr(0, plus);
  }
  if (auto dash = version.find('-'); dash != version.npos) {
    if (!areIdentifiers(version.substr(dash + 1)))
      return false;
    version = version.substr(0, dash);
  }
  size_t numbers = 0;
  return eachPart(version, '.', [&](std::string_view n) { return ++numbers <= 3 && isNumber(n); }) &&
         numbers == 3;
}

bool isEmitterName(std::string_view name) {
  return !name.empty() && name.size() <= 64 &&
         std::all_of(name.begin(), name.end(), [](char c) { return isWord(c) || c == '-'; });
}

std::optional<std::string> keyFault(std::string_view key) {
  if (key.empty())
    return "it is empty";
  if (key.size() > kLongestKey)
    return fmt::format("it has {} bytes, more than the {} allowed", key.size(), kLongestKey);
  if (!std::all_of(key.begin(), key.end(), [](char c) { return isWord(c) || c == '.' || c == ':'; }))
    return "it has a character that stands in no op name";
  if (std::string canonical = graph::canonicalKey(key); canonical != key)
    return fmt::format("write '{}' (LADDER-0)", canonical);
  auto ns = graph::keyNamespace(key);
  auto stem = graph::keyWithoutOverload(key);
  auto name = ns.empty() ? stem : stem.substr(ns.size() + 2);
  auto overload = key.substr(stem.size());
  auto isIdentifier = [](std::string_view text) {
    return !text.empty() && !isDigit(text[0]) && std::all_of(text.begin(), text.end(), isWord);
  };
  bool hasNamespace = key.find("::") != key.npos;
  if (!isIdentifier(name) || (hasNamespace && !isIdentifier(ns)) || overload == "." ||
      std::count(overload.begin(), overload.end(), ':'))
    return "it is no 'namespace::op.overload' and no bare operator";
  // Nodes always carry the overload, so such a key would never be matched. The dialect's own ops are
  // looked up without it and higher-order ops have none.
  if (hasNamespace && overload.empty() && ns != "coreai" && ns != "coreaix" && ns != "higher_order")
    return fmt::format("it lacks the overload: write '{}.default' or the overload meant", key);
  return std::nullopt;
}

} // namespace sixrung::plugin
