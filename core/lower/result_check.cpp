// Results against the exported program's metadata, at the moment they are set.
#include "core/lower/boundary.hpp"
#include "core/lower/graph_lowering.hpp"
#include "core/lower/types.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace sixrung::lower {
namespace {

[[noreturn]] void mismatch(const ResultSlot &slot, mlir::Value value, const std::string &why) {
  throw failure(SIXRUNG_TYPE_MISMATCH,
                fmt::format("the program says {}, and the lowering gives {}: {}",
                            printed(slot.dtype, slot.dims), printed(value.getType()), why));
}

std::string expectation(graph::DType dtype) {
  graph::DType narrow = graph::narrowed(dtype);
  if (narrow == dtype)
    return std::string(graph::dtypeName(dtype));
  return fmt::format("{} or {}", graph::dtypeName(dtype), graph::dtypeName(narrow));
}

} // namespace

mlir::Value GraphLowering::checkedResult(const ResultSlot &slot, mlir::Value value) {
  if (slot.kind == SIXRUNG_RESULT_NONE)
    return value; // nothing is known of a result nobody reads
  auto type = mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
  if (!type)
    mismatch(slot, value, "that is no tensor");
  auto actual = ir::dtypeOf(type.getElementType());
  if (!actual || !dtypeFits(slot.dtype, *actual))
    mismatch(slot, value, fmt::format("elements must be {}", expectation(slot.dtype)));
  if (type.getRank() != static_cast<int64_t>(slot.dims.size()))
    mismatch(slot, value, fmt::format("the rank must be {}", slot.dims.size()));
  bool lessExact = false;
  for (size_t i = 0; i < slot.dims.size(); ++i) {
    int64_t expected = slot.dims[i], given = type.getDimSize(static_cast<unsigned>(i));
    if (given == expected)
      continue;
    if (given == SIXRUNG_DYNAMIC)
      lessExact = true;
    else if (expected == SIXRUNG_DYNAMIC)
      mismatch(slot, value,
               fmt::format("dimension {} depends on the input, a fixed {} would be wrong for other sizes", i,
                           given));
    else
      mismatch(slot, value, fmt::format("dimension {} must be {}", i, expected));
  }
  bool isStatic = std::find(slot.dims.begin(), slot.dims.end(), SIXRUNG_DYNAMIC) == slot.dims.end();
  // Exact shapes downstream are worth one op: later inference starts from them.
  if (lessExact && isStatic)
    return conform(value, mlir::RankedTensorType::get(slot.dims, type.getElementType()));
  return value;
}

} // namespace sixrung::lower
