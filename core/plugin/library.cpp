#include "core/plugin/library.hpp"

// Boost.DLL names, opens and resolves, nothing else (ABI-3).
#define BOOST_DLL_USE_STD_FS
#include <boost/dll/runtime_symbol_info.hpp>
#include <boost/dll/shared_library.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <map>

namespace sixrung::plugin {
namespace {

namespace dll = boost::dll;

struct Opened {
  dll::shared_library library;
  std::string sha256;
};

// By canonical path. Never destroyed: a library is never unloaded, not even when it was refused after it
// was opened, since its code may have left threads and exit handlers behind (ABI-15).
std::map<std::string, Opened> &opened() {
  static auto *all = new std::map<std::string, Opened>;
  return *all;
}

[[noreturn]] void fail(const std::string &what) { throw Error(ErrorKind::kPlugin, what); }

// dlsym also looks into the libraries a plugin depends on: an entry found there is another plugin's.
bool standsIn(sixrung_entry_fn entry, const PluginFile &file) {
  std::error_code error;
  auto location = dll::symbol_location_ptr(reinterpret_cast<void *>(entry), error);
  return error || std::filesystem::equivalent(location, file.path, error) || error;
}

sixrung_entry_fn entryOf(const dll::shared_library &library, const PluginFile &file) {
  if (!library.has(SIXRUNG_ENTRY_NAME_STRING))
    fail("does not export " SIXRUNG_ENTRY_NAME_STRING
         ": is the entry point static, or hidden by the linker?");
  auto entry = &library.get<const sixrung_plugin_descriptor *()>(SIXRUNG_ENTRY_NAME_STRING);
  if (!standsIn(entry, file))
    fail("does not export " SIXRUNG_ENTRY_NAME_STRING " itself; a library it depends on does");
  return entry;
}

} // namespace

std::string librarySuffix() { return dll::shared_library::suffix().string(); }

std::string libraryFile(const std::string &name) {
  std::filesystem::path path(name);
  std::error_code error;
  if (path.has_extension() || !path.has_filename() || std::filesystem::exists(path, error))
    return name;
  std::filesystem::path decorated = dll::shared_library::decorate(path);
  return std::filesystem::exists(decorated, error) ? decorated.string() : name;
}

std::mutex &loadMutex() {
  static auto *mutex = new std::mutex;
  return *mutex;
}

// The bytes judged must be the bytes opened (ABI-14). dlopen takes a name, and the ways to hand it an
// open file instead cost more than they give: /proc/self/fd/N is Linux alone, the loader would take a
// later plugin at the same number for this one, $ORIGIN and debuggers lose the file, and a sealed copy
// in memory adds a second image of each plugin to those. So the file is opened by its canonical path and
// identity (device, inode, size, times of content and of status) is compared just before and just after:
// replacing, renaming or writing the file moves the status time, which no one can set back. Nothing of
// the plugin's entry point has run when the second look refuses it.
sixrung_entry_fn openLibrary(const PluginFile &file) {
  if (auto it = opened().find(file.path); it != opened().end()) {
    // The loader would give the old code for the new file.
    if (it->second.sha256 != file.sha256)
      fail(
          "changed since this process loaded it; libraries are never unloaded (ABI-15): restart the process");
    return entryOf(it->second.library, file);
  }
  if (identityOf(file.path) != file.identity)
    fail("changed while it was being loaded");
  dll::shared_library library;
  try {
    library.load(file.path, dll::load_mode::rtld_now | dll::load_mode::rtld_local);
  } catch (const std::exception &error) {
    fail(fmt::format("cannot be opened: {}", error.what()));
  } // An exception out of a static initializer ends the process: dlopen lets none through (hence ABI-11).
  auto &kept = opened().emplace(file.path, Opened{std::move(library), file.sha256}).first->second;
  if (identityOf(file.path) != file.identity)
    fail("changed while it was being loaded");
  return entryOf(kept.library, file);
}

} // namespace sixrung::plugin
