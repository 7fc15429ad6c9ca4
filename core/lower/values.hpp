// The values of one graph as sixrung_value handles, with the regions they live in.
#pragma once

#include "core/lower/boundary.hpp"

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace sixrung::lower {

class ValueTable {
public:
  static constexpr size_t kNoIndex = ~size_t{0};

  ValueTable() : generation_(nextGeneration()) {}

  // The handle of a value; equal values have equal handles.
  sixrung_value handle(mlir::Value value);
  // Fails with SIXRUNG_STALE_HANDLE for a handle of another graph or of a region that is closed.
  // `what` and `index` name it in the message, which is made only then.
  mlir::Value find(sixrung_value handle, const char *what, size_t index = kNoIndex) const;
  bool knows(mlir::Value value) const;

  // Regions nest; values made inside one end with it.
  uint32_t enter();
  void leave();
  uint32_t innermost() const { return open_.empty() ? 0 : open_.back(); }

private:
  struct Record {
    mlir::Value value;
    uint32_t scope; // 0: the graph
  };
  bool isOpen(uint32_t scope) const;

  uint32_t generation_;
  uint32_t lastScope_ = 0;
  std::vector<uint32_t> open_;
  std::vector<Record> records_;
  llvm::DenseMap<mlir::Value, uint32_t> index_;
};

} // namespace sixrung::lower
