// Any text as the JSON of an archive whose zip is right, so that every mutation reaches the reader:
// models/model.json, then, after the byte 0x1e, the index of the weights.
#include "tests/core/load/pt2_builder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  sixrung::test::Pt2 pt2 = sixrung::test::Pt2::minimal();
  size_t cut = text.find('\x1e');
  pt2.entry("models/model.json").content = text.substr(0, cut);
  if (cut != text.npos)
    pt2.entry("weights_config.json").content = text.substr(cut + 1);
  sixrung::test::failure(pt2.bytes());
  return 0;
}
