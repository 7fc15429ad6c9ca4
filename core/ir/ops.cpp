// The generated classes of every op: apart from all else, because they compile slowly.
#include "core/ir/dialect.hpp"
#include "core/ir/infer.hpp"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;

namespace sixrung::coreai {
namespace {

ParseResult parseCallee(OpAsmParser &parser, param::ConstantAttr &callee) {
  StringAttr symbol;
  if (parser.parseSymbolName(symbol))
    return failure();
  callee = param::ConstantAttr::get(FlatSymbolRefAttr::get(symbol));
  return success();
}

void printCallee(OpAsmPrinter &printer, Operation *, param::ConstantAttr callee) {
  printer << callee.getSymbol();
}

// Types after an arrow: parentheses only around none or several.
ParseResult parseTypes(OpAsmParser &parser, SmallVectorImpl<Type> &types) {
  if (succeeded(parser.parseOptionalLParen())) {
    if (succeeded(parser.parseOptionalRParen()))
      return success();
    return failure(parser.parseTypeList(types) || parser.parseRParen());
  }
  return parser.parseType(types.emplace_back());
}

void printTypes(OpAsmPrinter &printer, Operation *, TypeRange types) {
  if (types.size() == 1)
    printer << types.front();
  else
    printer << "(" << types << ")";
}

} // namespace
} // namespace sixrung::coreai

#define GET_OP_CLASSES
#include "CoreAIOps.cpp.inc"

namespace sixrung::coreai {

template <typename... Ops> static void insertAll(CoreAIDialect &dialect) {
  (RegisteredOperationName::insert<Ops>(dialect), ...);
}

void registerOps(CoreAIDialect &dialect) {
  insertAll<
#define GET_OP_LIST
#include "CoreAIOps.cpp.inc"
      >(dialect);
}

} // namespace sixrung::coreai
