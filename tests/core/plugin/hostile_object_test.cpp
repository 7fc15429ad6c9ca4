// Damaged files: readManifest throws or parses, and never crashes, hangs or runs code (ABI-3).
#include "core/plugin/file.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sixrung::plugin {
namespace {

namespace fs = std::filesystem;

std::string probe(const std::string &name) { return SIXRUNG_BUILD_DIR "/tests/probes/" + name + ".so"; }
std::string bytesOf(const std::string &file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// True when it parsed.
bool attempt(const std::string &bytes) {
  PluginFile file;
  file.path = "mutant.so";
  file.bytes = bytes;
  try {
    manifestOf(file);
    return true;
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::kPlugin);
    return false;
  }
}

void mutate(const std::string &good, size_t rounds) {
  std::mt19937 random(7);
  auto below = [&](size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random); };
  size_t headers = std::min<size_t>(good.size(), 1024);
  for (size_t round = 0; round < rounds; ++round) {
    std::string bad = good;
    for (size_t edits = 1 + below(8); edits > 0; --edits) {
      // Headers at both ends decide most: a third of the edits each, and a third anywhere.
      size_t at = round % 3 == 0   ? below(headers)
                  : round % 3 == 1 ? bad.size() - 1 - below(std::min<size_t>(bad.size(), 2048))
                                   : below(bad.size());
      constexpr char kExtremes[] = {0, 1, '\x7f', '\x80', '\xff'};
      bad[at] = below(2) ? kExtremes[below(5)] : static_cast<char>(below(256));
    }
    attempt(bad);
  }
}

// A Mach-O bundle with a manifest, written by hand: header, one segment of one section, the text.
std::string machO(const std::string &text) {
  std::string out;
  auto u32 = [&](uint32_t v) { out.append(reinterpret_cast<const char *>(&v), 4); };
  auto u64 = [&](uint64_t v) { out.append(reinterpret_cast<const char *>(&v), 8); };
  auto name = [&](std::string n) {
    n.resize(16);
    out += n;
  };
  const uint32_t commands = 72 + 80, offset = 32 + commands;
  for (uint32_t v : {0xfeedfacfu, 0x0100000cu, 0u, 8u, 1u, commands, 0u, 0u}) // MH_BUNDLE, arm64
    u32(v);
  u32(0x19), u32(commands), name("__TEXT");
  u64(0), u64(0x4000), u64(0), u64(offset + text.size()), u32(5), u32(5), u32(1), u32(0);
  name("__sixrung"), name("__TEXT");
  u64(offset), u64(text.size()), u32(offset);
  for (int i = 0; i < 7; ++i)
    u32(0);
  return out + text;
}

const std::string kText = "sixrung-manifest 1\nid com.acme.x\nversion 1.0.0\nabi 1.0\nmin-host 0\ntier 1\n"
                          "lowering acme::x.default\n";

TEST(HostileObject, GoodOnesParse) {
  Manifest elf = readManifest(probe("good"));
  EXPECT_EQ(elf.id, "org.sixrung.test.probe");
  EXPECT_EQ(elf.format.substr(0, 3), "elf");
  PluginFile file;
  file.bytes = machO(kText);
  bool native = true;
  Manifest mach = manifestOf(file, &native);
  EXPECT_EQ(mach.id, "com.acme.x");
  EXPECT_EQ(mach.format, "Mach-O arm64");
#if !defined(__APPLE__)
  EXPECT_FALSE(native);
#endif
}

TEST(HostileObject, EveryTruncation) {
  std::string good = bytesOf(probe("good"));
  ASSERT_FALSE(good.empty());
  for (size_t size = 0; size < good.size(); size += 1 + size / 64)
    attempt(good.substr(0, size));
  std::string mach = machO(kText);
  for (size_t size = 0; size < mach.size(); ++size)
    EXPECT_FALSE(attempt(mach.substr(0, size)));
}

TEST(HostileObject, MutatedElf) { mutate(bytesOf(probe("good")), 4000); }
TEST(HostileObject, MutatedMachO) { mutate(machO(kText), 20'000); }

TEST(HostileObject, MutatedUniversal) {
  std::string fat;
  auto big = [&](uint32_t v) {
    for (int shift = 24; shift >= 0; shift -= 8)
      fat.push_back(static_cast<char>(v >> shift));
  };
  std::string slice = machO(kText);
  for (uint32_t v : {0xcafebabeu, 1u, 0x0100000cu, 0u, 4096u, static_cast<uint32_t>(slice.size()), 12u})
    big(v);
  fat.resize(4096);
  fat += slice;
  EXPECT_TRUE(attempt(fat));
  mutate(fat, 5000);
}

// Many sections over one string table of megabytes took hours when every name was measured to its end. Here
// the table's middle cannot be read: who measures one ends the test.
TEST(HostileObject, NamesAreNotReadToTheirEnd) {
  const size_t page = static_cast<size_t>(::sysconf(_SC_PAGESIZE)), names = 4 * page, size = page + names;
  void *memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  char *elf = static_cast<char *>(memory);
  const char magic[] = {'\x7f', 'E', 'L', 'F', 2, 1, 1};
  std::memcpy(elf, magic, sizeof magic);
  auto put = [&](size_t at, uint64_t v, size_t bytes) { std::memcpy(elf + at, &v, bytes); };
  const size_t sections = (page - 64) / 64;
  put(16, 3, 2), put(18, 62, 2), put(20, 1, 4), put(40, 64, 8), put(52, 64, 2), put(58, 64, 2);
  put(60, sections, 2), put(62, 1, 2); // the second section holds the names
  for (size_t i = 0; i < sections; ++i)
    put(64 + 64 * i, 1, 4); // of each, its place in there; 0 would be no name
  put(64 + 64 + 4, 3, 4), put(64 + 64 + 24, page, 8), put(64 + 64 + 32, names, 8);
  std::memset(elf + page, 'a', names - 1);
  ASSERT_EQ(::mprotect(elf + 2 * page, 2 * page, PROT_NONE), 0);
  EXPECT_THROW(readEmbedded({elf, size}), Error);
  ::munmap(memory, size);
}

TEST(HostileObject, HugeSectionSizes) {
  std::string good = bytesOf(probe("good"));
  uint64_t table, huge = ~uint64_t{0} - 8;
  std::memcpy(&table, good.data() + 40, 8);
  for (size_t section = 0; table + (section + 1) * 64 <= good.size(); ++section)
    for (size_t field : {0, 24, 32}) { // name, offset, size
      std::string bad = good;
      std::memcpy(bad.data() + table + section * 64 + field, &huge, field ? 8 : 4);
      attempt(bad);
    }
}

TEST(HostileObject, FifosDoNotBlock) {
  std::string fifo = (fs::temp_directory_path() / "sixrung_fifo.so").string();
  ::unlink(fifo.c_str());
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_THROW(readManifest(fifo), Error);
  ::unlink(fifo.c_str());
}

TEST(HostileObject, Sha256) {
  std::string file = (fs::temp_directory_path() / "sixrung_sha.bin").string();
  std::ofstream(file, std::ios::binary) << "abc";
  EXPECT_EQ(readPluginFile(file).sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  fs::remove(file);
}

} // namespace
} // namespace sixrung::plugin
