// Text and bytecode, out and in.
#include "core/graph/error.hpp"
#include "core/ir/builder.hpp"
#include "core/ir/diagnostics.hpp"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <cstring>

using namespace mlir;

namespace sixrung::ir {

// The newest version coreai-core reads from another MLIR: from 5 on, properties are laid out as the
// writer's own classes are.
static constexpr int64_t kBytecodeVersion = 4;

void serialize(ModuleOp module, Format format, llvm::raw_ostream &out, std::optional<size_t> largest) {
  if (format == Format::kBytecode) {
    BytecodeWriterConfig config("sixrung " SIXRUNG_PRODUCT_VERSION);
    config.setDesiredBytecodeVersion(kBytecodeVersion);
    if (failed(writeBytecodeToFile(module, out, config)))
      throw Error(ErrorKind::kInternal, "the module could not be written as bytecode");
    return;
  }
  OpPrintingFlags flags;
  flags.assumeVerified();
  if (format == Format::kTextGeneric)
    flags.printGenericOpForm();
  if (largest) // two digits a byte, behind "0x" and the alignment
    flags.elideLargeResourceString(static_cast<int64_t>(2 * *largest + 12));
  module->print(out, flags);
}

OwningOpRef<ModuleOp> parse(MLIRContext *context, StringRef bytes) {
  // Resources of bytecode are read where they lie, which needs an aligned buffer; text needs a zero
  // at its end.
  std::unique_ptr<llvm::WritableMemoryBuffer> buffer =
      llvm::WritableMemoryBuffer::getNewUninitMemBuffer(bytes.size(), "module", llvm::Align(64));
  if (!buffer)
    throw Error(ErrorKind::kInvalidInput, "the module is too large to be read");
  std::memcpy(buffer->getBufferStart(), bytes.data(), bytes.size());
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  Capture capture(context, /*withLocations=*/true);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, ParserConfig(context));
  if (!module)
    throw Error(ErrorKind::kInvalidInput, capture.message("this is neither MLIR text nor MLIR bytecode"));
  return module;
}

size_t opCount(ModuleOp module) {
  size_t count = 0;
  module->walk([&](Operation *op) { count += op != module.getOperation(); });
  return count;
}

} // namespace sixrung::ir
