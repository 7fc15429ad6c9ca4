// Stack traces as torch prints them into node metadata; both doors read them here.
#include "core/load/load.hpp"

#include <charconv>

namespace sixrung::load {
namespace {

// `File "model.py", line 7, in forward`; false for anything else.
bool readFrame(std::string_view line, graph::SourceFrame &out) {
  constexpr std::string_view kFile = "File \"", kLine = "\", line ", kIn = ", in ";
  // Frames are indented by at most two columns and source text by more, so that text which looks
  // like a frame is not taken for one.
  size_t indent = line.find_first_not_of(' ');
  if (indent == line.npos || indent > 2)
    return false;
  line.remove_prefix(indent);
  if (line.substr(0, kFile.size()) != kFile)
    return false;
  line.remove_prefix(kFile.size());
  size_t quote = line.rfind(kLine);
  if (quote == line.npos)
    return false;
  std::string_view rest = line.substr(quote + kLine.size());
  uint32_t number = 0;
  auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (error != std::errc{})
    return false;
  rest.remove_prefix(static_cast<size_t>(end - rest.data()));
  out.file = std::string(line.substr(0, quote));
  out.line = number;
  if (rest.substr(0, kIn.size()) == kIn)
    out.function = std::string(rest.substr(kIn.size()));
  return true;
}

} // namespace

std::vector<graph::SourceFrame> parseStackTrace(std::string_view trace) {
  std::vector<graph::SourceFrame> frames;
  while (!trace.empty()) {
    size_t end = trace.find('\n');
    graph::SourceFrame frame;
    if (readFrame(trace.substr(0, end), frame))
      frames.push_back(std::move(frame));
    trace.remove_prefix(end == trace.npos ? trace.size() : end + 1);
  }
  return frames;
}

} // namespace sixrung::load
