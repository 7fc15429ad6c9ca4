// Any text as a symbolic expression.
#include "core/graph/error.hpp"
#include "core/graph/symbolic.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace sixrung::graph;
  std::string_view text(reinterpret_cast<const char *>(data), size);
  try {
    SymInt first{std::nullopt, parseSrepr(text)}, second{std::nullopt, parseSrepr(text)};
    if (toString(first).empty() || !(first == second))
      std::abort();
  } catch (const sixrung::Error &) {
  }
  return 0;
}
