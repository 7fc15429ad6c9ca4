// The coreai dialect registers what tablegen generates.
#include "core/ir/dialect.hpp"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#include "CoreAIDialect.cpp.inc"
#include "CoreAIEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "CoreAITypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "CoreAIAttrs.cpp.inc"

namespace sixrung::coreai {

// Defined beside the generated classes of ops, in ops.cpp: a file of its own, as it compiles slowly.
void registerOps(CoreAIDialect &dialect);

void CoreAIDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "CoreAITypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "CoreAIAttrs.cpp.inc"
      >();
  registerOps(*this);
}

} // namespace sixrung::coreai
