// The program as MLIR: text for .mlir, bytecode version 4 for .mlirb. The host serializes; this writes.
#include "../common/staged.hpp"
#include "../common/write.hpp"

#include "sixrung/sdk.hpp"

namespace {

using namespace sixrung;
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
    fail(SIXRUNG_INVALID_ARGUMENT, "the mlir emitter knows no format '" + format + "'",
         "give one of: text, generic, bytecode");
  return std::filesystem::path(emission.path()).extension() == ".mlirb" ? SIXRUNG_FORMAT_BYTECODE
                                                                        : SIXRUNG_FORMAT_TEXT;
}

void write(Emission &emission) {
  uint32_t format = formatOf(emission);
  std::string path = emission.path();
  InterruptGuard interrupts; // outlives what must be cleaned up
  Staged file(path, Kind::kFile);
  serializeTo(emission, format, file.descriptor(), path);
  file.commit();
}

constexpr EmitterRow kEmitters[] = {{"mlir", ".mlir;.mlirb", write}};

} // namespace

SIXRUNG_PLUGIN("org.sixrung.emit.mlir", "0.1.0", kEmitters);
