#include "core/ir/diagnostics.hpp"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace sixrung::ir {

static void append(std::string &text, const Diagnostic &diagnostic, bool withLocations) {
  llvm::raw_string_ostream out(text);
  if (!text.empty())
    out << "; ";
  if (auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation()); place && withLocations)
    out << "line " << place.getLine() << ", column " << place.getColumn() << ": ";
  out << diagnostic.str();
}

Capture::Capture(MLIRContext *context, bool withLocations)
    : handler_(context, [this, withLocations](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
          append(text_, diagnostic, withLocations);
          for (const Diagnostic &note : diagnostic.getNotes())
            append(text_, note, withLocations);
        }
        return success(); // handled: later handlers, which print, never see it
      }) {}

} // namespace sixrung::ir
