// The program as MLIR: text for .mlir, bytecode version 4 for .mlirb. The host serializes; this writes.
#include "../common/emission.hpp"
#include "../common/plugin_entry.hpp"
#include "../common/staged.hpp"

namespace {

using namespace sixrung::emit;

// Option "format" decides; else the suffix: bytecode for .mlirb, text for anything else.
uint32_t formatOf(const Emission &emission) {
  std::string format = emission.option("format");
  if (format == "text")
    return SIXRUNG_FORMAT_TEXT;
  if (format == "generic")
    return SIXRUNG_FORMAT_TEXT_GENERIC;
  if (format == "bytecode")
    return SIXRUNG_FORMAT_BYTECODE;
  if (!format.empty())
    throw Failure(SIXRUNG_INVALID_ARGUMENT, "the mlir emitter knows no format '" + format + "'",
                  "give one of: text, generic, bytecode");
  return std::filesystem::path(emission.path).extension() == ".mlirb" ? SIXRUNG_FORMAT_BYTECODE
                                                                      : SIXRUNG_FORMAT_TEXT;
}

sixrung_status *emit(const sixrung_host *host, void *, sixrung_emission handle) noexcept {
  return guarded(host, [&] {
    Emission emission = readEmission(host, handle);
    uint32_t format = formatOf(emission);
    InterruptGuard interrupts;
    Staged file(emission.path, Kind::kFile);
    serializeTo(host, handle, format, file.descriptor(), emission.path);
    file.commit();
  });
}

} // namespace

SIXRUNG_EMITTER_PLUGIN("org.sixrung.emit.mlir", "mlir", ".mlir;.mlirb", emit)
