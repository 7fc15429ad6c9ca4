#include "core/lower/values.hpp"

#include "mlir/IR/Operation.h"
#include "mlir/IR/Region.h"

#include <algorithm>
#include <fmt/format.h>

namespace sixrung::lower {

bool ValueTable::isOpen(uint32_t scope) const {
  return scope == 0 || std::find(open_.begin(), open_.end(), scope) != open_.end();
}

// Whether a value dominates everything to come: it lies in the graph itself, not in an open region.
static bool isOfGraph(mlir::Value value) {
  mlir::Region *region = value.getParentRegion();
  mlir::Operation *parent = region ? region->getParentOp() : nullptr;
  return parent && parent->getName().getStringRef() == "coreai.graph";
}

sixrung_value ValueTable::handle(mlir::Value value) {
  auto found = index_.find(value);
  // A value of a region that was thrown away may have lain at the same address.
  if (found != index_.end() && isOpen(records_[found->second].scope))
    return {makeId(generation_, found->second)};
  uint32_t index = static_cast<uint32_t>(records_.size());
  records_.push_back({value, isOfGraph(value) ? 0 : innermost()});
  index_[value] = index;
  return {makeId(generation_, index)};
}

bool ValueTable::knows(mlir::Value value) const {
  auto found = index_.find(value);
  return found != index_.end() && isOpen(records_[found->second].scope);
}

mlir::Value ValueTable::find(sixrung_value handle, const char *what, size_t index) const {
  auto fail = [&](uint32_t code, const char *why) -> Error {
    return failure(code, index == kNoIndex ? fmt::format("{} {}", what, why)
                                           : fmt::format("{} {} {}", what, index, why));
  };
  if (handle.id == 0)
    throw fail(SIXRUNG_INVALID_ARGUMENT, "is 0, which is no value");
  if (generationOf(handle.id) != generation_ || indexOf(handle.id) >= records_.size())
    throw fail(SIXRUNG_STALE_HANDLE,
               "is no value of this graph: values live until their graph is finished, and "
               "enter a private graph as its inputs only");
  const Record &record = records_[indexOf(handle.id)];
  if (!isOpen(record.scope))
    throw fail(SIXRUNG_STALE_HANDLE, "was made in a region that is closed");
  return record.value;
}

uint32_t ValueTable::enter() {
  open_.push_back(++lastScope_);
  return lastScope_;
}

void ValueTable::leave() { open_.pop_back(); }

} // namespace sixrung::lower
