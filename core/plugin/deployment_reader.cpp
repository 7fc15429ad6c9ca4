// The text of a deployment file, every key of it known, every value of the right kind.
#include "core/plugin/deployment.hpp"
#include "core/plugin/deployment_text.hpp"
#include "core/plugin/facts.hpp"
#include "core/plugin/version_range.hpp"

#include "core/graph/spelling.hpp"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/SHA256.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sixrung::plugin {

Error deploymentError(const std::string &path, size_t line, const std::string &what, ErrorKind kind) {
  return Error(kind, fmt::format("{}:{}: {}", path, line, what)).with("file", path);
}

toml::table parseToml(std::string_view text, const std::string &path) {
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error &error) {
    throw deploymentError(path, error.source().begin.line, std::string(error.description()));
  }
}

std::string overrideKey(std::string_view written) {
  for (std::string_view kind : {"emitter:", "composite:", "strategy:"})
    if (written.starts_with(kind) && !written.starts_with(std::string(kind) + ":"))
      return std::string(written);
  return graph::canonicalKey(written);
}

namespace {

namespace fs = std::filesystem;
using Keys = std::vector<std::string>;

class Reader {
public:
  Reader(std::string_view text, const std::string &path) : path_(path), root_(parseToml(text, path)) {
    out_.path = path;
    for (uint8_t byte :
         llvm::SHA256::hash(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(text.data()), text.size())))
      out_.sha256 += fmt::format("{:02x}", byte);
  }

  Deployment read() {
    allow(root_, "a deployment", {"name", "strict", "plugin", "override", "deny"});
    out_.name = string(root_, "name");
    if (out_.name.empty())
      throw deploymentError(path_, 1, "a deployment needs a name: name = \"production\"");
    if (const toml::node *strict = root_.get("strict")) {
      if (!strict->is_boolean())
        fail(*strict, "strict must be true or false");
      out_.strict = **strict->as_boolean();
    }
    plugins();
    overrides();
    denials();
    return std::move(out_);
  }

private:
  [[noreturn]] void fail(const toml::node &at, const std::string &what) const {
    throw deploymentError(path_, at.source().begin.line, what);
  }

  void allow(const toml::table &table, std::string_view what, const Keys &known) const {
    for (const auto &[key, value] : table) {
      std::string word(key.str());
      if (std::find(known.begin(), known.end(), word) != known.end())
        continue;
      std::string near = graph::nearest(word, known);
      throw deploymentError(path_, key.source().begin.line,
                            fmt::format("'{}' is no key of {}; {}", word, what,
                                        near.empty() ? fmt::format("known are {}", fmt::join(known, ", "))
                                                     : fmt::format("did you mean '{}'?", near)));
    }
  }

  // Empty when it is left out.
  std::string string(const toml::table &table, std::string_view key) const {
    const toml::node *node = table.get(key);
    if (!node)
      return {};
    if (!node->is_string())
      fail(*node, fmt::format("{} must be a string", key));
    std::string text = **node->as_string();
    if (text.empty() || graph::oneLine(text) != text)
      fail(*node, fmt::format("{} is empty, or holds a control character", key));
    return text;
  }

  void plugins() {
    const toml::node *list = root_.get("plugin");
    if (!list)
      return;
    if (list->is_table())
      fail(*list, "plugins are a list: write [[plugin]], with two brackets");
    if (!list->is_array_of_tables() && !(list->is_array() && list->as_array()->empty()))
      fail(*list, "plugin must be a list of tables: write [[plugin]]");
    for (const toml::node &entry : *list->as_array())
      plugin(*entry.as_table());
  }

  void plugin(const toml::table &table) {
    allow(table, "[[plugin]]", {"path", "id", "version", "sha256"});
    Deployment::Plugin one;
    one.line = table.source().begin.line;
    one.written = string(table, "path");
    if (one.written.empty())
      fail(table, "this plugin has no path");
    one.path = (fs::path(path_).parent_path() / one.written).lexically_normal().string();
    one.id = string(table, "id");
    if (!one.id.empty() && !isReverseDns(one.id))
      fail(*table.get("id"), fmt::format("'{}' is no id of a plugin, such as com.acme.lowerings", one.id));
    one.versions = string(table, "version");
    try {
      if (!one.versions.empty())
        VersionRange check(one.versions);
    } catch (const std::invalid_argument &error) {
      fail(*table.get("version"), error.what());
    }
    one.sha256 = string(table, "sha256");
    for (char &c : one.sha256)
      c = c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
    if (!one.sha256.empty() &&
        (one.sha256.size() != 64 || one.sha256.find_first_not_of("0123456789abcdef") != std::string::npos))
      fail(*table.get("sha256"), "sha256 must be 64 hexadecimal digits; sixrung deployment lock writes it");
    out_.plugins.push_back(std::move(one));
  }

  // A key as LADDER-0 has it, or a kind and a name.
  std::string key(const toml::node &at, std::string_view written) const {
    std::string key = overrideKey(written);
    bool lowering = key.find(':') == key.npos || key.find("::") != key.npos;
    auto fault = lowering ? keyFault(key) : std::nullopt;
    if (!lowering && key.back() == ':')
      fault = "a name is missing after the colon";
    if (fault)
      fail(at, fmt::format("'{}' is no key of an op: {}", written, *fault));
    return key;
  }

  void overrides() {
    const toml::node *node = root_.get("override");
    if (!node)
      return;
    if (!node->is_table())
      fail(*node, "override must be a table: [override], then \"KEY\" = \"PLUGIN ID\"");
    for (const auto &[name, value] : *node->as_table()) {
      if (!value.is_string() || !isReverseDns(**value.as_string()))
        fail(value, fmt::format("override of '{}' must name a plugin by its id; quote the key: \"{}\" = "
                                "\"com.acme.lowerings\"",
                                name.str(), name.str()));
      Deployment::Override one{key(value, name.str()), **value.as_string(), name.source().begin.line};
      for (const Deployment::Override &other : out_.overrides)
        if (ladder::clashKey(other.key) == ladder::clashKey(one.key))
          fail(value, fmt::format("'{}' is overridden in line {} already, as '{}'", name.str(), other.line,
                                  other.key));
      out_.overrides.push_back(std::move(one));
    }
    // toml++ sorts keys; messages should come in the file's order.
    std::stable_sort(out_.overrides.begin(), out_.overrides.end(),
                     [](const auto &a, const auto &b) { return a.line < b.line; });
  }

  void denials() {
    const toml::node *node = root_.get("deny");
    if (!node)
      return;
    if (!node->is_table())
      fail(*node, "deny must be a table: [deny], then keys = [...] and plugins = [...]");
    const toml::table &table = *node->as_table();
    allow(table, "[deny]", {"keys", "plugins"});
    strings(table, "keys", [&](const toml::node &at, const std::string &text) {
      out_.deniedKeys.push_back({key(at, text), at.source().begin.line});
    });
    strings(table, "plugins", [&](const toml::node &at, const std::string &text) {
      if (!isReverseDns(text))
        fail(at, fmt::format("'{}' is no id of a plugin, such as com.acme.lowerings", text));
      out_.deniedPlugins.push_back({text, at.source().begin.line});
    });
  }

  template <typename Take> void strings(const toml::table &table, std::string_view name, Take take) const {
    const toml::node *list = table.get(name);
    if (!list)
      return;
    if (!list->is_array())
      fail(*list, fmt::format("{} must be a list of strings", name));
    for (const toml::node &entry : *list->as_array()) {
      if (!entry.is_string())
        fail(entry, fmt::format("{} must be a list of strings", name));
      take(entry, **entry.as_string());
    }
  }

  const std::string &path_;
  toml::table root_;
  Deployment out_;
};

} // namespace

Deployment parseDeployment(std::string_view text, const std::string &path) {
  return Reader(text, path).read();
}

std::string deploymentText(const std::string &path) {
  constexpr uintmax_t kLargest = uintmax_t{4} << 20;
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  std::string wrong = status.type() == fs::file_type::not_found ? "there is no such file"
                      : error                                   ? error.message()
                      : fs::is_directory(status)                ? "it is a folder"
                      : !fs::is_regular_file(status)            ? "it is no regular file"
                      : fs::file_size(path, error) > kLargest
                          ? fmt::format("it is larger than {} bytes", kLargest)
                          : std::string();
  std::ifstream in;
  if (wrong.empty()) {
    in.open(path, std::ios::binary);
    if (!in)
      wrong = "it may not be read";
  }
  if (!wrong.empty())
    throw Error(ErrorKind::kIo, fmt::format("cannot read deployment '{}': {}", path, wrong))
        .with("file", path);
  std::ostringstream read;
  read << in.rdbuf();
  std::string text = std::move(read).str();
  // Other files of the same command line, given in its place.
  for (auto [magic, what] :
       {std::pair<std::string_view, const char *>{"PK\x03\x04", "a zip archive, as a .pt2 is"},
        {"\x7f"
         "ELF",
         "a program or library"}})
    if (text.starts_with(magic))
      throw Error(ErrorKind::kInvalidInput, fmt::format("'{}' is {}, no deployment file", path, what))
          .with("file", path)
          .with("hint", "a deployment file is TOML and begins with a name: docs/deployments.md");
  return text;
}

Deployment readDeployment(const std::string &path) { return parseDeployment(deploymentText(path), path); }

} // namespace sixrung::plugin
