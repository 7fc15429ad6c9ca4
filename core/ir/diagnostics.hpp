// Diagnostics of MLIR as text in an Error; nothing is ever printed.
#pragma once

#include "mlir/IR/Diagnostics.h"

#include <string>

namespace sixrung::ir {

// While it lives, errors of the context are kept here.
class Capture {
public:
  explicit Capture(mlir::MLIRContext *context, bool withLocations = false);
  // The errors met, notes after their error; `fallback` when none was emitted.
  std::string message(const std::string &fallback) const { return text_.empty() ? fallback : text_; }

private:
  std::string text_;
  mlir::ScopedDiagnosticHandler handler_;
};

} // namespace sixrung::ir
