// Host slots: reading the node behind a call, binding its results, remarks.
#include "core/lower/boundary.hpp"
#include "core/lower/graph_lowering.hpp"
#include "core/lower/host_slots.hpp"
#include "core/lower/types.hpp"

#include <fmt/format.h>

namespace sixrung::lower::slots {

static ResultSlot &resultAt(Frame &frame, uint32_t index) {
  if (index >= frame.results.size())
    throw failure(SIXRUNG_INVALID_ARGUMENT,
                  fmt::format("result {} is asked for, and the node has {}", index, frame.results.size()));
  return frame.results[index];
}

sixrung_status *call_node(sixrung_call call, sixrung_node_info *out) {
  return guarded([&] {
    Frame &frame = ActiveFrames::find(call);
    uint32_t size = commonSize(out, "the node info");
    sixrung_node_info info{};
    info.arg_count = static_cast<uint32_t>(frame.argumentCount);
    info.result_count = static_cast<uint32_t>(frame.results.size());
    info.source_line = frame.sourceLine;
    info.name = toStr(frame.node->name);
    info.key = toStr(frame.key);
    info.source_file = toStr(frame.sourceFile);
    if (!frame.node->modules.empty())
      info.module_path = toStr(frame.node->modules.back().path);
    writeStruct(out, info, size);
  });
}

sixrung_status *call_arg(sixrung_call call, uint32_t index, sixrung_named_arg *out) {
  return guarded([&] {
    Frame &frame = ActiveFrames::find(call);
    notNull(out, "the argument");
    if (index >= frame.argumentCount)
      throw failure(SIXRUNG_NOT_FOUND,
                    fmt::format("argument {} is asked for, and the node has {}", index, frame.argumentCount));
    sixrung_arg value = encodeArgument(frame, index);
    *out = {toStr(argumentName(frame, index)), value};
  });
}

sixrung_status *call_arg_named(sixrung_call call, sixrung_str name, sixrung_arg *out) {
  return guarded([&] {
    Frame &frame = ActiveFrames::find(call);
    notNull(out, "the argument");
    std::string_view wanted = fromStr(name, "the argument's name");
    for (size_t i = 0; i < frame.argumentCount; ++i)
      if (!wanted.empty() && argumentName(frame, i) == wanted) {
        *out = encodeArgument(frame, i);
        return;
      }
    std::string names;
    for (size_t i = 0; i < frame.argumentCount; ++i)
      if (std::string_view known = argumentName(frame, i); !known.empty())
        names += fmt::format("{}{}", names.empty() ? "; it has " : ", ", known);
    throw failure(SIXRUNG_NOT_FOUND, fmt::format("{} has no argument '{}'{}", frame.key, wanted, names));
  });
}

sixrung_status *call_result(sixrung_call call, uint32_t index, sixrung_result_info *out) {
  return guarded([&] {
    Frame &frame = ActiveFrames::find(call);
    uint32_t size = commonSize(out, "the result info");
    writeStruct(out, toAbiResult(resultAt(frame, index), frame.lowering->options().wideIo), size);
  });
}

sixrung_status *call_set_result(sixrung_call call, uint32_t index, sixrung_value value) {
  return guarded([&] {
    Frame &frame = ActiveFrames::find(call);
    ResultSlot &slot = resultAt(frame, index);
    if (frame.lowering->openGraphs() != frame.graphsBefore)
      throw failure(SIXRUNG_INVALID_ARGUMENT,
                    "a result is set while a private graph is open; close it first");
    mlir::Value given = frame.lowering->values().find(value, "the result's value");
    if (frame.lowering->builder().openRegions() != frame.regionsBefore)
      throw failure(SIXRUNG_INVALID_ARGUMENT, "a result is set while a region is open; close it first");
    try {
      slot.value = frame.lowering->checkedResult(slot, given);
    } catch (const Error &error) {
      throw failure(SIXRUNG_TYPE_MISMATCH, fmt::format("result {}: {}", index, error.what()));
    }
  });
}

sixrung_status *call_remark(sixrung_call call, uint32_t kind, sixrung_str message) {
  return guarded([&] {
    Frame &frame = ActiveFrames::find(call);
    std::string_view text = fromStr(message, "the remark");
    const char *word = kind == SIXRUNG_NOTE        ? "note"
                       : kind == SIXRUNG_WARNING   ? "warning"
                       : kind == SIXRUNG_NARROWING ? "narrowing"
                                                   : nullptr;
    if (!word)
      throw failure(SIXRUNG_INVALID_ARGUMENT, fmt::format("{} is no kind of remark", kind));
    frame.lowering->record(frame).remarks.push_back(fmt::format("{}: {}", word, text));
  });
}

sixrung_status *value_type(sixrung_call call, sixrung_value value, sixrung_type *out) {
  return guarded([&] {
    Frame &frame = ActiveFrames::find(call);
    uint32_t size = commonSize(out, "the type");
    writeStruct(out, toAbiType(frame.lowering->values().find(value, "the value").getType()), size);
  });
}

sixrung_status *value_constant(sixrung_call call, sixrung_value value, sixrung_constant_view *out) {
  return guarded([&] {
    Frame &frame = ActiveFrames::find(call);
    uint32_t size = commonSize(out, "the constant view");
    mlir::Value found = frame.lowering->values().find(value, "the value");
    sixrung_constant_view view{};
    view.type = toAbiType(found.getType());
    if (auto constant = frame.lowering->builder().constantBytes(found)) {
      // An empty constant is one too: its data is not NULL.
      static const char kEmpty = 0;
      view.data = constant->bytes.empty() ? &kEmpty : constant->bytes.data();
      view.size = constant->bytes.size();
      view.splat = constant->splat ? 1 : 0;
    }
    writeStruct(out, view, size);
  });
}

} // namespace sixrung::lower::slots
