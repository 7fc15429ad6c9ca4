// Private graphs inside an entrypoint: opened, built into, closed, called.
#include "core/lower/boundary.hpp"
#include "core/lower/graph_lowering.hpp"
#include "core/lower/types.hpp"

#include <fmt/format.h>

namespace sixrung::lower {

mlir::ModuleOp GraphLowering::module() {
  return mlir::cast<mlir::ModuleOp>(builder_->graph()->getParentOp());
}

size_t GraphLowering::openGraph(const Frame &owner, GraphRequest request) {
  constexpr size_t kDeepest = 32;
  if (open_.size() >= kDeepest)
    throw failure(SIXRUNG_UNSUPPORTED, fmt::format("private graphs nest deeper than {}", kDeepest));
  auto graph = std::make_unique<OpenGraph>();
  graph->index = graphs_.size();
  graph->owner = owner.generation;
  graph->regions = owner.regions.size();
  graph->outerBuilder = builder_;
  graph->outerValues = values_;
  // A name nobody else has, until the content is known.
  graph->builder = std::make_unique<ir::GraphBuilder>(
      module(), fmt::format("{}#open{}", request.name, open_.size()), request.inputs, /*isPrivate=*/true);
  graph->builder->setLocation(builder_->location());
  ir::describePrivateGraph(graph->builder->graph(), request.composite ? &*request.composite : nullptr);
  graph->request = std::move(request);
  graphs_.emplace_back();
  builder_ = graph->builder.get();
  values_ = &graph->values;
  open_.push_back(std::move(graph));
  return graphs_.size() - 1;
}

void GraphLowering::closeGraph(Frame &owner, size_t index, llvm::ArrayRef<mlir::Value> outputs,
                               const std::vector<std::string> &names) {
  if (open_.empty() || open_.back()->index != index || open_.back()->owner != owner.generation)
    throw failure(SIXRUNG_INVALID_ARGUMENT, "only the innermost open graph can be closed, by the call that "
                                            "opened it");
  OpenGraph &graph = *open_.back();
  if (builder_->openRegions() != 0)
    throw failure(SIXRUNG_INVALID_ARGUMENT, "a region of the graph is still open");
  owner.dropRegions(graph.regions); // in no op, and nothing outside can hold them
  builder_->finish(outputs, names);
  mlir::Operation *root = (open_.front()->outerBuilder)->graph();
  graphs_[index] =
      ir::settlePrivateGraph(module(), builder_->graph(), graph.request.name, graph.request.exactName, root);
  abandonGraphs(open_.size() - 1);
}

void GraphLowering::abandonGraph(Frame &owner, size_t index) {
  for (size_t i = owner.graphsBefore; i < open_.size(); ++i)
    if (open_[i]->index == index) {
      owner.dropRegions(open_[i]->regions);
      abandonGraphs(i);
      return;
    }
}

void GraphLowering::abandonGraphs(size_t keep) {
  while (open_.size() > keep) {
    builder_ = open_.back()->outerBuilder;
    values_ = open_.back()->outerValues;
    open_.pop_back();
  }
}

size_t GraphLowering::graphIndex(sixrung_graph handle) const {
  if (handle.id == 0)
    throw failure(SIXRUNG_INVALID_ARGUMENT, "the graph handle is 0, which is none");
  if (generationOf(handle.id) != graphGeneration_ || indexOf(handle.id) >= graphs_.size())
    throw failure(SIXRUNG_STALE_HANDLE, "the graph belongs to an entrypoint that is finished, or never was");
  return indexOf(handle.id);
}

std::vector<mlir::Value> GraphLowering::invokeGraph(Frame &caller, size_t index,
                                                    llvm::ArrayRef<mlir::Value> operands) {
  const std::string &symbol = graphs_[index];
  if (symbol.empty())
    throw failure(SIXRUNG_INVALID_ARGUMENT, "the graph is not closed: it is open still, or its call failed");
  std::vector<mlir::Value> results = builder_->build(
      "coreai.invoke", operands, {ir::calleeAttribute(context_, symbol)}, ir::resultTypes(module(), symbol));
  record(caller).ops.push_back("coreai.invoke");
  return results;
}

} // namespace sixrung::lower
