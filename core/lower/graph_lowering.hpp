// One entrypoint on its way from graph::Graph to a coreai.graph: names, frames, values, records.
#pragma once

#include "core/ladder/ladder.hpp"
#include "core/lower/frame.hpp"
#include "core/lower/liveness.hpp"
#include "core/lower/session.hpp"
#include "core/lower/values.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sixrung::lower {

// What a name of a graph stands for: a value, one made when first asked for, or a Python scalar.
struct Binding {
  mlir::Value value;
  std::function<mlir::Value()> make;
  const graph::Argument *scalar = nullptr;
  std::string note; // told by the first node that reads it: a narrowing
};

struct NameScope {
  const graph::Graph *graph = nullptr;
  const Liveness *liveness = nullptr;
  std::string prefix; // of node names in records: "true_graph_0/" inside a subgraph
  std::unordered_map<std::string_view, Binding> names;
};

// What the analysis of a graph gives, once a conversion: who lives, and who lowers it.
struct Analysis {
  Liveness liveness;
  std::vector<ladder::Match> matches; // by node; empty for dead ones
};

// What a private graph is to be.
struct GraphRequest {
  std::string name;
  bool exactName = false;
  std::vector<ir::Port> inputs;
  std::optional<ir::CompositeDeclaration> composite;
};

// Nodes of a program by the nodes that stand for them in a rewritten one.
using Origins = std::unordered_map<const graph::Node *, const graph::Node *>;

class GraphLowering {
public:
  GraphLowering(mlir::MLIRContext *context, const ladder::Ladder &ladder, const plugin::Registry &registry,
                const ConvertOptions &options, std::string entrypoint);

  // Names the offenders of the whole program, when there are any, before anything is built.
  void analyze(const graph::Program &program);
  size_t liveNodes() const { return liveNodes_; }
  void begin(ir::GraphBuilder &builder) { builder_ = &builder; }
  // Lowers the nodes of a graph whose inputs are bound in `scope`.
  void lowerNodes(NameScope &scope);
  // A dispatch from inside a lowering; gives its results.
  std::vector<mlir::Value> dispatch(Frame &caller, const sixrung_lower_request &request);
  // The nodes of a subgraph here; a null value is a hole.
  std::vector<mlir::Value> inlineSubgraph(Frame &caller, const graph::SubgraphArg &subgraph,
                                          llvm::ArrayRef<mlir::Value> inputs);

  // A known operation: the body of its composite in a private graph, called.
  std::vector<mlir::Value> composite(Frame &caller, const sixrung_composite_request &request);

  // Private graphs. While one is open, builder() and values() are its own.
  size_t openGraph(const Frame &owner, GraphRequest request);
  // Ends the innermost one, which `owner` opened as `index`.
  void closeGraph(Frame &owner, size_t index, llvm::ArrayRef<mlir::Value> outputs,
                  const std::vector<std::string> &names);
  std::vector<mlir::Value> invokeGraph(Frame &caller, size_t index, llvm::ArrayRef<mlir::Value> operands);
  size_t openGraphs() const { return open_.size(); }
  // Leaves the one `owner` opened as `index`, and those inside it, unfinished.
  void abandonGraph(Frame &owner, size_t index);
  // Leaves all but the `keep` outermost ones, unfinished.
  void abandonGraphs(size_t keep);
  sixrung_graph graphHandle(size_t index) const { return {makeId(graphGeneration_, index)}; }
  size_t graphIndex(sixrung_graph handle) const;
  // The nodes of a cut, in a private graph of the cut's name; for the lowering of rung 1.
  void externalize(Frame &frame);

  // The value of a name; makes a lazy one. `reader` is told of narrowings, and may be null.
  mlir::Value valueOf(NameScope &scope, std::string_view name, NodeRecord *reader);
  // A Python scalar as a constant: 0-D, or rank 1 for the symbolic kinds. Null for other arguments.
  mlir::Value scalarConstant(const graph::Argument &argument, bool rankOne);
  // `value` with the element type and, where static, the shape of `type`.
  mlir::Value conform(mlir::Value value, mlir::RankedTensorType type);
  // Rank 1 of one element to 0-D and back.
  mlir::Value toScalar(mlir::Value value);
  mlir::Value toRankOne(mlir::Value value);
  mlir::Value indexConstant(llvm::ArrayRef<int32_t> values, bool scalar = false);

  // Checks `value` against what the program says, and gives the value to bind: one whose dims are less
  // exact than the program's is reshaped. Throws failure(SIXRUNG_TYPE_MISMATCH).
  mlir::Value checkedResult(const ResultSlot &slot, mlir::Value value);

  ir::GraphBuilder &builder() { return *builder_; }
  mlir::MLIRContext *context() { return context_; }
  const ConvertOptions &options() const { return options_; }
  ValueTable &values() { return *values_; }
  NodeRecord &record(const Frame &frame) { return records_[frame.record]; }
  std::vector<NodeRecord> takeRecords() { return std::move(records_); }
  mlir::Location unknownLocation() { return mlir::UnknownLoc::get(context_); }

  const Origins *origins = nullptr; // when the program was rewritten
  std::function<void()> onNode;     // after each node of the graph itself

private:
  const Analysis &analysisOf(const graph::Graph &graph);
  void checkPermitted(const graph::Graph &graph, std::vector<std::string> &denied);
  void checkResolvable(const graph::Graph &graph, bool &missing);
  void lowerNode(NameScope &scope, const graph::Node &node, const ladder::Match &match);
  Frame &pushable();
  void call(Frame &frame);
  void closeLeftRegions(Frame &frame);
  [[noreturn]] void rethrow(const Frame &frame, const Error &error, ErrorKind kind);
  void detectRecursion(std::string_view key) const;

  mlir::MLIRContext *context_;
  struct OpenGraph {
    size_t index = 0;   // in graphs_
    uint32_t owner = 0; // generation of the call that opened it
    GraphRequest request;
    std::unique_ptr<ir::GraphBuilder> builder;
    ValueTable values;
    size_t regions = 0; // of the owner, when it was opened
    ir::GraphBuilder *outerBuilder = nullptr;
    ValueTable *outerValues = nullptr;
  };
  mlir::ModuleOp module();

  const ladder::Ladder &ladder_;
  const plugin::Registry &registry_;
  const ConvertOptions &options_;
  std::string entrypoint_;
  ir::GraphBuilder *builder_ = nullptr; // of the innermost open graph
  ValueTable entryValues_;
  ValueTable *values_ = &entryValues_;
  std::vector<std::unique_ptr<OpenGraph>> open_;
  uint32_t graphGeneration_ = nextGeneration();
  std::vector<std::string> graphs_; // symbols of private graphs; empty while open
  std::vector<NodeRecord> records_;
  std::map<const graph::Graph *, std::unique_ptr<Analysis>> analyses_;
  size_t liveNodes_ = 0;
  // Frames by depth of nesting, reused from node to node.
  std::vector<std::unique_ptr<Frame>> pool_;
  size_t depth_ = 0;
  size_t nesting_ = 0;                                           // subgraphs being inlined
  std::vector<std::pair<size_t, std::string_view>> dispatching_; // nesting and key of running lowerings
};

// Encoding of arguments (ABI-9), on first demand; borrowed memory lies in the frame's arena.
sixrung_arg encodeArgument(Frame &frame, size_t index);
sixrung_arg encodeArgument(Frame &frame, const graph::Argument &argument);
std::string_view argumentName(const Frame &frame, size_t index);

} // namespace sixrung::lower
