// Pins written into the text itself, so that comments, order and layout stay.
#include "core/plugin/deployment.hpp"
#include "core/plugin/deployment_text.hpp"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace sixrung::plugin {
namespace {

struct Edit {
  size_t begin, end; // bytes replaced
  std::string text;
};

// The byte of a place; columns count characters, from 1.
size_t offsetOf(std::string_view text, const toml::source_position &place) {
  size_t at = 0;
  for (size_t line = 1; line < place.line && at < text.size(); ++line)
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  for (size_t column = 1; column < place.column && at < text.size(); ++column)
    do
      ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
  return at;
}

Edit pinOf(std::string_view text, const toml::table &plugin, const std::string &sha256) {
  if (const toml::node *pin = plugin.get("sha256"))
    return {offsetOf(text, pin->source().begin), offsetOf(text, pin->source().end),
            fmt::format("\"{}\"", sha256)};
  size_t after = offsetOf(text, plugin.get("path")->source().end);
  if (plugin.is_inline())
    return {after, after, fmt::format(", sha256 = \"{}\"", sha256)};
  // A line of its own below the path, indented and ended alike.
  size_t line = text.rfind('\n', after) == text.npos ? 0 : text.rfind('\n', after) + 1;
  std::string_view indent = text.substr(line, text.find_first_not_of(" \t", line) - line);
  size_t end = std::min(text.find('\n', after), text.size());
  bool windows = end > 0 && end < text.size() && text[end - 1] == '\r';
  size_t place = windows ? end - 1 : end;
  return {place, place, fmt::format("{}{}sha256 = \"{}\"", windows ? "\r\n" : "\n", indent, sha256)};
}

void replaceFile(const std::string &path, const std::string &text) {
  std::error_code error;
  std::string target = std::filesystem::canonical(path, error).string(); // the file, not a link to it
  llvm::SmallString<128> aside;
  int descriptor = -1;
  if (!error)
    error = llvm::sys::fs::createUniqueFile(target + ".%%%%%%%%", descriptor, aside);
  if (!error) {
    llvm::raw_fd_ostream out(descriptor, /*shouldClose=*/true);
    out << text;
    out.close();
    error = out.error();
    out.clear_error(); // told below; otherwise its destructor ends the process
  }
  if (!error)
    if (llvm::ErrorOr<llvm::sys::fs::perms> mode = llvm::sys::fs::getPermissions(target))
      error = llvm::sys::fs::setPermissions(aside, *mode);
  if (!error)
    error = llvm::sys::fs::rename(aside, target);
  if (!error)
    return;
  if (!aside.empty())
    llvm::sys::fs::remove(aside);
  throw Error(ErrorKind::kIo, fmt::format("cannot write deployment '{}': {}", path, error.message()))
      .with("file", path);
}

} // namespace

std::string withPins(std::string_view text, const std::string &path,
                     const std::vector<std::string> &sha256s) {
  toml::table root = parseToml(text, path);
  std::vector<Edit> edits;
  if (const toml::array *plugins = root["plugin"].as_array())
    for (size_t i = 0; i < plugins->size() && i < sha256s.size(); ++i)
      edits.push_back(pinOf(text, *plugins->get(i)->as_table(), sha256s[i]));
  std::sort(edits.begin(), edits.end(), [](const Edit &a, const Edit &b) { return a.begin > b.begin; });
  std::string out(text);
  for (const Edit &edit : edits)
    out.replace(edit.begin, edit.end - edit.begin, edit.text);
  // The edits are of text; what they mean is looked at before anyone writes it.
  Deployment before = parseDeployment(text, path), after = parseDeployment(out, path);
  bool same = after.plugins.size() == before.plugins.size() && after.name == before.name &&
              after.overrides.size() == before.overrides.size() && after.strict == before.strict;
  for (size_t i = 0; same && i < after.plugins.size(); ++i)
    same = after.plugins[i].path == before.plugins[i].path && after.plugins[i].id == before.plugins[i].id &&
           after.plugins[i].versions == before.plugins[i].versions && after.plugins[i].sha256 == sha256s[i];
  if (!same)
    throw Error(ErrorKind::kInternal, fmt::format("{}: the pins could not be written into this text", path));
  return out;
}

std::string describe(const Locked::Replaced &replaced) {
  return fmt::format("{} is another file than was pinned: {} before, {} now", replaced.path, replaced.before,
                     replaced.now);
}

Locked lockDeployment(const std::string &path, const Registry &registry) {
  std::string text = deploymentText(path);
  Deployment deployment = parseDeployment(text, path);
  Inspection seen = inspectDeployment(deployment, registry, /*pins=*/false);
  std::vector<std::string> pins;
  Locked locked;
  for (size_t i = 0; i < seen.plugins.size(); ++i) {
    const Deployment::Plugin &plugin = deployment.plugins[i];
    pins.push_back(seen.plugins[i].sha256);
    if (plugin.sha256 == pins.back())
      continue;
    ++locked.written;
    if (!plugin.sha256.empty())
      locked.replaced.push_back({plugin.written, plugin.sha256, pins.back()});
  }
  if (std::string pinned = withPins(text, path, pins); locked.written)
    replaceFile(path, pinned);
  return locked;
}

} // namespace sixrung::plugin
