#include "core/load/text.hpp"

#include <cstdint>
#include <cstring>
#include <fmt/format.h>

namespace sixrung::load {

size_t utf8Length(std::string_view text) {
  if (text.empty())
    return 0;
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char lead = byte(0);
  if (lead < 0x80)
    return 1;
  size_t length = lead >= 0xc2 && lead < 0xe0   ? 2
                  : lead >= 0xe0 && lead < 0xf0 ? 3
                  : lead >= 0xf0 && lead < 0xf5 ? 4
                                                : 0;
  if (length == 0 || text.size() < length)
    return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
  if ((lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) >= 0xa0) ||
      (lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) >= 0x90))
    return 0;
  return length;
}

bool isUtf8(std::string_view text) {
  while (!text.empty()) {
    uint64_t eight = 0; // nearly all text is ASCII
    if (text.size() >= sizeof eight) {
      std::memcpy(&eight, text.data(), sizeof eight);
      if (!(eight & 0x8080808080808080)) {
        text.remove_prefix(sizeof eight);
        continue;
      }
    }
    size_t length = utf8Length(text);
    if (length == 0)
      return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string printable(std::string_view text) {
  constexpr size_t kMaxShown = 120;
  std::string out;
  while (!text.empty() && out.size() < kMaxShown) {
    size_t length = utf8Length(text);
    unsigned char lead = static_cast<unsigned char>(text[0]);
    if (length == 0 || lead < 0x20 || lead == 0x7f) {
      out += fmt::format("\\x{:02x}", lead);
      length = 1;
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return text.empty() ? out : out + "...";
}

} // namespace sixrung::load
