#include "core/plugin/file.hpp"
#include "core/plugin/library.hpp"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/SHA256.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace sixrung::plugin {
namespace {

constexpr uint64_t kLargestFile = uint64_t{512} << 20;

FileIdentity identityOf(const struct stat &s) {
#if defined(__APPLE__)
  const timespec &modified = s.st_mtimespec, &changed = s.st_ctimespec;
#else
  const timespec &modified = s.st_mtim, &changed = s.st_ctim;
#endif
  auto nanoseconds = [](const timespec &t) { return int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec; };
  return {static_cast<uint64_t>(s.st_dev), static_cast<uint64_t>(s.st_ino), static_cast<uint64_t>(s.st_size),
          nanoseconds(modified), nanoseconds(changed)};
}

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0)
      ::close(fd);
  }
};

[[noreturn]] void fail(const std::string &file, const std::string &what) {
  throw Error(ErrorKind::kPlugin, fmt::format("plugin {}: {}", file, what)).with("file", file);
}

std::string hex(const std::array<uint8_t, 32> &digest) {
  std::string text;
  for (uint8_t byte : digest)
    text += fmt::format("{:02x}", byte);
  return text;
}

} // namespace

std::string PluginFile::name() const { return std::filesystem::path(path).filename().string(); }

FileIdentity identityOf(const std::string &path) {
  struct stat s;
  return ::stat(path.c_str(), &s) == 0 ? identityOf(s) : FileIdentity{};
}

PluginFile readPluginFile(const std::string &file) {
  if (file.empty() || file.find('\0') != file.npos)
    fail(file, "its path is empty or holds a NUL");
  std::error_code error;
  std::filesystem::path canonical = std::filesystem::canonical(libraryFile(file), error);
  if (error)
    fail(file, error.message());

  PluginFile result;
  result.path = canonical.string();
  // Without O_NONBLOCK a FIFO would wait for a writer.
  Descriptor in{::open(result.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  struct stat s;
  if (in.fd < 0 || ::fstat(in.fd, &s) != 0)
    fail(file, std::strerror(errno));
  if (S_ISDIR(s.st_mode))
    fail(file, "is a folder, no library");
  if (!S_ISREG(s.st_mode))
    fail(file, "is no regular file");
  result.identity = identityOf(s);
  if (result.identity.size > kLargestFile)
    fail(file, fmt::format("has {} bytes, more than the {} allowed", result.identity.size, kLargestFile));

  result.bytes.resize(result.identity.size);
  size_t done = 0;
  while (done < result.bytes.size()) {
    ssize_t n = ::read(in.fd, result.bytes.data() + done, result.bytes.size() - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      fail(file, std::strerror(errno));
    if (n == 0)
      fail(file, "became shorter while it was read");
    done += static_cast<size_t>(n);
  }
  result.sha256 = hex(llvm::SHA256::hash(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(result.bytes.data()), result.bytes.size())));
  return result;
}

} // namespace sixrung::plugin
