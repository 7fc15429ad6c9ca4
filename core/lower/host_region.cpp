// Host slots: regions, subgraphs, and dispatch back into the ladder.
#include "core/lower/boundary.hpp"
#include "core/lower/graph_lowering.hpp"
#include "core/lower/host_slots.hpp"
#include "core/lower/types.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace sixrung::lower::slots {

sixrung_status *region_open(sixrung_call call, const sixrung_type *types, uint32_t count, sixrung_region *out,
                            sixrung_value *out_arguments) {
  return guarded([&] {
    Frame &frame = ActiveFrames::find(call);
    GraphLowering &lowering = *frame.lowering;
    notNull(out, "the place for the region");
    constexpr uint32_t kDeepest = 64, kMost = 1u << 16;
    if (count > kMost || (count != 0 && (!types || !out_arguments)))
      throw failure(SIXRUNG_INVALID_ARGUMENT,
                    fmt::format("{} block arguments are announced and not given", count));
    if (lowering.builder().openRegions() >= kDeepest)
      throw failure(SIXRUNG_UNSUPPORTED, fmt::format("regions nest deeper than {}", kDeepest));
    llvm::SmallVector<mlir::Type> arguments;
    for (uint32_t i = 0; i < count; ++i)
      arguments.push_back(toMlirType(lowering.context(), readEntry(types, i, "a block argument's type")));
    std::vector<mlir::Value> values = lowering.builder().openRegion(arguments);
    RegionRecord record;
    record.scope = lowering.values().enter();
    record.graph = lowering.openGraphs();
    frame.regions.push_back(std::move(record));
    for (uint32_t i = 0; i < count; ++i)
      out_arguments[i] = lowering.values().handle(values[i]);
    *out = {makeId(frame.generation, frame.regions.size() - 1)};
  });
}

sixrung_status *region_close(sixrung_call call, sixrung_region region, const sixrung_op *terminator) {
  return guarded([&] {
    Frame &frame = ActiveFrames::find(call);
    GraphLowering &lowering = *frame.lowering;
    size_t index = indexOf(region.id);
    if (generationOf(region.id) != frame.generation || index >= frame.regions.size() ||
        frame.regions[index].state == RegionRecord::State::kUsed)
      throw failure(SIXRUNG_STALE_HANDLE, "the region is used up, or belongs to another call");
    RegionRecord &record = frame.regions[index];
    if (record.state != RegionRecord::State::kOpen || record.scope != lowering.values().innermost() ||
        record.graph != lowering.openGraphs())
      throw failure(SIXRUNG_INVALID_ARGUMENT, "only the innermost open region can be closed");
    sixrung_op op = readStruct(terminator, "the terminator");
    std::string name(fromStr(op.name, "the terminator's name"));
    if (op.result_count != 0 || op.region_count != 0 || op.attribute_count != 0)
      throw failure(
          SIXRUNG_INVALID_ARGUMENT,
          fmt::format("the terminator {} takes operands alone: no results, regions or attributes", name));
    if (op.operand_count != 0)
      notNull(op.operands, "the terminator's operands");
    llvm::SmallVector<mlir::Value> operands;
    for (uint32_t i = 0; i < op.operand_count; ++i)
      operands.push_back(lowering.values().find(op.operands[i], "operand", i));
    try {
      record.region = lowering.builder().closeRegion(name, operands);
    } catch (const Error &error) {
      throw failure(SIXRUNG_VERIFY_FAILED, error.what()).with("dialect-op", name);
    }
    record.state = RegionRecord::State::kClosed;
    lowering.values().leave();
    frame.dropRegions(index + 1); // opened inside, and in no op: nothing outside can hold them
  });
}

static const graph::SubgraphArg &subgraphOf(sixrung_subgraph handle) {
  // An outer call's subgraph may have been handed on to the lowering dispatched to.
  Frame *owner = ActiveFrames::byGeneration(generationOf(handle.id));
  if (!owner || indexOf(handle.id) >= owner->subgraphs.size())
    throw failure(SIXRUNG_STALE_HANDLE, "the subgraph belongs to a call that is over");
  return *owner->subgraphs[indexOf(handle.id)];
}

sixrung_status *subgraph_info(sixrung_call call, sixrung_subgraph graph, uint32_t *out_inputs,
                              uint32_t *out_outputs) {
  return guarded([&] {
    ActiveFrames::find(call);
    const graph::Graph &body = *subgraphOf(graph).graph;
    notNull(out_inputs, "the place for the inputs");
    notNull(out_outputs, "the place for the outputs");
    *out_inputs = static_cast<uint32_t>(body.inputs.size());
    *out_outputs = static_cast<uint32_t>(body.outputs.size());
  });
}

// What the program says of an output: of the value it names, or of the number it is.
static graph::ValueMeta metaOf(const graph::Graph &graph, const graph::Argument &argument) {
  graph::ValueMeta meta;
  forEachReference(argument, [&](const std::string &name) { meta = graph.values.at(name); });
  if (std::holds_alternative<bool>(argument.value))
    meta.kind = graph::ValueMeta::Kind::kSymBool;
  else if (std::holds_alternative<int64_t>(argument.value))
    meta.kind = graph::ValueMeta::Kind::kSymInt;
  else if (std::holds_alternative<double>(argument.value))
    meta.kind = graph::ValueMeta::Kind::kSymFloat;
  return meta;
}

sixrung_status *subgraph_port(sixrung_call call, sixrung_subgraph graph, uint32_t output, uint32_t index,
                              sixrung_result_info *out) {
  return guarded([&] {
    Frame &frame = ActiveFrames::find(call);
    const graph::SubgraphArg &subgraph = subgraphOf(graph);
    const graph::Graph &body = *subgraph.graph;
    uint32_t size = commonSize(out, "the result info");
    size_t count = output ? body.outputs.size() : body.inputs.size();
    if (output > 1 || index >= count)
      throw failure(SIXRUNG_INVALID_ARGUMENT,
                    fmt::format("subgraph {} has {} {}, and number {} is asked for", subgraph.name, count,
                                output ? "outputs" : "inputs", index));
    graph::ValueMeta meta;
    if (output)
      meta = metaOf(body, body.outputs[index]);
    else if (!body.inputs[index].empty())
      meta = body.values.at(body.inputs[index]);
    ResultSlot slot = resultSlot(meta, true);
    sixrung_result_info info = toAbiResult(slot, frame.lowering->options().wideIo);
    int64_t *dims = frame.allocate<int64_t>(slot.dims.size()); // outlives the slot
    std::copy(slot.dims.begin(), slot.dims.end(), dims);
    info.dims = dims;
    writeStruct(out, info, size);
  });
}

sixrung_status *subgraph_inline(sixrung_call call, sixrung_subgraph graph, const sixrung_value *inputs,
                                uint32_t input_count, sixrung_value *out_outputs, uint32_t output_count) {
  return guarded([&] {
    Frame &frame = ActiveFrames::find(call);
    GraphLowering &lowering = *frame.lowering;
    const graph::SubgraphArg &subgraph = subgraphOf(graph);
    if ((input_count != 0 && !inputs) || (output_count != 0 && !out_outputs))
      throw failure(SIXRUNG_INVALID_ARGUMENT, "inputs or outputs are announced and not given");
    if (output_count != subgraph.graph->outputs.size() || input_count != subgraph.graph->inputs.size())
      throw failure(SIXRUNG_INVALID_ARGUMENT,
                    fmt::format("subgraph {} has {} inputs and {} outputs, not {} and {}", subgraph.name,
                                subgraph.graph->inputs.size(), subgraph.graph->outputs.size(), input_count,
                                output_count));
    llvm::SmallVector<mlir::Value> values(input_count);
    for (uint32_t i = 0; i < input_count; ++i)
      if (inputs[i].id != 0)
        values[i] = lowering.values().find(inputs[i], "input", i);
    std::vector<mlir::Value> outputs = lowering.inlineSubgraph(frame, subgraph, values);
    for (uint32_t i = 0; i < output_count; ++i)
      out_outputs[i] = outputs[i] ? lowering.values().handle(outputs[i]) : sixrung_value{0};
  });
}

sixrung_status *lower(sixrung_call call, const sixrung_lower_request *request, sixrung_value *out_results) {
  return guarded([&] {
    Frame &frame = ActiveFrames::find(call);
    sixrung_lower_request given = readStruct(request, "the request");
    if (given.result_count != 0)
      notNull(out_results, "the place for the results");
    std::vector<mlir::Value> results = frame.lowering->dispatch(frame, given);
    for (size_t i = 0; i < results.size(); ++i)
      out_results[i] = results[i] ? frame.lowering->values().handle(results[i]) : sixrung_value{0};
  });
}

} // namespace sixrung::lower::slots
