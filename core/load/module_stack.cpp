#include "core/load/schema_reader.hpp"

namespace sixrung::load {
namespace {

// Cuts the text at each `separator` outside of brackets and parentheses.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '[' || c == '(')
      ++depth;
    else if (c == ']' || c == ')')
      --depth;
    else if (c == separator && depth == 0) {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

} // namespace

// "key,path,type;key,path,type", outermost first.
std::vector<graph::ModuleFrame> parseModuleStack(std::string_view text) {
  std::vector<graph::ModuleFrame> frames;
  if (text.empty())
    return frames;
  for (std::string_view item : split(text, ';')) {
    auto parts = split(item, ',');
    if (parts.size() == 3)
      frames.push_back({std::string(parts[1]), std::string(parts[2])});
  }
  return frames;
}

} // namespace sixrung::load
