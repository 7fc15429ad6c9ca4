// Untrusted bytes as text.
#pragma once

#include <string>
#include <string_view>

namespace sixrung::load {

// Length of the UTF-8 sequence `text` begins with, 0 when it is malformed (overlong, surrogate, cut off).
size_t utf8Length(std::string_view text);
bool isUtf8(std::string_view text);
// For messages: valid UTF-8 without control characters, shortened.
std::string printable(std::string_view text);

} // namespace sixrung::load
