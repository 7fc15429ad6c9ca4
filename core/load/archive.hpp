// A .pt2 archive: its records by name. Knows zip and files, nothing of programs.
#pragma once

#include "core/load/zip_directory.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace caffe2::serialize {
class PyTorchStreamReader;
}

namespace sixrung::load {

class Archive {
public:
  // Maps the file. Another process that shortens it while it is mapped can still crash this one, as it
  // can any reader of mapped files; that is out of scope.
  explicit Archive(const std::string &path);
  // Reads from memory, which `keepAlive` holds.
  Archive(std::span<const std::byte> bytes, std::shared_ptr<const void> keepAlive);
  ~Archive();

  bool has(std::string_view name) const;
  // Record names that begin with `prefix` and end with `suffix`.
  std::vector<std::string> list(std::string_view prefix, std::string_view suffix) const;
  // A copy of a small record. Checksums are not verified: torch can be told not to write them.
  std::string read(const std::string &name) const;
  // The bytes of a record in place; valid as long as `keepAlive()` is held.
  std::span<const std::byte> view(const std::string &name) const;
  const std::shared_ptr<const void> &keepAlive() const { return keepAlive_; }

private:
  void open();
  const ZipRecord &record(std::string_view name) const;

  std::span<const std::byte> bytes_;
  std::shared_ptr<const void> keepAlive_;
  ZipDirectory directory_;
  std::unique_ptr<caffe2::serialize::PyTorchStreamReader> reader_;
};

} // namespace sixrung::load
