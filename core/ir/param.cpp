// The param dialect registers what tablegen generates.
#include "core/ir/dialect.hpp"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#include "ParamDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "ParamTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ParamAttrs.cpp.inc"

namespace sixrung::param {

void ParamDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ParamTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ParamAttrs.cpp.inc"
      >();
}

LogicalResult ConstantAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, Type type,
                                   FlatSymbolRefAttr symbol) {
  if (!llvm::isa_and_nonnull<SymbolType>(type))
    return emitError() << "expects the type !param.symbol";
  if (!symbol)
    return emitError() << "expects a symbol";
  return success();
}

} // namespace sixrung::param
