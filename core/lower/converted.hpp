// What a converted program holds; for emitters and bindings that need the module itself.
#pragma once

#include "core/ir/builder.hpp"
#include "core/lower/provenance.hpp"
#include "core/lower/session.hpp"

namespace sixrung::lower {

struct Converted::Impl {
  std::unique_ptr<mlir::MLIRContext> context;                  // outlives the module
  std::vector<std::shared_ptr<const graph::Program>> programs; // whose weights the module borrows
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<NodeRecord> records;
  std::vector<StateInfo> states;
  std::vector<EntryInfo> entries;
  Provenance provenance;
};

} // namespace sixrung::lower
