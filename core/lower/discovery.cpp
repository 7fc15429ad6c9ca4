#include "core/lower/discovery.hpp"

#include "core/graph/error.hpp"
#include "core/lower/session.hpp"
#include "core/plugin/library.hpp"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>

#include "llvm/Support/FileSystem.h"

namespace sixrung::lower {

namespace fs = std::filesystem;

static fs::path folderOfThisCode() {
  Dl_info info{};
  fs::path file;
  if (dladdr(reinterpret_cast<const void *>(&builtinFolder), &info) && info.dli_fname)
    file = info.dli_fname;
  std::error_code error;
  // Of a program the loader knows the name it was called by, which may be a bare word found on PATH.
  if (file.empty() || file.string().find('/') == std::string::npos || !fs::exists(file, error))
    file = llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&builtinFolder));
  fs::path canonical = fs::canonical(file, error);
  return error ? file.parent_path() : canonical.parent_path();
}

std::string builtinFolder() {
  if (const char *folder = std::getenv("SIXRUNG_BUILTIN_PLUGINS"); folder && *folder)
    return folder;
  // The package, the build tree and an installed bin/ or lib/, in this order.
  fs::path here = folderOfThisCode();
  std::error_code error;
  for (const char *place : {"plugins", "../plugins", "../lib/sixrung/plugins", "sixrung/plugins"})
    if (fs::path folder = (here / place).lexically_normal(); fs::is_directory(folder, error))
      return folder.string();
  return {};
}

std::string sdkFolder() {
  fs::path here = folderOfThisCode();
  std::error_code error;
  for (const char *place : {"sdk", "../sdk"})
    if (fs::path folder = (here / place).lexically_normal();
        fs::exists(folder / "include/sixrung/plugin.h", error))
      return folder.string();
  throw Error(ErrorKind::kIo, fmt::format("the SDK is not where it was installed: {}/../sdk", here.string()))
      .with("hint", "install sixrung again");
}

std::vector<std::string> pluginPathFolders() {
  std::vector<std::string> folders;
  const char *path = std::getenv("SIXRUNG_PLUGIN_PATH");
  for (std::string_view rest = path ? path : ""; !rest.empty();) {
    size_t end = std::min(rest.find(':'), rest.size());
    std::string folder(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (folder.empty())
      continue;
    std::error_code error;
    if (!fs::is_directory(folder, error))
      throw Error(ErrorKind::kPlugin, fmt::format("SIXRUNG_PLUGIN_PATH names {}, which is no folder", folder))
          .with("hint", "remove it from SIXRUNG_PLUGIN_PATH, or create it");
    folders.push_back(std::move(folder));
  }
  return folders;
}

std::vector<std::string> pluginFiles(const std::string &folder) {
  std::vector<std::string> files;
  std::string suffix = plugin::librarySuffix();
  std::error_code error, ignored;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == suffix &&
        !it->is_directory(ignored)) // a link that leads nowhere is refused by name
      files.push_back(it->path().string());
  if (error)
    throw Error(ErrorKind::kPlugin, fmt::format("plugins in {}: {}", folder, error.message()))
        .with("hint", "check who may read the folder");
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<ladder::Owner> absentPlugins(std::set<std::string> loaded, const std::string &builtins,
                                         std::string_view key) {
  std::vector<std::string> folders;
  if (!builtins.empty())
    folders.push_back(builtins);
  try {
    for (std::string &folder : pluginPathFolders())
      folders.push_back(std::move(folder));
  } catch (const Error &) {
    // This is advice on another error, which is the one to tell.
  }
  std::vector<ladder::Owner> found;
  for (const std::string &folder : folders)
    for (const std::string &place : {folder, (fs::path(folder) / "optional").string()}) {
      std::vector<std::string> files;
      try {
        files = pluginFiles(place);
      } catch (const std::exception &) {
        continue; // no such folder, or none we may read
      }
      for (const std::string &file : files)
        try {
          plugin::Manifest manifest = plugin::readManifest(file);
          const std::vector<std::string> &keys = manifest.lowerings;
          if (std::find(keys.begin(), keys.end(), key) != keys.end() && loaded.insert(manifest.id).second)
            found.push_back({manifest.id, manifest.version, file, {}, false});
        } catch (const std::exception &) {
          // A file that is no plugin serves nothing.
        }
    }
  return found;
}

} // namespace sixrung::lower
