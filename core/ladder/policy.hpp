// What a deployment forbids and how strict it is. The table carries it to whoever resolves through it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace sixrung::ladder {

struct Policy {
  std::string deployment; // its name; empty when the session uses none
  std::string file;       // its file's name, without the folder
  std::string sha256;     // of the file's bytes, hex
  bool strict = false;    // unpinned plugins are refused, and warnings are errors
  // By clashKey, as the file has them; "emitter:NAME" and other kinds with their prefix.
  std::map<std::string, std::string, std::less<>> deniedKeys;
  std::set<std::string, std::less<>> deniedPlugins; // ids

  // Why `key` as served by `plugin` may not be used, as one sentence; empty when it may.
  std::string denial(std::string_view key, std::string_view plugin) const;
};

} // namespace sixrung::ladder
