// The manifest's text (ABI-3). Lines end with a newline or, as C arrays end, with NUL.
#include "core/plugin/facts.hpp"
#include "core/plugin/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace sixrung::plugin {
namespace {

constexpr std::string_view kMagic = "sixrung-manifest 1";

[[noreturn]] void fail(const std::string &what) {
  throw Error(ErrorKind::kPlugin, "manifest: " + what)
      .with("hint", "sixrung_add_plugin and SIXRUNG_PLUGIN write it; do not edit it by hand");
}

// Text of a hostile file is shown, not echoed.
std::string shown(std::string_view text) {
  std::string safe(text.substr(0, 80));
  for (char &c : safe)
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F)
      c = '?';
  return text.size() > 80 ? safe + "..." : safe;
}

uint32_t number(std::string_view text, std::string_view line) {
  uint32_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    fail(fmt::format("'{}' holds no number", shown(line)));
  return value;
}

class Parser {
public:
  Manifest parse(std::string_view text) {
    bool first = true;
    while (!text.empty()) {
      auto end = text.find_first_of(std::string_view("\n\0", 2));
      std::string_view line = text.substr(0, end);
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
      if (line.empty())
        continue;
      if (first && line != kMagic)
        fail(fmt::format("it begins with '{}', not with '{}'", shown(line), kMagic));
      if (!first)
        take(line);
      first = false;
    }
    if (first)
      fail("it is empty");
    for (std::string_view word : {"id", "version", "abi", "min-host", "tier"})
      if (!seen_.count(std::string(word)))
        fail(fmt::format("the line '{} ...' is missing", word));
    // Without this a host of ABI 1.0 would load it and then learn that it lacks the slots.
    if (manifest_.minHostMinor < 1 && manifest_.composites.size() + manifest_.strategies.size() != 0)
      fail(fmt::format("it declares {}, which came with ABI 1.1, and 'min-host {}'; it must say 'min-host 1'",
                       manifest_.composites.empty() ? "strategies" : "composites", manifest_.minHostMinor));
    // A newer plugin may bring kinds of entries this host has no slot for; init then cannot add them.
    if (!unknown_.empty() && manifest_.abiMinor <= SIXRUNG_ABI_MINOR)
      fail(
          fmt::format("'{}' is no line of ABI {}.{}", shown(unknown_), SIXRUNG_ABI_MAJOR, SIXRUNG_ABI_MINOR));
    return std::move(manifest_);
  }

private:
  void take(std::string_view line) {
    if (line == kMagic)
      fail("there are two of them in one file");
    auto space = line.find(' ');
    std::string_view word = line.substr(0, space);
    std::string_view value = space == line.npos ? std::string_view{} : line.substr(space + 1);
    if (word == "lowering" || word == "override")
      takeKey(value, word == "override");
    else if (word == "emitter")
      takeName(value, "an emitter", manifest_.emitters);
    else if (word == "composite")
      takeName(value, "a composite", manifest_.composites);
    else if (word == "strategy")
      takeName(value, "a strategy", manifest_.strategies);
    else
      takeFact(word, value, line);
  }

  void takeFact(std::string_view word, std::string_view value, std::string_view line) {
    if (word == "id") {
      if (!isReverseDns(value))
        fail(fmt::format("the id '{}' is no reverse-DNS name such as com.acme.lowerings", shown(value)));
      manifest_.id = value;
    } else if (word == "version") {
      if (!isSemanticVersion(value))
        fail(fmt::format("the version '{}' is no semantic version such as 1.2.0", shown(value)));
      manifest_.version = value;
    } else if (word == "abi") {
      auto dot = value.find('.');
      manifest_.abiMajor = number(value.substr(0, dot), line);
      manifest_.abiMinor = number(dot == value.npos ? std::string_view{} : value.substr(dot + 1), line);
    } else if (word == "min-host") {
      manifest_.minHostMinor = number(value, line);
    } else if (word == "tier") {
      manifest_.tier = number(value, line);
    } else {
      if (unknown_.empty())
        unknown_ = line;
      return;
    }
    if (!seen_.insert(std::string(word)).second)
      fail(fmt::format("the line '{} ...' stands twice", word));
  }

  void takeKey(std::string_view key, bool override) {
    if (auto fault = keyFault(key))
      fail(fmt::format("the key '{}' is not canonical: {}", shown(key), *fault));
    if (!keys_.insert(std::string(key)).second)
      fail(fmt::format("the key '{}' stands twice", key));
    manifest_.lowerings.emplace_back(key);
    if (override)
      manifest_.overrides.emplace(key);
  }

  void takeName(std::string_view name, std::string_view what, std::vector<std::string> &names) {
    if (!isEmitterName(name))
      fail(fmt::format("'{}' is no name of {}", shown(name), what));
    if (std::find(names.begin(), names.end(), name) != names.end())
      fail(fmt::format("the name '{}' of {} stands twice", name, what));
    names.emplace_back(name);
  }

  Manifest manifest_;
  std::set<std::string> seen_, keys_;
  std::string unknown_;
};

} // namespace

Manifest parseManifest(std::string_view text) { return Parser().parse(text); }

} // namespace sixrung::plugin
