#include "core/plugin/version_range.hpp"

#include "core/plugin/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace sixrung::plugin {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
    text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t end; (end = text.find(separator)) != text.npos; text.remove_prefix(end + 1))
    parts.push_back(text.substr(0, end));
  parts.push_back(text);
  return parts;
}

bool isNumeric(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Numbers by value, and before words; words by their bytes.
int compareIdentifiers(std::string_view a, std::string_view b) {
  bool numericA = isNumeric(a), numericB = isNumeric(b);
  if (numericA != numericB)
    return numericA ? -1 : 1;
  if (numericA && a.size() != b.size())
    return a.size() < b.size() ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

} // namespace

bool VersionRange::parse(std::string_view text, bool partial, Version &out) {
  std::string whole(text);
  for (auto dots = std::count(text.begin(), text.end(), '.'); partial && dots < 2; ++dots)
    whole += ".0"; // "1.2-rc" gets no further than the check below
  if (!isSemanticVersion(whole))
    return false;
  std::string_view rest = std::string_view(whole).substr(0, whole.find('+')); // builds do not count
  size_t dash = rest.find('-');
  size_t i = 0;
  for (std::string_view number : split(rest.substr(0, dash), '.'))
    std::from_chars(number.data(), number.data() + number.size(), out.numbers[i++]);
  if (dash != rest.npos)
    for (std::string_view part : split(rest.substr(dash + 1), '.'))
      out.prerelease.emplace_back(part);
  return true;
}

int VersionRange::compare(const Version &a, const Version &b) {
  if (a.numbers != b.numbers)
    return a.numbers < b.numbers ? -1 : 1;
  if (a.prerelease.empty() || b.prerelease.empty())
    return static_cast<int>(a.prerelease.empty()) - static_cast<int>(b.prerelease.empty());
  for (size_t i = 0; i < std::min(a.prerelease.size(), b.prerelease.size()); ++i)
    if (int order = compareIdentifiers(a.prerelease[i], b.prerelease[i]))
      return order;
  return a.prerelease.size() < b.prerelease.size() ? -1 : a.prerelease.size() > b.prerelease.size();
}

VersionRange::VersionRange(std::string_view text) {
  for (std::string_view part : split(text, ',')) {
    std::string_view word = trimmed(part);
    size_t digits = std::min(word.find_first_not_of("<>=!"), word.size());
    Bound bound{std::string(word.substr(0, digits)), {}};
    if (bound.op.empty())
      bound.op = "=";
    const auto ops = {"=", "==", "!=", "<", "<=", ">", ">="};
    if (std::find(ops.begin(), ops.end(), bound.op) == ops.end())
      throw std::invalid_argument(
          fmt::format("'{}' in '{}' is no comparison; write =, !=, <, <=, > or >=", bound.op, text));
    if (!parse(trimmed(word.substr(digits)), true, bound.version))
      throw std::invalid_argument(
          fmt::format("'{}' in '{}' is no version; write for example \">=1.2,<2\"", word, text));
    bounds_.push_back(std::move(bound));
  }
}

bool VersionRange::contains(std::string_view text) const {
  Version version;
  if (!parse(text, false, version))
    return false;
  bool named = version.prerelease.empty();
  for (const Bound &bound : bounds_) {
    int order = compare(version, bound.version);
    char first = bound.op[0];
    bool equal = bound.op.size() == 2 || first == '=';
    bool holds = first == '!' ? order != 0 : first == '<' ? order < 0 : first == '>' ? order > 0 : false;
    if (!holds && !(first != '!' && equal && order == 0))
      return false;
    named |= !bound.version.prerelease.empty() && bound.version.numbers == version.numbers;
  }
  return named;
}

} // namespace sixrung::plugin
