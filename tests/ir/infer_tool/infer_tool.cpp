// Reads modules from standard input, separated by lines "// -----", and prints each with every
// result type inferred anew, or "error: " and why not. refine_test.py compares with coreai-core.
#include "core/graph/error.hpp"
#include "core/ir/builder.hpp"
#include "core/ir/dialect.hpp"

#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
namespace coreai = sixrung::coreai;

static LogicalResult reinfer(Operation *op) {
  auto inferring = dyn_cast<InferTypeOpInterface>(op);
  if (!inferring)
    return success();
  SmallVector<Type> types;
  if (failed(inferring.inferReturnTypes(op->getContext(), op->getLoc(), op->getOperands(),
                                        op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
                                        op->getRegions(), types)))
    return failure();
  for (auto [result, type] : llvm::zip_equal(op->getResults(), types))
    result.setType(type);
  return success();
}

static void run(MLIRContext *context, llvm::StringRef text) {
  try {
    OwningOpRef<ModuleOp> module = sixrung::ir::parse(context, text);
    bool ok = !module->walk([](Operation *op) { return WalkResult(reinfer(op)); }).wasInterrupted();
    if (!ok) {
      llvm::outs() << "error: inference failed\n";
      return;
    }
    module->walk([](coreai::GraphOp graph) {
      Operation *output = graph.getBodyRegion().front().getTerminator();
      graph.setFunctionType(FunctionType::get(graph.getContext(), graph.getFunctionType().getInputs(),
                                              output->getOperandTypes()));
    });
    sixrung::ir::serialize(*module, sixrung::ir::Format::kText, llvm::outs());
    llvm::outs() << "\n";
  } catch (const sixrung::Error &error) {
    llvm::outs() << "error: " << error.what() << "\n";
  }
}

int main() {
  auto input = llvm::MemoryBuffer::getSTDIN();
  if (!input)
    return 1;
  auto context = sixrung::ir::makeContext();
  SmallVector<llvm::StringRef> modules;
  (*input)->getBuffer().split(modules, "// -----\n");
  for (auto [i, text] : llvm::enumerate(modules)) {
    if (i)
      llvm::outs() << "// -----\n";
    run(context.get(), text);
  }
  return 0;
}
