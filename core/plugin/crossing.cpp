#include "core/plugin/crossing.hpp"

#include <fmt/format.h>

namespace sixrung::plugin {

bool isUtf8(std::string_view text) {
  auto at = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  for (size_t i = 0; i < text.size();) {
    unsigned char lead = at(i);
    size_t more = lead < 0x80 ? 0 : lead >= 0xC2 && lead < 0xE0 ? 1 : (lead & 0xF0) == 0xE0 ? 2 : 3;
    if (lead >= 0x80 && (lead < 0xC2 || lead > 0xF4))
      return false;
    if (text.size() - i <= more)
      return false;
    for (size_t k = 1; k <= more; ++k)
      if ((at(i + k) & 0xC0) != 0x80)
        return false;
    // Overlong forms, surrogates, and beyond U+10FFFF.
    if ((lead == 0xE0 && at(i + 1) < 0xA0) || (lead == 0xED && at(i + 1) > 0x9F) ||
        (lead == 0xF0 && at(i + 1) < 0x90) || (lead == 0xF4 && at(i + 1) > 0x8F))
      return false;
    i += more + 1;
  }
  return true;
}

std::string_view checkedString(sixrung_str text, const char *what, size_t longest) {
  if (!text.data && text.size)
    throw failure(SIXRUNG_INVALID_ARGUMENT, fmt::format("{} is NULL with a size of {}", what, text.size));
  if (text.size > longest)
    throw failure(SIXRUNG_INVALID_ARGUMENT,
                  fmt::format("{} has {} bytes, more than the {} allowed", what, text.size, longest));
  std::string_view view(text.data ? text.data : "", static_cast<size_t>(text.size));
  if (!isUtf8(view))
    throw failure(SIXRUNG_INVALID_ARGUMENT, fmt::format("{} is not UTF-8", what));
  return view;
}

} // namespace sixrung::plugin
