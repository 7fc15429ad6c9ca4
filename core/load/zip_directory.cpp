#include "core/load/zip_directory.hpp"

#include "core/graph/error.hpp"
#include "core/load/text.hpp"

#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <string_view>

namespace sixrung::load {
namespace {

constexpr uint32_t kEndSignature = 0x06054b50, kEnd64Signature = 0x06064b50, kLocatorSignature = 0x07064b50,
                   kEntrySignature = 0x02014b50, kLocalSignature = 0x04034b50;
constexpr size_t kEndSize = 22, kEnd64Size = 56, kLocatorSize = 20, kEntrySize = 46, kLocalSize = 30;
constexpr uint32_t kIn64 = 0xffffffff; // the real number stands in the 64-bit extra field

[[noreturn]] void fail(const std::string &why) {
  throw Error(ErrorKind::kInvalidInput, "this is no readable .pt2 archive: " + why)
      .with("hint", "the file may be truncated or damaged; save it again with torch.export.save");
}

class Reader {
public:
  explicit Reader(std::span<const std::byte> file) : file_(file) {}

  ZipDirectory read() {
    locate();
    uint64_t at = offset_;
    for (uint64_t i = 0; i < count_; ++i)
      at = entry(at);
    return std::move(directory_);
  }

private:
  bool inside(uint64_t at, uint64_t size) const { return at <= file_.size() && size <= file_.size() - at; }
  // Little endian, as zip and every host this runs on.
  template <typename T> T get(uint64_t at) const {
    T value;
    std::memcpy(&value, file_.data() + at, sizeof(T));
    return value;
  }
  std::string_view text(uint64_t at, uint64_t size) const {
    return {reinterpret_cast<const char *>(file_.data()) + at, size};
  }

  void locate() {
    std::optional<uint64_t> end;
    if (file_.size() >= kEndSize) {
      uint64_t last = file_.size() - kEndSize;
      uint64_t first = last > 0xffff ? last - 0xffff : 0; // behind it only a comment of 16-bit length
      for (uint64_t at = last + 1; at-- > first && !end;)
        if (get<uint32_t>(at) == kEndSignature)
          end = at;
    }
    if (!end && !(file_.size() >= 4 && get<uint32_t>(0) == kLocalSignature))
      throw Error(ErrorKind::kInvalidInput, "this is no .pt2 archive: it does not begin as one")
          .with("hint", "give the file that torch.export.save wrote");
    if (!end)
      fail("it has no zip directory");
    count_ = get<uint16_t>(*end + 10);
    uint64_t size = get<uint32_t>(*end + 12);
    offset_ = get<uint32_t>(*end + 16);
    if (get<uint16_t>(*end + 4) != 0 || get<uint16_t>(*end + 6) != 0)
      fail("it is one of several volumes");
    if (*end >= kLocatorSize && get<uint32_t>(*end - kLocatorSize) == kLocatorSignature) {
      uint64_t end64 = get<uint64_t>(*end - kLocatorSize + 8);
      if (!inside(end64, kEnd64Size) || get<uint32_t>(end64) != kEnd64Signature)
        fail("its 64-bit directory is missing");
      count_ = get<uint64_t>(end64 + 32);
      size = get<uint64_t>(end64 + 40);
      offset_ = get<uint64_t>(end64 + 48);
    }
    if (!inside(offset_, size) || count_ > size / kEntrySize)
      fail("its directory reaches beyond the file");
  }

  // Reads one entry and gives the place of the next.
  uint64_t entry(uint64_t at) {
    if (!inside(at, kEntrySize) || get<uint32_t>(at) != kEntrySignature)
      fail("an entry of its directory is malformed");
    uint64_t nameSize = get<uint16_t>(at + 28), extraSize = get<uint16_t>(at + 30),
             commentSize = get<uint16_t>(at + 32);
    if (!inside(at + kEntrySize, nameSize + extraSize + commentSize))
      fail("its directory reaches beyond the file");
    std::string_view name = text(at + kEntrySize, nameSize);
    if (!isUtf8(name) || name.find('\0') != name.npos)
      fail(fmt::format("the record name '{}' is not UTF-8 text", printable(name)));
    if (get<uint16_t>(at + 8) & 1)
      fail(fmt::format("the record '{}' is encrypted", printable(name)));
    if (get<uint16_t>(at + 10) != 0)
      fail(fmt::format("the record '{}' is compressed, which torch.export.save never does", printable(name)));
    uint64_t compressed = get<uint32_t>(at + 20), size = get<uint32_t>(at + 24),
             local = get<uint32_t>(at + 42);
    wideNumbers(at + kEntrySize + nameSize, extraSize, size, compressed, local);
    if (compressed != size)
      fail(fmt::format("the record '{}' has {} bytes stored and {} declared", printable(name), compressed,
                       size));
    add(name, local, size);
    return at + kEntrySize + nameSize + extraSize + commentSize;
  }

  // The 64-bit extra field holds, in this order, the numbers that did not fit.
  void wideNumbers(uint64_t at, uint64_t extraSize, uint64_t &size, uint64_t &compressed, uint64_t &local) {
    for (uint64_t end = at + extraSize; end - at >= 4;) {
      uint64_t id = get<uint16_t>(at), length = get<uint16_t>(at + 2);
      at += 4;
      if (length > end - at)
        return;
      if (id == 1) {
        uint64_t stop = at + length;
        for (uint64_t *number : {&size, &compressed, &local})
          if (*number == kIn64 && stop - at >= 8) {
            *number = get<uint64_t>(at);
            at += 8;
          }
        return;
      }
      at += length;
    }
  }

  void add(std::string_view name, uint64_t local, uint64_t size) {
    if (!inside(local, kLocalSize) || get<uint32_t>(local) != kLocalSignature ||
        get<uint16_t>(local + 8) != 0)
      fail(fmt::format("the record '{}' has no header where the directory says", printable(name)));
    uint64_t offset = local + kLocalSize + get<uint16_t>(local + 26) + get<uint16_t>(local + 28);
    if (!inside(offset, size))
      fail(fmt::format("the record '{}' reaches beyond the file", printable(name)));
    auto slash = name.find('/');
    std::string_view root = name.substr(0, slash == name.npos ? 0 : slash + 1);
    if (directory_.records.empty())
      directory_.root = root;
    if (root.empty() || root != directory_.root)
      fail(fmt::format("the record '{}' lies outside its one folder '{}'", printable(name),
                       printable(directory_.root)));
    if (!directory_.records.emplace(name.substr(root.size()), ZipRecord{offset, size}).second)
      fail(fmt::format("the record '{}' stands twice in the directory", printable(name)));
  }

  std::span<const std::byte> file_;
  uint64_t count_ = 0, offset_ = 0;
  ZipDirectory directory_;
};

} // namespace

ZipDirectory readZipDirectory(std::span<const std::byte> file) { return Reader(file).read(); }

} // namespace sixrung::load
