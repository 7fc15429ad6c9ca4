// Composites by name: the entry that serves the name, its body in a private graph, the call.
#include "core/lower/boundary.hpp"
#include "core/lower/declared.hpp"
#include "core/lower/graph_lowering.hpp"
#include "core/lower/types.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sixrung::lower {
namespace {

const plugin::CompositeEntry &findComposite(const plugin::Registry &registry, std::string_view name) {
  if (const plugin::CompositeEntry *entry = registry.composite(name))
    return *entry;
  std::vector<std::string> known = registry.compositeNames();
  throw failure(SIXRUNG_NOT_FOUND, fmt::format("there is no composite '{}'; known are {}", name,
                                               known.empty() ? "none: no plugin brings one"
                                                             : fmt::format("{}", fmt::join(known, ", "))));
}

// A number may stand for a float, and an empty list, which shows no kind, for any list.
sixrung_arg fitted(const plugin::CompositeAttribute &schema, sixrung_arg value, const std::string &what) {
  if (value.tag == schema.tag || value.tag == SIXRUNG_ARG_NONE)
    return value;
  if (schema.tag == SIXRUNG_ARG_FLOAT && value.tag == SIXRUNG_ARG_INT)
    return {SIXRUNG_ARG_FLOAT, 0,
            std::bit_cast<uint64_t>(static_cast<double>(static_cast<int64_t>(value.payload)))};
  bool isList = value.tag >= SIXRUNG_ARG_INT_LIST && value.tag <= SIXRUNG_ARG_LIST;
  if (schema.tag >= SIXRUNG_ARG_INT_LIST && isList && value.count == 0)
    return {schema.tag, 0, value.payload};
  throw failure(SIXRUNG_INVALID_ARGUMENT,
                fmt::format("{} has the tag {}, and {} is given", what, schema.tag, value.tag));
}

// The value of each attribute of the schema, in its order.
std::vector<sixrung_arg> readAttributes(Frame &frame, const plugin::CompositeEntry &entry,
                                        const sixrung_composite_request &request) {
  std::vector<const sixrung_named_arg *> given(entry.attributes.size());
  for (uint32_t i = 0; i < request.attribute_count; ++i) {
    std::string_view name = fromStr(request.attributes[i].name, "an attribute's name");
    auto found = std::find_if(entry.attributes.begin(), entry.attributes.end(),
                              [&](const auto &attribute) { return attribute.name == name; });
    if (found == entry.attributes.end())
      throw failure(SIXRUNG_INVALID_ARGUMENT,
                    fmt::format("the composite '{}' has no attribute '{}'", entry.name, name));
    given[static_cast<size_t>(found - entry.attributes.begin())] = &request.attributes[i];
  }
  std::vector<sixrung_arg> values;
  for (size_t i = 0; i < entry.attributes.size(); ++i) {
    const plugin::CompositeAttribute &schema = entry.attributes[i];
    std::string what = fmt::format("attribute '{}' of the composite '{}'", schema.name, entry.name);
    sixrung_arg value = given[i] ? fitted(schema, given[i]->value, what) : sixrung_arg{};
    if (value.tag == SIXRUNG_ARG_NONE)
      value = encodeArgument(frame, schema.fallback);
    if (value.tag == SIXRUNG_ARG_NONE && !schema.optional)
      throw failure(SIXRUNG_INVALID_ARGUMENT, what + " must be given");
    values.push_back(value);
  }
  return values;
}

} // namespace

std::vector<mlir::Value> GraphLowering::composite(Frame &caller, const sixrung_composite_request &request) {
  const plugin::CompositeEntry &entry =
      findComposite(registry_, fromStr(request.name, "the composite's name"));
  detectRecursion(entry.body.key);
  if (request.operand_count != entry.inputs.size())
    throw failure(SIXRUNG_INVALID_ARGUMENT,
                  fmt::format("the composite '{}' has the inputs ({}), and {} are given", entry.name,
                              fmt::join(entry.inputs, ", "), request.operand_count));
  if (request.result_count != entry.outputs.size())
    throw failure(SIXRUNG_INVALID_ARGUMENT,
                  fmt::format("the composite '{}' gives ({}), and {} are asked for", entry.name,
                              fmt::join(entry.outputs, ", "), request.result_count));
  const ladder::Owner &owner = *entry.body.owner;
  if (std::string why = ladder_.policy().denial("composite:" + entry.name, owner.id); !why.empty())
    throw failure(SIXRUNG_UNSUPPORTED, why);
  std::string remark = fmt::format("composite {} by {} {}", entry.name, owner.id, owner.version);
  if (!entry.over.empty())
    remark += " over " + entry.over;
  std::vector<std::string> &remarks = record(caller).remarks;
  if (std::find(remarks.begin(), remarks.end(), remark) == remarks.end())
    remarks.push_back(std::move(remark));

  std::vector<std::string> &via = record(caller).via;
  if (std::find(via.begin(), via.end(), owner.id) == via.end())
    via.push_back(owner.id);

  std::vector<sixrung_arg> attributes = readAttributes(caller, entry, request);
  mlir::Builder attributeBuilder(context_);
  GraphRequest graph;
  graph.name = entry.name;
  graph.composite.emplace();
  graph.composite->name = entry.name;
  graph.composite->outputs = entry.outputs;
  graph.composite->isTemplate = true;
  std::vector<mlir::Value> operands;
  for (uint32_t i = 0; i < request.operand_count; ++i) {
    if (request.operands[i].id == 0)
      continue;
    operands.push_back(values().find(request.operands[i], "operand", i));
    graph.inputs.push_back({entry.inputs[i], operands.back().getType(), unknownLocation()});
    graph.composite->inputs.push_back(entry.inputs[i]);
  }
  for (size_t i = 0; i < attributes.size(); ++i)
    if (auto attribute = declaredAttribute(attributeBuilder, attributes[i], entry.attributes[i].name))
      graph.composite->attributes.push_back(
          attributeBuilder.getNamedAttr(entry.attributes[i].name, attribute));
  graph.composite->attributes.push_back(attributeBuilder.getNamedAttr(
      "version", attributeBuilder.getIntegerAttr(attributeBuilder.getIntegerType(64, true), entry.version)));

  // Whatever fails below leaves the graph unfinished, and so erased.
  struct Leave {
    GraphLowering &self;
    size_t keep;
    ~Leave() { self.abandonGraphs(keep); }
  } leave{*this, open_.size()};
  size_t index = openGraph(caller, std::move(graph));

  Frame &frame = pushable();
  frame.entry = &entry.body;
  frame.key = entry.body.key;
  frame.node = caller.node;
  frame.scope = caller.scope;
  frame.record = caller.record;
  frame.sourceFile = caller.sourceFile;
  frame.sourceLine = caller.sourceLine;
  frame.dispatched = true;
  frame.argumentCount = entry.inputs.size() + attributes.size();
  auto *arguments = frame.allocate<sixrung_named_arg>(frame.argumentCount + 1); // never NULL
  unsigned next = 0;
  for (size_t i = 0; i < entry.inputs.size(); ++i) {
    sixrung_arg value{};
    if (request.operands[i].id != 0)
      value = {SIXRUNG_ARG_VALUE, 0, values().handle(builder_->argument(next++)).id};
    arguments[i] = {toStr(entry.inputs[i]), value};
  }
  for (size_t i = 0; i < attributes.size(); ++i)
    arguments[entry.inputs.size() + i] = {toStr(entry.attributes[i].name), attributes[i]};
  frame.given = arguments;
  for (uint32_t i = 0; i < request.result_count; ++i) {
    frame.results.push_back(fromAbiResult(readEntry(request.results, i, "a result of the request")));
    frame.results.back().used = true; // the graph gives all its outputs
  }
  call(frame);
  std::vector<mlir::Value> outputs;
  for (const ResultSlot &slot : frame.results)
    outputs.push_back(slot.value);
  closeGraph(caller, index, outputs, std::vector<std::string>(outputs.size()));
  return invokeGraph(caller, index, operands);
}

} // namespace sixrung::lower
