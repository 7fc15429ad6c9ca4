// A plugin file: its bytes, read once, from which everything is judged.
#pragma once

#include "core/plugin/registry.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace sixrung::plugin {

// Tells whether two names mean one file, and whether it was touched in between.
struct FileIdentity {
  uint64_t device = 0, inode = 0, size = 0;
  int64_t modified = 0, changed = 0; // nanoseconds; `changed` moves on rename and on every write
  bool sameFile(const FileIdentity &other) const { return device == other.device && inode == other.inode; }
  bool operator==(const FileIdentity &) const = default;
};

struct PluginFile {
  std::string path; // canonical
  FileIdentity identity;
  std::string bytes;
  std::string sha256; // of `bytes`, lower-case hex
  // The file's name without its folder, for messages.
  std::string name() const;
};

// Throws Error(kPlugin) unless it is a readable regular file of sane size.
PluginFile readPluginFile(const std::string &file);
// The identity the path has now; all zero when there is no such file.
FileIdentity identityOf(const std::string &path);

// The manifest inside an ELF or Mach-O image. `native` tells whether this host can open it.
struct Embedded {
  std::string text;
  std::string format; // as LLVM names it: "elf64-x86-64", "Mach-O arm64"
  bool native = false;
};
Embedded readEmbedded(std::string_view bytes);
std::string hostMachine(); // "x86_64 linux", for messages
// All of it, with the file named in the errors.
Manifest manifestOf(const PluginFile &file, bool *native = nullptr);

// What loading needs to know of a file; its bytes are gone.
struct JudgedFile {
  PluginFile file; // without bytes
  Manifest manifest;
  bool native = false;
};
// Reads and judges a file, once for as long as it is not touched. Call with loadMutex held.
JudgedFile judgeFile(const std::string &file);

} // namespace sixrung::plugin
