#include "core/load/archive.hpp"

#include "core/graph/error.hpp"
#include "core/load/text.hpp"

#include <c10/util/Exception.h>
#include <caffe2/serialize/in_memory_adapter.h>
#include <caffe2/serialize/inline_container.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sixrung::load {
namespace {

[[noreturn]] void failIo(const std::string &path, const std::string &why) {
  throw Error(ErrorKind::kIo, fmt::format("cannot read '{}': {}", printable(path), why));
}

// The file's bytes, mapped read-only: weights cost no memory until someone reads them.
std::pair<std::span<const std::byte>, std::shared_ptr<const void>> mapFile(const std::string &path) {
  // Non-blocking, so that a pipe is refused below and not waited for.
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    failIo(path, std::strerror(errno));
  std::shared_ptr<void> closer(nullptr, [fd](void *) { ::close(fd); });
  struct stat status{};
  if (::fstat(fd, &status) != 0)
    failIo(path, std::strerror(errno));
  if (S_ISDIR(status.st_mode))
    failIo(path, "it is a folder; give the .pt2 file");
  if (!S_ISREG(status.st_mode))
    failIo(path, "it is no regular file");
  if (status.st_size == 0)
    throw Error(ErrorKind::kInvalidInput, fmt::format("'{}' is empty", printable(path)));
  auto size = static_cast<size_t>(status.st_size);
  void *base = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (base == MAP_FAILED)
    failIo(path, std::strerror(errno));
  std::shared_ptr<const void> mapping(base, [size](void *p) { ::munmap(p, size); });
  return {{static_cast<const std::byte *>(base), size}, std::move(mapping)};
}

[[noreturn]] void failReader(const std::exception &error) {
  const auto *c10 = dynamic_cast<const c10::Error *>(&error); // its what() ends in a backtrace
  throw Error(ErrorKind::kInvalidInput,
              fmt::format("this is no readable .pt2 archive: {}",
                          printable(c10 ? c10->what_without_backtrace() : error.what())))
      .with("hint", "the file may be damaged; save it again with torch.export.save");
}

} // namespace

Archive::Archive(const std::string &path) {
  std::tie(bytes_, keepAlive_) = mapFile(path);
  open();
}

Archive::Archive(std::span<const std::byte> bytes, std::shared_ptr<const void> keepAlive)
    : bytes_(bytes), keepAlive_(std::move(keepAlive)) {
  open();
}

Archive::~Archive() = default;

void Archive::open() {
  directory_ = readZipDirectory(bytes_);
  // Before LibTorch looks inside, say what the other kinds of torch files are.
  if (!has("archive_format")) {
    if (has("data.pkl"))
      throw Error(ErrorKind::kInvalidInput, "this file was written by torch.save or torch.jit.save")
          .with("hint", "export the model with torch.export.export and save that with torch.export.save");
    throw Error(ErrorKind::kInvalidInput,
                "this zip file is no .pt2 archive: the record 'archive_format' is missing")
        .with("hint", "old releases of torch wrote another layout; save the program again");
  }
  try {
    auto adapter = std::make_shared<caffe2::serialize::MemoryReadAdapter>(bytes_.data(),
                                                                          static_cast<off_t>(bytes_.size()));
    reader_ = std::make_unique<caffe2::serialize::PyTorchStreamReader>(std::move(adapter));
  } catch (const std::exception &error) {
    failReader(error);
  }
}

bool Archive::has(std::string_view name) const {
  return directory_.records.find(name) != directory_.records.end();
}

std::vector<std::string> Archive::list(std::string_view prefix, std::string_view suffix) const {
  std::vector<std::string> names;
  for (auto at = directory_.records.lower_bound(prefix); at != directory_.records.end(); ++at) {
    std::string_view name = at->first;
    if (name.substr(0, prefix.size()) != prefix)
      break;
    if (name.size() >= prefix.size() + suffix.size() && name.substr(name.size() - suffix.size()) == suffix)
      names.emplace_back(name);
  }
  return names;
}

const ZipRecord &Archive::record(std::string_view name) const {
  auto found = directory_.records.find(name);
  if (found == directory_.records.end())
    throw Error(ErrorKind::kInvalidInput, fmt::format("the archive has no record '{}'", printable(name)))
        .with("hint", "the archive is incomplete; save it again with torch.export.save");
  return found->second;
}

std::string Archive::read(const std::string &name) const {
  const ZipRecord &expected = record(name);
  try {
    // The directory was checked by our reading of it; LibTorch must have read the same.
    if (reader_->getRecordSize(name) != expected.size)
      throw std::runtime_error(fmt::format("the record '{}' has two sizes", printable(name)));
    std::string bytes(expected.size, '\0');
    reader_->getRecord(name, bytes.data(), bytes.size());
    return bytes;
  } catch (const std::exception &error) {
    failReader(error);
  }
}

std::span<const std::byte> Archive::view(const std::string &name) const {
  const ZipRecord &expected = record(name);
  try {
    if (reader_->getRecordOffset(name) != expected.offset || reader_->getRecordSize(name) != expected.size)
      throw std::runtime_error(fmt::format("the record '{}' has two places", printable(name)));
  } catch (const std::exception &error) {
    failReader(error);
  }
  return bytes_.subspan(expected.offset, expected.size);
}

} // namespace sixrung::load
