#include "core/graph/spelling.hpp"

#include <algorithm>

namespace sixrung::graph {

size_t editDistance(std::string_view a, std::string_view b, size_t limit) {
  if (a.size() > b.size())
    std::swap(a, b);
  if (b.size() - a.size() > limit)
    return limit + 1;
  std::vector<size_t> row(a.size() + 1);
  for (size_t i = 0; i <= a.size(); ++i)
    row[i] = i;
  for (size_t j = 1; j <= b.size(); ++j) {
    size_t diagonal = row[0];
    row[0] = j;
    size_t best = row[0];
    for (size_t i = 1; i <= a.size(); ++i) {
      size_t above = row[i];
      row[i] = std::min({above + 1, row[i - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
      best = std::min(best, row[i]);
    }
    if (best > limit)
      return limit + 1;
  }
  return row.back();
}

size_t allowedEdits(std::string_view name) {
  return std::min<size_t>(3, std::max<size_t>(1, name.size() / 3));
}

std::string nearest(std::string_view name, const std::vector<std::string> &candidates) {
  size_t best = allowedEdits(name) + 1;
  std::string found;
  for (const std::string &candidate : candidates)
    if (size_t edits = editDistance(name, candidate, best - 1); edits < best) {
      best = edits;
      found = candidate;
    }
  return found;
}

static std::string escaped(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  auto escape = [&](unsigned char byte) {
    constexpr char kDigits[] = "0123456789abcdef";
    out += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
  };
  for (size_t i = 0; i < text.size(); ++i) {
    auto byte = static_cast<unsigned char>(text[i]);
    auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    if ((byte < 0x20 && kept.find(text[i]) == kept.npos) || byte == 0x7f) {
      escape(byte);
    } else if (byte == 0xc2 && next >= 0x80 && next < 0xa0) { // U+0080 to U+009F, controls of 8 bits
      escape(next);
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string printable(std::string_view text) { return escaped(text, "\n\t"); }
std::string oneLine(std::string_view text) { return escaped(text, ""); }

} // namespace sixrung::graph
