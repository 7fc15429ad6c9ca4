// Private graphs: composites and sets of nodes cut out, named by what they hold.
#include "core/ir/builder_impl.hpp"

#include "llvm/Support/xxhash.h"

#include "fmt/format.h"

using namespace mlir;

namespace sixrung::ir {

Value GraphBuilder::copyConstant(Value value) {
  auto constant = value.getDefiningOp<coreai::ConstantOp>();
  return constant ? impl_->constant(constant.getValue()) : Value();
}

void describePrivateGraph(Operation *op, const CompositeDeclaration *composite) {
  auto graph = cast<coreai::GraphOp>(op);
  graph.setNoInline(true);
  if (!composite)
    return;
  Builder builder(op->getContext());
  auto strings = [&](const std::vector<std::string> &texts) {
    SmallVector<StringRef> references(texts.begin(), texts.end());
    return builder.getStrArrayAttr(references);
  };
  DictionaryAttr declaration = builder.getDictionaryAttr(
      {builder.getNamedAttr("input_names", strings(composite->inputs)),
       builder.getNamedAttr("op_attrs", builder.getDictionaryAttr(composite->attributes)),
       builder.getNamedAttr("output_names", strings(composite->outputs))});
  StringAttr name = builder.getStringAttr(composite->name);
  graph.setCompositeDeclAttr(coreai::CompositeDeclarationAttr::get(op->getContext(), name, declaration));
  if (composite->isTemplate)
    graph->setAttr("template_op", name);
}

// Everything of a graph but its symbol and locations. Resources stand in it by names made of their bytes.
static std::string content(coreai::GraphOp graph) {
  std::string symbol = graph.getSymName().str(), text;
  graph.setSymName("graph");
  OpPrintingFlags flags;
  flags.assumeVerified().printGenericOpForm().elideLargeResourceString(0).useLocalScope();
  llvm::raw_string_ostream stream(text);
  graph->print(stream, flags);
  graph.setSymName(symbol);
  return text;
}

std::string settlePrivateGraph(ModuleOp module, Operation *op, StringRef name, bool exact, Operation *root) {
  auto graph = cast<coreai::GraphOp>(op);
  std::string text = content(graph);
  auto bytes = [](const std::string &of) {
    return ArrayRef(reinterpret_cast<const uint8_t *>(of.data()), of.size());
  };
  uint64_t hash = llvm::xxh3_64bits(bytes(text));
  for (bool bare = exact;; bare = false) {
    std::string symbol = name.str();
    if (!bare) {
      symbol += '_';
      for (int i = 0; i < 8; ++i, hash /= 26)
        symbol += static_cast<char>('a' + hash % 26);
    }
    Operation *taken = module.lookupSymbol(symbol);
    if (taken == op || !taken) {
      graph.setSymName(symbol);
      if (root)
        op->moveBefore(root);
      return symbol;
    }
    auto other = dyn_cast<coreai::GraphOp>(taken);
    if (other && other != root && content(other) == text) {
      op->erase();
      return symbol;
    }
    if (!bare) { // another content has this hash: a suffix made of hash and content
      text += symbol;
      hash = llvm::xxh3_64bits(bytes(text));
    }
  }
}

NamedAttribute calleeAttribute(MLIRContext *context, StringRef symbol) {
  return Builder(context).getNamedAttr("callee",
                                       param::ConstantAttr::get(FlatSymbolRefAttr::get(context, symbol)));
}

std::vector<Type> resultTypes(ModuleOp module, StringRef symbol) {
  auto graph = module.lookupSymbol<coreai::GraphOp>(symbol);
  if (!graph)
    throw Error(ErrorKind::kInternal, fmt::format("the module has no graph @{}", symbol.str()));
  ArrayRef<Type> types = graph.getFunctionType().getResults();
  return {types.begin(), types.end()};
}

} // namespace sixrung::ir
