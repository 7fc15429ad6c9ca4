// The driver: nodes in order, each handed to the lowering the ladder chose.
#include "core/lower/boundary.hpp"
#include "core/lower/graph_lowering.hpp"
#include "core/lower/types.hpp"
#include "core/validate/validate.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sixrung::lower {

constexpr size_t kDeepest = 200; // calls in calls: far above any model, far below the end of the stack

GraphLowering::GraphLowering(mlir::MLIRContext *context, const ladder::Ladder &ladder,
                             const plugin::Registry &registry, const ConvertOptions &options,
                             std::string entrypoint)
    : context_(context), ladder_(ladder), registry_(registry), options_(options),
      entrypoint_(std::move(entrypoint)) {}

const Analysis &GraphLowering::analysisOf(const graph::Graph &graph) {
  std::unique_ptr<Analysis> &analysis = analyses_[&graph];
  if (analysis)
    return *analysis;
  analysis = std::make_unique<Analysis>();
  analysis->liveness = livenessOf(graph);
  analysis->matches.resize(graph.nodes.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i)
    if (analysis->liveness.live[i])
      analysis->matches[i] = ladder_.resolve(graph.nodes[i]);
  return *analysis;
}

static void forEachSubgraph(const graph::Argument &argument,
                            const std::function<void(const graph::Graph &)> &visit) {
  if (const auto *subgraph = std::get_if<graph::SubgraphArg>(&argument.value))
    visit(*subgraph->graph);
  else if (const auto *list = std::get_if<graph::ArgumentList>(&argument.value))
    for (const graph::Argument &entry : *list)
      forEachSubgraph(entry, visit);
}

void GraphLowering::checkResolvable(const graph::Graph &graph, bool &missing) {
  const Analysis &analysis = analysisOf(graph);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!analysis.liveness.live[i])
      continue;
    missing |= !analysis.matches[i].entry;
    for (const graph::NamedArgument &input : graph.nodes[i].inputs)
      forEachSubgraph(input.value, [&](const graph::Graph &inner) { checkResolvable(inner, missing); });
  }
}

// All that the deployment denies, together and before anything is built.
void GraphLowering::checkPermitted(const graph::Graph &graph, std::vector<std::string> &denied) {
  const Analysis &analysis = analysisOf(graph);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const ladder::Match &match = analysis.matches[i];
    if (!analysis.liveness.live[i] || !match.entry)
      continue;
    const graph::Node &node = graph.nodes[i];
    if (std::string why = ladder_.policy().denial(node.target, match.entry->owner->id); !why.empty()) {
      const graph::SourceFrame *source = graph::userFrame(node);
      denied.push_back(fmt::format(
          "{}: node {}{}", why, node.name,
          source
              ? fmt::format(" ({}:{})", graph::portablePath(source->file, options_.sourceRoot), source->line)
              : std::string()));
    }
    for (const graph::NamedArgument &input : node.inputs)
      forEachSubgraph(input.value, [&](const graph::Graph &inner) { checkPermitted(inner, denied); });
  }
}

void GraphLowering::analyze(const graph::Program &program) {
  bool missing = false;
  checkResolvable(program.graph, missing);
  if (missing)
    validate::validateResolvable(program, ladder_, options_.sourceRoot); // lists all of them
  if (const ladder::Policy &policy = ladder_.policy(); !policy.deployment.empty()) {
    std::vector<std::string> denied;
    checkPermitted(program.graph, denied);
    if (!denied.empty())
      throw Error(ErrorKind::kUnsupported, fmt::format("{}", fmt::join(denied, "\n")));
  }
  const std::vector<bool> &live = analysisOf(program.graph).liveness.live;
  liveNodes_ = static_cast<size_t>(std::count(live.begin(), live.end(), true));
}

void GraphLowering::lowerNodes(NameScope &scope) {
  const Analysis &analysis = analysisOf(*scope.graph);
  scope.liveness = &analysis.liveness;
  for (size_t i = 0; i < scope.graph->nodes.size(); ++i) {
    if (!analysis.liveness.live[i])
      continue;
    lowerNode(scope, scope.graph->nodes[i], analysis.matches[i]);
    if (nesting_ == 0 && onNode)
      onNode();
  }
}

Frame &GraphLowering::pushable() {
  if (depth_ >= kDeepest)
    throw failure(SIXRUNG_UNSUPPORTED, fmt::format("lowerings nest deeper than {}", kDeepest));
  if (depth_ == pool_.size())
    pool_.push_back(std::make_unique<Frame>());
  Frame &frame = *pool_[depth_];
  frame.reset();
  frame.lowering = this;
  frame.generation = nextGeneration();
  return frame;
}

void GraphLowering::lowerNode(NameScope &scope, const graph::Node &node, const ladder::Match &match) {
  if (!match.entry)
    throw Error(ErrorKind::kUnsupported, ladder_.missMessage(node, options_.sourceRoot))
        .with("node", node.name)
        .with("op", node.target);
  Frame &frame = pushable();
  frame.entry = match.entry;
  frame.key = node.target;
  frame.node = &node;
  frame.scope = &scope;
  frame.inputs = &node.inputs;
  frame.argumentCount = node.inputs.size();
  frame.sourceFile.clear();
  frame.sourceLine = 0;
  if (const graph::SourceFrame *source = graph::userFrame(node)) {
    frame.sourceFile = graph::portablePath(source->file, options_.sourceRoot);
    frame.sourceLine = source->line;
  }
  mlir::Location location = unknownLocation();
  if (options_.debugLocations && !frame.sourceFile.empty())
    location = mlir::FileLineColLoc::get(context_, frame.sourceFile, frame.sourceLine, 0);
  builder_->setLocation(location);

  const ladder::Owner &owner = *match.entry->owner;
  NodeRecord record;
  record.entrypoint = entrypoint_;
  record.node = scope.prefix + node.name;
  record.key = node.target;
  if (!frame.sourceFile.empty())
    record.source = fmt::format("{}:{}", frame.sourceFile, frame.sourceLine);
  record.rung = match.rung;
  record.plugin = owner.id;
  record.version = owner.version;
  record.detail = match.entry->detail;
  for (const ladder::Entry *loser : match.losers)
    record.overridden.push_back(loser->owner->id);
  frame.record = records_.size();
  records_.push_back(std::move(record));

  for (const std::string &output : node.outputs) {
    if (output.empty())
      frame.results.emplace_back();
    else
      frame.results.push_back(
          resultSlot(scope.graph->values.at(output), scope.liveness->used.count(output) != 0));
  }
  call(frame);
  for (size_t i = 0; i < node.outputs.size(); ++i)
    if (frame.results[i].value && !node.outputs[i].empty())
      scope.names[node.outputs[i]].value = frame.results[i].value;
}

void GraphLowering::call(Frame &frame) {
  frame.regionsBefore = builder_->openRegions();
  frame.graphsBefore = openGraphs();
  sixrung_status *status = nullptr;
  ++depth_;
  dispatching_.emplace_back(nesting_, frame.key);
  struct Leave {
    GraphLowering &self;
    ~Leave() {
      self.dispatching_.pop_back();
      --self.depth_;
    }
  } leave{*this};
  try {
    FrameGuard guard(frame);
    sixrung_call handle{makeId(frame.generation, ActiveFrames::stack().size() - 1)};
    // A plugin must not throw (ABI-7); one that does is named instead of ending the process.
    try {
      status = frame.entry->fn(hostTable(), frame.entry->user, handle);
    } catch (const std::exception &error) {
      throw failure(SIXRUNG_INTERNAL, fmt::format("an exception left the lowering: {}", error.what()));
    } catch (...) {
      throw failure(SIXRUNG_INTERNAL, "an exception that is no std::exception left the lowering");
    }
    uint32_t code = hostTable()->status_code(status);
    plugin::throwIfFailed(status, code == SIXRUNG_UNSUPPORTED ? ErrorKind::kUnsupported
                                  : code == SIXRUNG_IO        ? ErrorKind::kIo
                                                              : ErrorKind::kPlugin);
    if (openGraphs() != frame.graphsBefore)
      throw failure(SIXRUNG_INVALID_ARGUMENT, "the lowering returned with a private graph still open");
    if (builder_->openRegions() != frame.regionsBefore)
      throw failure(SIXRUNG_INVALID_ARGUMENT, "the lowering returned with a region still open");
    for (size_t i = 0; i < frame.results.size(); ++i)
      if (frame.results[i].used && !frame.results[i].value)
        throw failure(
            SIXRUNG_INVALID_ARGUMENT,
            fmt::format("the lowering did not set result {} of {}, which is used", i, frame.results.size()));
  } catch (const Error &error) {
    closeLeftRegions(frame);
    rethrow(frame, error, error.kind());
  } catch (const std::exception &error) {
    closeLeftRegions(frame);
    rethrow(frame, Error(ErrorKind::kInternal, error.what()), ErrorKind::kInternal);
  }
  frame.dropRegions(0);
}

void GraphLowering::closeLeftRegions(Frame &frame) {
  frame.dropRegions(0); // closed ones may use values of those still open
  abandonGraphs(frame.graphsBefore);
  try {
    while (builder_->openRegions() > frame.regionsBefore) {
      (void)builder_->closeRegion("coreai.yield", {});
      values_->leave();
    }
  } catch (const Error &) {
    // The graph is thrown away with the failure that brought us here, unless a lowering goes on from it;
    // then the next region it closes tells.
  }
}

void GraphLowering::rethrow(const Frame &frame, const Error &error, ErrorKind kind) {
  const ladder::Owner &owner = *frame.entry->owner;
  std::string who = owner.version.empty() ? owner.id : owner.id + " " + owner.version;
  if (!frame.entry->detail.empty())
    who += " (" + frame.entry->detail + ")";
  std::string source =
      frame.sourceFile.empty() ? std::string() : fmt::format("{}:{}", frame.sourceFile, frame.sourceLine);
  std::string where;
  if (!frame.dispatched)
    where = fmt::format(" (node {}{}{})", records_[frame.record].node, source.empty() ? "" : ", ", source);
  std::string message = fmt::format("{}{} in {}: {}", frame.key, where, who, error.what());
  bool known = false; // an inner call has told node, source and hint already
  for (const auto &[key, value] : error.payload())
    known |= key == "node";
  Error wrapped(kind, message);
  for (const auto &[key, value] : error.payload())
    wrapped.with(key, value);
  if (!known) {
    wrapped.with("node", records_[frame.record].node).with("op", std::string(frame.key)).with("plugin", who);
    if (!source.empty())
      wrapped.with("source", source);
  }
  throw wrapped;
}

mlir::Value GraphLowering::valueOf(NameScope &scope, std::string_view name, NodeRecord *reader) {
  auto found = scope.names.find(name);
  if (found == scope.names.end())
    throw Error(ErrorKind::kInternal, fmt::format("value '{}' is read before it is made", name));
  Binding &binding = found->second;
  if (!binding.value && binding.make)
    binding.value = binding.make();
  if (!binding.value && binding.scalar)
    binding.value = scalarConstant(*binding.scalar, false);
  if (!binding.value)
    throw Error(ErrorKind::kInternal, fmt::format("value '{}' was not set by the node that makes it", name));
  if (reader && !binding.note.empty()) {
    reader->remarks.push_back(std::move(binding.note));
    binding.note.clear();
  }
  return binding.value;
}

} // namespace sixrung::lower
