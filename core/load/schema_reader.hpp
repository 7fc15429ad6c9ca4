// torch's export schema (torch/_export/serde/schema.py), JSON to the graph model.
#pragma once

#include "core/graph/program.hpp"
#include "core/load/json.hpp"

#include <string>
#include <unordered_map>

namespace sixrung::load {

// The schema versions this reads: one major, any minor up to the newest known. A newer minor may bring
// tags that mean something here, so it is refused, not guessed at.
inline constexpr int64_t kSchemaMajor = 8;
inline constexpr int64_t kNewestSchemaMinor = 20;

// Values, shared between the readers of one archive: equal expressions are parsed once.
class ValueReader {
public:
  graph::SymInt symInt(Json json);
  graph::TensorMeta tensorMeta(Json json);
  // The expression behind a symbolic value, or the constant it is.
  std::shared_ptr<const graph::SymExpr> symbolic(Json json);
  graph::DType dtype(Json json);
  std::string device(Json json);
  std::string layout(Json json);
  std::string memoryFormat(Json json);

private:
  std::shared_ptr<const graph::SymExpr> expression(Json json);
  std::unordered_map<std::string, std::shared_ptr<const graph::SymExpr>> parsed_;
};

// One graph with its subgraphs. Inputs that are constants get empty names; the signature knows theirs.
class GraphReader {
public:
  explicit GraphReader(ValueReader &values, unsigned nesting = 0) : values_(values), nesting_(nesting) {}
  graph::Graph read(Json json);
  // An argument outside of a node, as in the signature; `graph` is the one `read` gave.
  graph::Argument argument(Json json, const graph::Graph &graph);

private:
  void readValues(Json json);
  std::string inputName(Json json);
  graph::Node node(Json json);
  void outputs(Json json, graph::Node &node);
  void output(Json json, graph::Node &node);
  void addOutput(const std::string &name, graph::Node &node);
  graph::Argument argument(Json json);
  graph::Argument reference(const std::string &name);
  graph::Argument optionalTensor(Json json);
  graph::Argument symbolicArgument(Json json);
  template <typename Read> graph::ArgumentList list(Json json, Read read);

  ValueReader &values_;
  unsigned nesting_;
  graph::Graph own_;
  const graph::Graph *graph_ = &own_; // where references are looked up
};

std::vector<graph::ModuleFrame> parseModuleStack(std::string_view text);

// Everything but weights. Throws Error(kInvalidInput) on versions and content it does not know.
graph::Program readProgram(Json json);

} // namespace sixrung::load
