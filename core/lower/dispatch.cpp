// Lowering from inside a lowering: back through the ladder, and the nodes of subgraphs.
#include "core/lower/boundary.hpp"
#include "core/lower/graph_lowering.hpp"
#include "core/lower/types.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace sixrung::lower {

void GraphLowering::detectRecursion(std::string_view key) const {
  std::string chain;
  bool found = false;
  // A subgraph may hold its own kind of node, a lowering may not come back to its own key.
  for (const auto &[nesting, running] : dispatching_) {
    if (nesting != nesting_)
      continue;
    found |= ladder::clashKey(running) == ladder::clashKey(key);
    if (found)
      chain += fmt::format("{} -> ", running);
  }
  if (found)
    throw failure(SIXRUNG_UNSUPPORTED,
                  fmt::format("the lowerings call each other without end: {}{}", chain, key));
}

std::vector<mlir::Value> GraphLowering::dispatch(Frame &caller, const sixrung_lower_request &request) {
  std::string key = graph::canonicalKey(fromStr(request.key, "the key"));
  detectRecursion(key);
  if ((request.arg_count != 0 && !request.args) || (request.result_count != 0 && !request.results))
    throw failure(SIXRUNG_INVALID_ARGUMENT, "the request announces arguments or results and gives none");
  ladder::Match match = ladder_.resolveKey(key);
  if (!match.entry) {
    std::string near;
    for (const std::string &suggestion : ladder_.suggestions(key))
      near += (near.empty() ? "; did you mean " : " or ") + suggestion;
    if (std::string advice = ladder_.absentAdvice(key); !advice.empty())
      near = "; " + advice;
    throw failure(SIXRUNG_NOT_FOUND, fmt::format("nothing lowers {}{}", key, near));
  }
  const ladder::Owner &owner = *match.entry->owner;
  if (std::string why = ladder_.policy().denial(key, owner.id); !why.empty())
    throw failure(SIXRUNG_UNSUPPORTED, why);
  std::string remark = fmt::format("{} by {}", key, owner.id);
  if (!owner.version.empty())
    remark += " " + owner.version;
  if (!match.losers.empty())
    remark += " over " + match.losers.front()->owner->id;
  std::vector<std::string> &remarks = record(caller).remarks;
  if (std::find(remarks.begin(), remarks.end(), remark) == remarks.end())
    remarks.push_back(std::move(remark));

  std::vector<std::string> &via = record(caller).via;
  if (std::find(via.begin(), via.end(), owner.id) == via.end())
    via.push_back(owner.id);

  Frame &frame = pushable();
  frame.entry = match.entry;
  char *copy = frame.allocate<char>(key.size()); // the entry's own key may be spelled without its overload
  std::copy(key.begin(), key.end(), copy);
  frame.key = {copy, key.size()};
  frame.node = caller.node;
  frame.scope = caller.scope;
  frame.record = caller.record;
  frame.sourceFile = caller.sourceFile;
  frame.sourceLine = caller.sourceLine;
  frame.given = request.args;
  frame.argumentCount = request.arg_count;
  frame.dispatched = true;
  for (uint32_t i = 0; i < request.result_count; ++i)
    frame.results.push_back(fromAbiResult(readEntry(request.results, i, "a result of the request")));
  static const sixrung_named_arg kNoArguments{};
  if (!frame.given)
    frame.given = &kNoArguments;
  call(frame);
  std::vector<mlir::Value> results;
  results.reserve(frame.results.size());
  for (const ResultSlot &slot : frame.results)
    results.push_back(slot.value);
  return results;
}

std::vector<mlir::Value> GraphLowering::inlineSubgraph(Frame &caller, const graph::SubgraphArg &subgraph,
                                                       llvm::ArrayRef<mlir::Value> inputs) {
  const graph::Graph &graph = *subgraph.graph;
  if (inputs.size() != graph.inputs.size())
    throw failure(SIXRUNG_INVALID_ARGUMENT, fmt::format("subgraph {} has {} inputs, and {} values are given",
                                                        subgraph.name, graph.inputs.size(), inputs.size()));
  NameScope scope;
  scope.graph = &graph;
  scope.prefix = caller.scope->prefix + subgraph.name + "/";
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string &name = graph.inputs[i];
    if (name.empty() || !inputs[i])
      continue;
    ResultSlot expected = resultSlot(graph.values.at(name), true);
    try {
      scope.names[name].value = checkedResult(expected, inputs[i]);
    } catch (const Error &error) {
      throw failure(SIXRUNG_TYPE_MISMATCH,
                    fmt::format("input {} ('{}') of subgraph {}: {}", i, name, subgraph.name, error.what()));
    }
  }
  struct Nest {
    size_t &nesting;
    explicit Nest(size_t &n) : nesting(n) { ++nesting; }
    ~Nest() { --nesting; }
  };
  {
    Nest nest(nesting_);
    lowerNodes(scope);
  }
  std::vector<mlir::Value> outputs;
  for (const graph::Argument &output : graph.outputs) {
    mlir::Value value;
    if (!std::holds_alternative<graph::NoneArg>(output.value)) {
      forEachReference(output,
                       [&](const std::string &name) { value = valueOf(scope, name, &record(caller)); });
      if (!value)
        value = scalarConstant(output, true);
      if (!value)
        throw failure(SIXRUNG_UNSUPPORTED, fmt::format("subgraph {} gives something that is neither a tensor "
                                                       "nor a number",
                                                       subgraph.name));
    }
    outputs.push_back(value);
  }
  mlir::Location location = unknownLocation();
  if (options_.debugLocations && !caller.sourceFile.empty())
    location = mlir::FileLineColLoc::get(context_, caller.sourceFile, caller.sourceLine, 0);
  builder_->setLocation(location);
  return outputs;
}

} // namespace sixrung::lower
