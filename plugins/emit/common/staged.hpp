// Writing aside and replacing at once: a reader of the target sees the old output or the new one,
// never half of either, and a failure leaves the old one.
#pragma once

#include "failure.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace sixrung::emit {

enum class Kind { kFile, kFolder };

// A place beside the target, on its file system, that vanishes unless committed.
//
// kFile: path() is an open, empty file; descriptor() writes to it. commit() renames it over the target.
// kFolder: path() is an empty folder for scratch files; what commit() is given inside it takes the
// target's place. An existing target is exchanged with it in one step (renameat2, renamex_np). File
// systems without that step (some network and FUSE ones) get two renames with the old folder put back
// when the second fails: a reader may then see no folder for an instant, never half of one.
class Staged {
public:
  Staged(const std::string &target, Kind kind) : target_(withoutTrailingSlash(target)), kind_(kind) {
    checkTarget();
    create();
  }
  ~Staged() {
    closeFile();
    std::error_code ignored;
    if (!path_.empty())
      std::filesystem::remove_all(path_, ignored);
  }
  Staged(const Staged &) = delete;

  const std::filesystem::path &path() const { return path_; }
  int descriptor() const { return descriptor_; }

  void commit() {
    if (descriptor_ >= 0) {
      int fd = descriptor_;
      descriptor_ = -1;
      if (close(fd) != 0) // network file systems report late
        failIo("cannot write", target_.string(), errno);
    }
    if (rename(path_.c_str(), target_.c_str()) != 0)
      failIo("cannot replace", target_.string(), errno);
    path_.clear();
  }
  void commit(const std::filesystem::path &finished) {
    if (rename(finished.c_str(), target_.c_str()) == 0)
      return;
    if (errno != ENOTEMPTY && errno != EEXIST)
      failIo("cannot write", target_.string(), errno);
    if (exchange(finished, target_))
      return; // the old output is inside path() now and goes with it
    std::filesystem::path old = path_ / "replaced";
    if (rename(target_.c_str(), old.c_str()) != 0)
      failIo("cannot replace", target_.string(), errno);
    if (rename(finished.c_str(), target_.c_str()) != 0) {
      int error = errno;
      rename(old.c_str(), target_.c_str());
      failIo("cannot replace", target_.string(), error);
    }
  }

private:
  static std::filesystem::path withoutTrailingSlash(std::string text) {
    while (text.size() > 1 && text.back() == '/')
      text.pop_back();
    return text;
  }

  void checkTarget() {
    const std::string shown = target_.string();
    std::filesystem::path folder = parent();
    struct stat info;
    if (stat(folder.c_str(), &info) != 0)
      failIo("cannot write '" + shown + "': folder", folder.string(), errno,
             "create the folder first: mkdir -p " + folder.string());
    if (!S_ISDIR(info.st_mode))
      failIo("cannot write '" + shown + "': '" + folder.string() + "' is no folder");
    if (lstat(target_.c_str(), &info) != 0) {
      if (errno == ENOENT)
        return;
      failIo("cannot write", shown, errno);
    }
    if (S_ISLNK(info.st_mode))
      failIo("'" + shown + "' is a symbolic link, which replacing would destroy",
             "give the path it points to, or remove the link");
    if (kind_ == Kind::kFile && !S_ISREG(info.st_mode))
      failIo("'" + shown + "' is a " + (S_ISDIR(info.st_mode) ? "folder" : "special file") +
                 ", and this format writes a regular file",
             "remove it, or choose another output path");
    if (kind_ == Kind::kFolder && !S_ISDIR(info.st_mode))
      failIo("'" + shown + "' is a file, and this format writes a folder",
             "remove it, or choose another output path");
    if (access(target_.c_str(), W_OK) != 0)
      failIo("cannot replace", shown, errno, "make it writable, or choose another output path");
    mode_ = info.st_mode & 07777;
  }

  void create() {
    static std::atomic<unsigned> counter{0};
    auto clock = static_cast<unsigned long long>(std::chrono::system_clock::now().time_since_epoch().count());
    for (int attempt = 0; attempt < 100; ++attempt) {
      char suffix[64];
      std::snprintf(suffix, sizeof suffix, ".sixrung-%ld-%u-%llx", static_cast<long>(getpid()), counter++,
                    clock + attempt);
      std::string name = ".";
      path_ = parent() / name.append(target_.filename().string()).append(suffix);
      bool made =
          kind_ == Kind::kFile
              ? (descriptor_ = open(path_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666)) >= 0
              : mkdir(path_.c_str(), 0777) == 0;
      if (made) {
        if (descriptor_ >= 0 && mode_)
          fchmod(descriptor_, mode_); // a replaced file keeps its permissions
        return;
      }
      if (errno != EEXIST)
        break;
    }
    int error = errno;
    path_.clear();
    failIo("cannot write into folder", parent().string(), error, "choose an output folder you may write to");
  }

  static bool exchange(const std::filesystem::path &a, const std::filesystem::path &b) {
#if defined(__APPLE__)
    return renamex_np(a.c_str(), b.c_str(), RENAME_SWAP) == 0;
#elif defined(RENAME_EXCHANGE)
    return renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
#else
    return false;
#endif
  }

  std::filesystem::path parent() const {
    std::filesystem::path folder = target_.parent_path();
    return folder.empty() ? std::filesystem::path(".") : folder;
  }
  void closeFile() {
    if (descriptor_ >= 0)
      close(descriptor_);
    descriptor_ = -1;
  }

  std::filesystem::path target_;
  Kind kind_;
  std::filesystem::path path_;
  int descriptor_ = -1;
  mode_t mode_ = 0;
};

} // namespace sixrung::emit
