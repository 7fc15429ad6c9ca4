// Files and zip directories that are none, or say what is not so.
#include "core/load/archive.hpp"
#include "pt2_builder.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace sixrung;
using sixrung::test::Pt2;
using sixrung::test::ZipEntry;

namespace {

std::string fileFailure(const std::string &path, ErrorKind kind) {
  try {
    load::loadPt2(path);
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "";
}

struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "sixrung_load_XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
};

ZipEntry extra(std::string name) {
  ZipEntry entry;
  entry.name = std::move(name);
  entry.content = "something";
  return entry;
}

} // namespace

TEST(Archive, PathsThatAreNoFiles) {
  Folder folder;
  EXPECT_NE(fileFailure(folder.path / "missing.pt2", ErrorKind::kIo).find("No such file"), std::string::npos);
  EXPECT_NE(fileFailure(folder.path, ErrorKind::kIo).find("is a folder"), std::string::npos);
  EXPECT_NE(fileFailure("", ErrorKind::kIo), "");
  std::string pipe = folder.path / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(fileFailure(pipe, ErrorKind::kIo).find("no regular file"), std::string::npos);
  std::ofstream(folder.path / "empty.pt2");
  EXPECT_NE(fileFailure(folder.path / "empty.pt2", ErrorKind::kInvalidInput).find("is empty"),
            std::string::npos);
  std::ofstream(folder.path / "text.pt2") << "this is no archive";
  EXPECT_NE(fileFailure(folder.path / "text.pt2", ErrorKind::kInvalidInput).find("this is no .pt2 archive"),
            std::string::npos);
}

TEST(Archive, ErrorsNameTheFile) {
  Folder folder;
  std::ofstream(folder.path / "text.pt2") << "this is no archive";
  try {
    load::loadPt2(folder.path / "text.pt2");
    FAIL();
  } catch (const Error &error) {
    bool named = false;
    for (const auto &[key, value] : error.payload())
      named |= key == "file" && value.find("text.pt2") != value.npos;
    EXPECT_TRUE(named);
  }
}

TEST(Archive, CompressedRecordsAndBombs) {
  Pt2 deflated = Pt2::minimal();
  deflated.entry("models/model.json").method = 8;
  EXPECT_REFUSED(deflated.bytes(), "is compressed");
  Pt2 encrypted = Pt2::minimal();
  encrypted.entry("models/model.json").flags = 1;
  EXPECT_REFUSED(encrypted.bytes(), "is encrypted");
  Pt2 lying = Pt2::minimal();
  lying.entry("models/model.json").sizeLie = 1 << 30;
  EXPECT_REFUSED(lying.bytes(), "stored and");
  Pt2 huge = Pt2::minimal();
  huge.entry("weight_0").sizeLie = huge.entry("weight_0").compressedLie = 0x7fffffff;
  EXPECT_REFUSED(huge.bytes(), "reaches beyond the file");
  Pt2 version = Pt2::minimal(); // LibTorch reads this one by itself
  version.entry(".data/version").sizeLie = version.entry(".data/version").compressedLie = 0x7fffffff;
  EXPECT_REFUSED(version.bytes(), "reaches beyond the file");
}

TEST(Archive, PlacesOfRecords) {
  Pt2 outside = Pt2::minimal();
  outside.entry("weight_0").offsetLie = 0x40000000;
  EXPECT_REFUSED(outside.bytes(), "no header where the directory says");
  Pt2 shifted = Pt2::minimal();
  shifted.entry("weight_0").offsetLie = 1;
  EXPECT_REFUSED(shifted.bytes(), "no header where the directory says");
  Pt2 twice = Pt2::minimal();
  twice.entries.push_back(extra("m/models/model.json"));
  EXPECT_REFUSED(twice.bytes(), "stands twice");
  Pt2 folders = Pt2::minimal();
  folders.entries.push_back(extra("other/record"));
  EXPECT_REFUSED(folders.bytes(), "outside its one folder 'm/'");
  Pt2 rootless = Pt2::minimal();
  rootless.entries.push_back(extra("record"));
  EXPECT_REFUSED(rootless.bytes(), "outside its one folder");
  Pt2 binary = Pt2::minimal();
  binary.entries.push_back(extra("m/\xff\xfe"));
  EXPECT_REFUSED(binary.bytes(), "record name 'm/\\xff\\xfe' is not UTF-8");
}

TEST(Archive, ChecksumsAreNotTrusted) {
  // torch.serialization.set_crc32_options(False) writes archives without them.
  std::string bytes = Pt2::minimal().bytes();
  size_t at = bytes.find("\"2.13.0\"");
  ASSERT_NE(at, bytes.npos);
  bytes[at + 6] = '1';
  EXPECT_EQ(test::failure(bytes), "");
}

TEST(Archive, DirectoriesOfFilesBeyondFourGigabytes) {
  Pt2 pt2 = Pt2::minimal();
  pt2.zip64 = true;
  EXPECT_EQ(test::failure(pt2.bytes()), "");
  pt2.entry("weight_0").sizeLie = pt2.entry("weight_0").compressedLie = int64_t{1} << 40;
  EXPECT_REFUSED(pt2.bytes(), "reaches beyond the file");
  pt2.entry("weight_0").sizeLie = pt2.entry("weight_0").compressedLie = -100; // wraps around
  EXPECT_REFUSED(pt2.bytes(), "reaches beyond the file");
  pt2.entry("weight_0").sizeLie = pt2.entry("weight_0").compressedLie = 0;
  pt2.entry("weight_0").offsetLie = INT64_MAX;
  EXPECT_REFUSED(pt2.bytes(), "no header where the directory says");
}

TEST(Archive, TheDirectoryItself) {
  std::string bytes = Pt2::minimal().bytes();
  auto patched = [&](size_t fromEnd, uint32_t value, size_t width) {
    std::string copy = bytes;
    for (size_t i = 0; i < width; ++i)
      copy[copy.size() - 22 + fromEnd + i] = static_cast<char>(value >> 8 * i);
    return copy;
  };
  EXPECT_REFUSED(patched(10, 0xffff, 2), "directory reaches beyond");
  EXPECT_REFUSED(patched(12, 0xffffff, 4), "directory reaches beyond");
  EXPECT_REFUSED(patched(16, 0xfffffff0, 4), "directory reaches beyond");
  EXPECT_REFUSED(patched(16, 0, 4), "entry of its directory is malformed");
  EXPECT_REFUSED(patched(4, 1, 2), "several volumes");
  EXPECT_NE(test::failure(patched(10, 0, 2)), "");
}

#ifdef __linux__
namespace {
size_t anonymousKilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("RssAnon:", 0) == 0)
      return std::stoul(line.substr(8));
  return 0;
}
} // namespace

TEST(Archive, WeightsCostNoMemory) {
  Folder folder;
  std::string path = folder.path / "large.pt2";
  const size_t bytes = size_t{64} << 20;
  {
    std::string count = std::to_string(bytes / 4);
    Pt2 pt2 = Pt2::minimal();
    pt2.entry("weight_0").content.assign(bytes, 'w');
    pt2.edit("weights_config.json", R"("sizes": [{"as_int": 2}])", R"("sizes": [{"as_int": )" + count + "}]");
    pt2.edit(R"("w": {"dtype": 7, "sizes": [{"as_int": 2}])",
             R"("w": {"dtype": 7, "sizes": [{"as_int": )" + count + "}]");
    std::ofstream(path, std::ios::binary) << pt2.bytes();
  }
  load::loadPt2(path); // LibTorch sets itself up once
  size_t before = anonymousKilobytes();
  graph::Program program = load::loadPt2(path);
  EXPECT_LT(anonymousKilobytes(), before + (4 << 10));
  const graph::TensorData &data = program.constants.at("layer.weight");
  EXPECT_EQ(data.extent, bytes);
  EXPECT_EQ(static_cast<char>(data.data[bytes - 1]), 'w');
}
#endif

TEST(Archive, ReadsByName) {
  load::Archive archive(test::fixturePath("constants.pt2"));
  EXPECT_TRUE(archive.has("models/model.json"));
  EXPECT_FALSE(archive.has("models/other.json"));
  EXPECT_EQ(archive.read("archive_format"), "pt2");
  EXPECT_EQ(archive.list("models/", ".json"), std::vector<std::string>{"models/model.json"});
  EXPECT_EQ(archive.view("data/weights/weight_1").size(), 96u);
  EXPECT_THROW(archive.read("models/other.json"), Error);
}
