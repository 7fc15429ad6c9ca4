// The directory of an archive, checked before anything reads through it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace sixrung::load {

struct ZipRecord {
  uint64_t offset = 0; // of the record's bytes in the file
  uint64_t size = 0;
};

struct ZipDirectory {
  std::string root;                                      // the one folder around all records: "model/"
  std::map<std::string, ZipRecord, std::less<>> records; // by name without the root
};

// torch writes every record stored, and that is all this accepts: no record can be larger than its
// archive, so there is nothing to inflate and no bomb. Throws Error(kInvalidInput) on compressed or
// encrypted records, records outside the file, duplicates, or a directory that is none.
ZipDirectory readZipDirectory(std::span<const std::byte> file);

} // namespace sixrung::load
