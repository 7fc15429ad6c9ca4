// Tagged arguments as attributes of a composite's declaration, whose forms Core AI fixes.
#pragma once

#include "sixrung/plugin.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

#include <string>

namespace sixrung::lower {

// An integer has 64 bits and a sign, a float 32; null for None, which is left out. `what` names it in
// errors.
mlir::Attribute declaredAttribute(mlir::Builder &builder, const sixrung_arg &value, const std::string &what);

} // namespace sixrung::lower
