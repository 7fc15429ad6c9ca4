// Any bytes as a .pt2 file.
#include "tests/core/load/pt2_builder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sixrung::test::failure({reinterpret_cast<const char *>(data), size});
  return 0;
}
