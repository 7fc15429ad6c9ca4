// Host slots: private graphs, calls of them, composites.
#include "core/lower/boundary.hpp"
#include "core/lower/declared.hpp"
#include "core/lower/graph_lowering.hpp"
#include "core/lower/host_slots.hpp"
#include "core/lower/types.hpp"

#include <fmt/format.h>

namespace sixrung::lower::slots {

constexpr uint32_t kMost = 1u << 16; // a count that was never set shows as absurd

static void checkArray(const void *entries, uint32_t count, const char *what) {
  if (count > kMost || (count != 0 && !entries))
    throw failure(SIXRUNG_INVALID_ARGUMENT, fmt::format("{} {} are announced and not given", count, what));
}

static ir::CompositeDeclaration declaration(mlir::Builder &builder, const sixrung_graph_desc &desc) {
  ir::CompositeDeclaration out;
  out.name = std::string(fromStr(desc.composite, "the composite's name"));
  out.isTemplate = desc.flags & SIXRUNG_GRAPH_TEMPLATE;
  for (uint32_t i = 0; i < desc.input_count; ++i)
    out.inputs.emplace_back(fromStr(desc.input_names[i], "an input's name"));
  for (uint32_t i = 0; i < desc.output_count; ++i)
    out.outputs.emplace_back(fromStr(desc.output_names[i], "an output's name"));
  for (uint32_t i = 0; i < desc.attribute_count; ++i) {
    std::string name(fromStr(desc.attributes[i].name, "an attribute's name"));
    if (name.empty() || name == "version")
      throw failure(SIXRUNG_INVALID_ARGUMENT,
                    "an attribute of the composite has no name, or is 'version', which "
                    "has a field of its own");
    if (auto attribute = declaredAttribute(builder, desc.attributes[i].value, "attribute '" + name + "'"))
      out.attributes.push_back(builder.getNamedAttr(name, attribute));
  }
  out.attributes.push_back(builder.getNamedAttr(
      "version", builder.getIntegerAttr(builder.getIntegerType(64, true), desc.version)));
  return out;
}

static GraphRequest readRequest(Frame &frame, const sixrung_graph_desc &desc) {
  GraphLowering &lowering = *frame.lowering;
  if (desc.flags & ~(SIXRUNG_GRAPH_NAMED | SIXRUNG_GRAPH_TEMPLATE))
    throw failure(SIXRUNG_INVALID_ARGUMENT, fmt::format("a graph has no flags {:#x}", desc.flags));
  checkArray(desc.input_names, desc.input_count, "names of inputs");
  checkArray(desc.input_types, desc.input_count, "types of inputs");
  checkArray(desc.attributes, desc.attribute_count, "attributes");
  checkArray(desc.output_names, desc.output_count, "names of outputs");
  GraphRequest request;
  request.name = std::string(fromStr(desc.name, "the graph's name"));
  if (request.name.empty())
    throw failure(SIXRUNG_INVALID_ARGUMENT, "a private graph needs a name");
  request.exactName = desc.flags & SIXRUNG_GRAPH_NAMED;
  for (uint32_t i = 0; i < desc.input_count; ++i) {
    mlir::Type type = toMlirType(lowering.context(), readEntry(desc.input_types, i, "an input's type"));
    if (!mlir::isa<mlir::RankedTensorType>(type))
      throw failure(SIXRUNG_INVALID_ARGUMENT,
                    fmt::format("input {} of the graph is {}, and only tensors go in", i, printed(type)));
    request.inputs.push_back(
        {std::string(fromStr(desc.input_names[i], "an input's name")), type, lowering.unknownLocation()});
  }
  mlir::Builder builder(lowering.context());
  if (desc.composite.size != 0)
    request.composite = declaration(builder, desc);
  else if (desc.attribute_count != 0)
    throw failure(SIXRUNG_INVALID_ARGUMENT, "attributes are those of a composite, and the graph is none");
  return request;
}

sixrung_status *graph_open(sixrung_call call, const sixrung_graph_desc *desc, sixrung_graph *out,
                           sixrung_value *out_arguments) {
  return guarded([&] {
    Frame &frame = ActiveFrames::find(call);
    GraphLowering &lowering = *frame.lowering;
    notNull(out, "the place for the graph");
    GraphRequest request = readRequest(frame, readStruct(desc, "the graph's description"));
    size_t count = request.inputs.size();
    checkArray(out_arguments, static_cast<uint32_t>(count), "places for arguments");
    size_t index = lowering.openGraph(frame, std::move(request));
    for (size_t i = 0; i < count; ++i)
      out_arguments[i] = lowering.values().handle(lowering.builder().argument(static_cast<unsigned>(i)));
    *out = lowering.graphHandle(index);
  });
}

sixrung_status *graph_close(sixrung_call call, sixrung_graph graph, const sixrung_value *outputs,
                            uint32_t output_count) {
  return guarded([&] {
    Frame &frame = ActiveFrames::find(call);
    GraphLowering &lowering = *frame.lowering;
    checkArray(outputs, output_count, "outputs");
    size_t index = lowering.graphIndex(graph);
    llvm::SmallVector<mlir::Value> values;
    for (uint32_t i = 0; i < output_count; ++i)
      values.push_back(lowering.values().find(outputs[i], "output", i));
    try {
      lowering.closeGraph(frame, index, values, std::vector<std::string>(values.size()));
    } catch (const Error &error) {
      if (error.kind() == ErrorKind::kUnsupported)
        throw failure(SIXRUNG_VERIFY_FAILED, error.what());
      throw;
    }
  });
}

sixrung_status *invoke(sixrung_call call, sixrung_graph graph, const sixrung_value *operands,
                       uint32_t operand_count, sixrung_value *out_results, uint32_t result_count) {
  return guarded([&] {
    Frame &frame = ActiveFrames::find(call);
    GraphLowering &lowering = *frame.lowering;
    checkArray(operands, operand_count, "operands");
    checkArray(out_results, result_count, "places for results");
    size_t index = lowering.graphIndex(graph);
    llvm::SmallVector<mlir::Value> values;
    for (uint32_t i = 0; i < operand_count; ++i)
      values.push_back(lowering.values().find(operands[i], "operand", i));
    std::vector<mlir::Value> results;
    try {
      results = lowering.invokeGraph(frame, index, values);
    } catch (const Error &error) {
      if (error.kind() == ErrorKind::kUnsupported)
        throw failure(SIXRUNG_VERIFY_FAILED, error.what());
      throw;
    }
    if (results.size() != result_count)
      throw failure(
          SIXRUNG_INVALID_ARGUMENT,
          fmt::format("the graph has {} results, and room for {} is given", results.size(), result_count));
    for (size_t i = 0; i < results.size(); ++i)
      out_results[i] = lowering.values().handle(results[i]);
  });
}

sixrung_status *composite(sixrung_call call, const sixrung_composite_request *request,
                          sixrung_value *out_results) {
  return guarded([&] {
    Frame &frame = ActiveFrames::find(call);
    sixrung_composite_request given = readStruct(request, "the request");
    checkArray(given.operands, given.operand_count, "operands");
    checkArray(given.attributes, given.attribute_count, "attributes");
    checkArray(given.results, given.result_count, "results");
    checkArray(out_results, given.result_count, "places for results");
    std::vector<mlir::Value> results = frame.lowering->composite(frame, given);
    for (size_t i = 0; i < results.size(); ++i)
      out_results[i] = frame.lowering->values().handle(results[i]);
  });
}

} // namespace sixrung::lower::slots
