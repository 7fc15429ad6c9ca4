// Archives made by hand: the right ones torch writes, and the wrong ones nobody should.
#pragma once

#include "core/graph/error.hpp"
#include "core/graph/program.hpp"
#include "core/load/load.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sixrung::test {

struct ZipEntry {
  std::string name;
  std::string content;
  // Lies of the directory; the defaults are the truth.
  uint16_t method = 0;
  uint16_t flags = 0;
  int64_t sizeLie = 0, compressedLie = 0, offsetLie = 0; // added to the real number
};

class Pt2 {
public:
  std::vector<ZipEntry> entries;
  bool zip64 = false; // all numbers of the directory in their 64-bit fields, as for files beyond 4 GB
  // One input x of 2 floats, one parameter layer.weight, and y = x + weight.
  static Pt2 minimal();
  // The records of an archive from the data folder, to be spoilt.
  static Pt2 fixture(const std::string &name);

  ZipEntry &entry(std::string_view suffix); // the record whose name ends so
  // Replaces text in models/model.json; the text must be there.
  Pt2 &edit(std::string_view from, std::string_view to);
  Pt2 &edit(std::string_view record, std::string_view from, std::string_view to);
  // The whole node list.
  Pt2 &nodes(std::string_view json);
  std::string bytes() const;
};

std::string readFile(const std::string &path);
std::string fixturePath(const std::string &name);
graph::Program load(const std::string &bytes);
// The error of loading, "" when there is none; anything but sixrung::Error escapes.
std::string failure(const std::string &bytes);

} // namespace sixrung::test

#define EXPECT_REFUSED(bytes, text)                                                                          \
  do {                                                                                                       \
    std::string why = ::sixrung::test::failure(bytes);                                                       \
    EXPECT_NE(why.find(text), std::string::npos) << "got: " << why;                                          \
  } while (false)
