// Host slots: constants and ops.
#include "core/lower/attributes.hpp"
#include "core/lower/boundary.hpp"
#include "core/lower/graph_lowering.hpp"
#include "core/lower/host_slots.hpp"
#include "core/lower/types.hpp"

#include <fmt/format.h>

namespace sixrung::lower::slots {

// The tensor type of a constant, its bytes counted (ABI-8).
static mlir::RankedTensorType constantType(Frame &frame, const sixrung_type *given, const void *data,
                                           uint64_t size, bool splat) {
  mlir::Type type = toMlirType(frame.lowering->context(), readStruct(given, "the constant's type"));
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    throw failure(SIXRUNG_INVALID_ARGUMENT,
                  fmt::format("a constant needs a tensor type of known sizes, not {}", printed(type)));
  mlir::RankedTensorType counted = splat ? mlir::RankedTensorType::get({1}, tensor.getElementType()) : tensor;
  std::optional<uint64_t> expected = ir::byteSize(counted);
  if (!expected || *expected != size)
    throw failure(SIXRUNG_INVALID_ARGUMENT,
                  fmt::format("{} of {} takes {} bytes, and {} are given",
                              splat ? "one element" : "a constant", printed(tensor),
                              expected ? std::to_string(*expected) : "too many", size));
  if (!data && size != 0)
    throw failure(SIXRUNG_INVALID_ARGUMENT, "the constant's data is NULL");
  return tensor;
}

static llvm::ArrayRef<char> bytesOf(const void *data, uint64_t size) {
  return {static_cast<const char *>(data), static_cast<size_t>(data ? size : 0)};
}

sixrung_status *constant(sixrung_call call, const sixrung_type *type, const void *data, uint64_t size,
                         sixrung_value *out) {
  return guarded([&] {
    Frame &frame = ActiveFrames::find(call);
    notNull(out, "the place for the value");
    mlir::RankedTensorType tensor = constantType(frame, type, data, size, false);
    *out = frame.lowering->values().handle(frame.lowering->builder().constant(tensor, bytesOf(data, size)));
  });
}

sixrung_status *constant_view(sixrung_call call, const sixrung_type *type, const void *data, uint64_t size,
                              void (*release)(void *user), void *user, sixrung_value *out) {
  return guarded([&] {
    // First of all: whatever fails below, the release runs, and it runs once.
    std::shared_ptr<const void> owner(user, [release](const void *handed) {
      if (release)
        release(const_cast<void *>(handed));
    });
    Frame &frame = ActiveFrames::find(call);
    notNull(out, "the place for the value");
    mlir::RankedTensorType tensor = constantType(frame, type, data, size, false);
    *out = frame.lowering->values().handle(
        frame.lowering->builder().constantView(tensor, bytesOf(data, size), std::move(owner)));
  });
}

sixrung_status *constant_splat(sixrung_call call, const sixrung_type *type, const void *element,
                               uint64_t size, sixrung_value *out) {
  return guarded([&] {
    Frame &frame = ActiveFrames::find(call);
    notNull(out, "the place for the value");
    mlir::RankedTensorType tensor = constantType(frame, type, element, size, true);
    *out = frame.lowering->values().handle(frame.lowering->builder().splat(tensor, bytesOf(element, size)));
  });
}

static RegionRecord &takeRegion(Frame &frame, sixrung_region handle) {
  size_t index = indexOf(handle.id);
  if (generationOf(handle.id) != frame.generation || index >= frame.regions.size() ||
      frame.regions[index].state == RegionRecord::State::kUsed)
    throw failure(SIXRUNG_STALE_HANDLE, "the region is used up, or belongs to another call");
  if (frame.regions[index].graph != frame.lowering->openGraphs())
    throw failure(SIXRUNG_INVALID_ARGUMENT, "the region belongs to another graph");
  if (frame.regions[index].state == RegionRecord::State::kOpen)
    throw failure(SIXRUNG_INVALID_ARGUMENT, "the region is still open; close it before building its op");
  return frame.regions[index];
}

// What the arrays of an op hold, each checked before any is read.
struct ReadOp {
  std::string name;
  llvm::SmallVector<mlir::Value, 8> operands;
  llvm::SmallVector<mlir::NamedAttribute, 4> attributes;
  llvm::SmallVector<mlir::Type, 2> types;
};

static ReadOp readOp(Frame &frame, const sixrung_op &op, sixrung_value *out) {
  GraphLowering &lowering = *frame.lowering;
  constexpr uint32_t kMost = 1u << 20; // a count never set shows as absurd
  auto array = [](const void *entries, uint32_t count, const char *what) {
    if (count > kMost || (count != 0 && !entries))
      throw failure(SIXRUNG_INVALID_ARGUMENT,
                    fmt::format("the op announces {} {} and gives none", count, what));
  };
  array(op.operands, op.operand_count, "operands");
  array(op.attributes, op.attribute_count, "attributes");
  array(op.regions, op.region_count, "regions");
  array(out, op.result_count, "results");
  ReadOp read;
  read.name = std::string(fromStr(op.name, "the op's name"));
  for (uint32_t i = 0; i < op.operand_count; ++i)
    read.operands.push_back(lowering.values().find(op.operands[i], "operand", i));
  for (uint32_t i = 0; i < op.attribute_count; ++i)
    if (auto attribute = toAttribute(lowering, read.name, op.attributes[i]))
      read.attributes.push_back(*attribute);
  if (op.result_types)
    for (uint32_t i = 0; i < op.result_count; ++i)
      read.types.push_back(toMlirType(lowering.context(), readEntry(op.result_types, i, "a result type")));
  return read;
}

sixrung_status *build_op(sixrung_call call, const sixrung_op *op, sixrung_value *out_results) {
  return guarded([&] {
    Frame &frame = ActiveFrames::find(call);
    GraphLowering &lowering = *frame.lowering;
    sixrung_op given = readStruct(op, "the op");
    ReadOp read = readOp(frame, given, out_results);
    std::vector<std::unique_ptr<mlir::Region>> regions;
    for (uint32_t i = 0; i < given.region_count; ++i)
      takeRegion(frame, given.regions[i]); // all are checked before one is moved
    for (uint32_t i = 0; i < given.region_count; ++i) {
      RegionRecord &record = takeRegion(frame, given.regions[i]);
      regions.push_back(std::move(record.region));
      record.state = RegionRecord::State::kUsed;
    }
    std::vector<mlir::Value> results;
    try {
      results = lowering.builder().build(read.name, read.operands, read.attributes, read.types, regions);
    } catch (const Error &error) {
      throw failure(SIXRUNG_VERIFY_FAILED, error.what()).with("dialect-op", read.name);
    }
    if (results.size() != given.result_count)
      throw failure(SIXRUNG_INVALID_ARGUMENT, fmt::format("{} has {} results, and room for {} is given",
                                                          read.name, results.size(), given.result_count));
    bool isNew = results.empty();
    for (mlir::Value result : results) {
      mlir::Operation *maker = result.getDefiningOp();
      isNew |= maker && maker->getName().getStringRef() == read.name && !lowering.values().knows(result);
    }
    if (isNew)
      lowering.record(frame).ops.push_back(read.name);
    for (size_t i = 0; i < results.size(); ++i)
      out_results[i] = lowering.values().handle(results[i]);
  });
}

} // namespace sixrung::lower::slots
