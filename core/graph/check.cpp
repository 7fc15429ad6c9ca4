#include "core/graph/error.hpp"
#include "core/graph/program.hpp"
#include "core/graph/spelling.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unordered_set>

namespace sixrung::graph {
namespace {

constexpr unsigned kMaxNesting = 64; // subgraphs in subgraphs

[[noreturn]] void fail(const std::string &what) {
  throw Error(ErrorKind::kInvalidInput, "the exported program is malformed: " + oneLine(what))
      .with("hint", "export and save the model again with torch.export");
}

// Names are what torch.fx makes of identifiers; messages and tables show them as they are.
void checkWord(const std::string &word, const char *what) {
  if (oneLine(word) != word)
    fail(fmt::format("{} '{}' holds a control character", what, word));
}

void checkTensor(const std::string &name, const TensorMeta &meta) {
  if (meta.dtype == DType::kNone)
    fail(fmt::format("value '{}' has no element type", name));
  if (meta.sizes.size() > 64)
    fail(fmt::format("value '{}' has {} dimensions; PyTorch knows 64", name, meta.sizes.size()));
  if (!meta.strides.empty() && meta.strides.size() != meta.sizes.size())
    fail(fmt::format("value '{}' has {} sizes and {} strides", name, meta.sizes.size(), meta.strides.size()));
  auto checkEach = [&](const std::vector<SymInt> &numbers, const char *what) {
    for (const SymInt &number : numbers) {
      if (!number.value && !number.expr)
        fail(fmt::format("value '{}' has an unknown {}", name, what));
      if (number.value && *number.value < 0)
        fail(fmt::format("value '{}' has the negative {} {}", name, what, *number.value));
    }
  };
  checkEach(meta.sizes, "size");
  checkEach(meta.strides, "stride");
}

class GraphChecker {
public:
  GraphChecker(const Graph &graph, std::string where, unsigned nesting)
      : graph_(graph), where_(std::move(where)), nesting_(nesting) {}

  void run() {
    if (nesting_ > kMaxNesting)
      fail(fmt::format("subgraphs nest deeper than {}", kMaxNesting));
    for (const auto &[name, meta] : graph_.values) {
      checkWord(name, "the name");
      if (meta.kind == ValueMeta::Kind::kTensor)
        checkTensor(name, meta.tensor);
    }
    for (const std::string &input : graph_.inputs)
      if (nesting_ == 0 || !input.empty())
        define(input, "an input");
    for (const Node &node : graph_.nodes)
      checkNode(node);
    for (const Argument &output : graph_.outputs)
      checkArgument(output, "an output");
  }

private:
  void define(const std::string &name, const std::string &what) {
    if (name.empty())
      fail(fmt::format("{} of {} has no name", what, where_));
    if (!graph_.values.count(name))
      fail(fmt::format("{} of {}, '{}', has no metadata", what, where_, name));
    if (!defined_.insert(name).second)
      fail(fmt::format("'{}' is defined twice in {}", name, where_));
  }

  void checkNode(const Node &node) {
    checkWord(node.name, "the name of a node");
    checkWord(node.target, "the target");
    if (node.target.empty())
      fail(fmt::format("node '{}' of {} has no target", node.name, where_));
    if (node.name.empty() && !node.outputs.empty())
      fail(fmt::format("a node of {} with target {} has no name", where_, node.target));
    std::string what = fmt::format("node '{}' ({})", node.name, node.target);
    for (const NamedArgument &input : node.inputs)
      checkArgument(input.value, what);
    for (const std::string &output : node.outputs)
      if (!output.empty())
        define(output, "a result of " + what);
  }

  void use(const std::string &name, const std::string &what, bool fits(ValueMeta::Kind)) {
    if (!defined_.count(name))
      fail(fmt::format("{} in {} reads '{}', which nothing before it defines", what, where_, name));
    if (!fits(graph_.values.at(name).kind))
      fail(fmt::format("{} in {} reads '{}' as something else than it is", what, where_, name));
  }

  void checkArgument(const Argument &argument, const std::string &what) {
    using Kind = ValueMeta::Kind;
    if (auto *value = std::get_if<ValueRef>(&argument.value))
      use(value->name, what,
          [](Kind kind) { return kind == Kind::kTensor || kind == Kind::kToken || kind == Kind::kNone; });
    else if (auto *symInt = std::get_if<SymIntRef>(&argument.value))
      use(symInt->name, what, [](Kind kind) { return kind == Kind::kSymInt; });
    else if (auto *symFloat = std::get_if<SymFloatRef>(&argument.value))
      use(symFloat->name, what, [](Kind kind) { return kind == Kind::kSymFloat; });
    else if (auto *symBool = std::get_if<SymBoolRef>(&argument.value))
      use(symBool->name, what, [](Kind kind) { return kind == Kind::kSymBool; });
    else if (auto *list = std::get_if<ArgumentList>(&argument.value))
      for (const Argument &element : *list)
        checkArgument(element, what);
    else if (auto *subgraph = std::get_if<SubgraphArg>(&argument.value)) {
      if (!subgraph->graph)
        fail(fmt::format("{} in {} has a subgraph '{}' without a body", what, where_, subgraph->name));
      GraphChecker(*subgraph->graph, fmt::format("subgraph '{}' of {}", subgraph->name, what), nesting_ + 1)
          .run();
    }
  }

  const Graph &graph_;
  std::string where_;
  unsigned nesting_;
  std::unordered_set<std::string> defined_;
};

bool holdsTensor(InputSpec::Kind kind) {
  return kind == InputSpec::Kind::kParameter || kind == InputSpec::Kind::kBuffer ||
         kind == InputSpec::Kind::kTensorConstant;
}

void checkConstant(const Program &program, const InputSpec &spec) {
  auto found = program.constants.find(spec.target);
  if (found == program.constants.end())
    fail(fmt::format("input '{}' stands for '{}', which has no data", spec.value, spec.target));
  const TensorData &data = found->second;
  const ValueMeta &meta = program.graph.values.at(spec.value);
  if (meta.kind != ValueMeta::Kind::kTensor)
    fail(fmt::format("input '{}' stands for the tensor '{}' and is none", spec.value, spec.target));
  bool same = data.dtype == meta.tensor.dtype && data.sizes.size() == meta.tensor.sizes.size();
  for (size_t i = 0; same && i < data.sizes.size(); ++i)
    same = !meta.tensor.sizes[i].value || *meta.tensor.sizes[i].value == data.sizes[i];
  if (!same)
    fail(fmt::format("the data of '{}' is {}[{}], but the graph says otherwise of '{}'", spec.target,
                     dtypeName(data.dtype), fmt::join(data.sizes, ", "), spec.value));
  if (!isInside(data))
    fail(fmt::format("'{}' of shape [{}] and strides [{}] reaches beyond its {} bytes", spec.target,
                     fmt::join(data.sizes, ", "), fmt::join(data.strides, ", "), data.extent));
}

void checkSignature(const Program &program) {
  const Graph &graph = program.graph;
  if (program.inputs.size() != graph.inputs.size())
    fail(fmt::format("the graph has {} inputs and the signature {}", graph.inputs.size(),
                     program.inputs.size()));
  std::unordered_set<std::string> tensors, userInputs;
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    const InputSpec &spec = program.inputs[i];
    if (spec.value != graph.inputs[i])
      fail(fmt::format("input {} is '{}' in the graph and '{}' in the signature", i, graph.inputs[i],
                       spec.value));
    if (holdsTensor(spec.kind)) {
      checkConstant(program, spec);
      tensors.insert(spec.target);
    } else if (spec.kind == InputSpec::Kind::kUserInput) {
      userInputs.insert(spec.value);
    }
  }
  for (const auto &[name, data] : program.constants)
    if (!tensors.count(name))
      fail(fmt::format("the tensor '{}' belongs to no input", name));
  if (program.outputs.size() != graph.outputs.size())
    fail(fmt::format("the graph has {} outputs and the signature {}", graph.outputs.size(),
                     program.outputs.size()));
  for (size_t i = 0; i < program.outputs.size(); ++i) {
    const OutputSpec &spec = program.outputs[i];
    if (toString(spec.value) != toString(graph.outputs[i]))
      fail(fmt::format("output {} is {} in the graph and {} in the signature", i, toString(graph.outputs[i]),
                       toString(spec.value)));
    bool tensor =
        spec.kind == OutputSpec::Kind::kBufferMutation || spec.kind == OutputSpec::Kind::kParameterMutation;
    if ((tensor && !tensors.count(spec.target)) ||
        (spec.kind == OutputSpec::Kind::kUserInputMutation && !userInputs.count(spec.target)))
      fail(fmt::format("output {} mutates '{}', which is no such input", i, spec.target));
  }
}

} // namespace

void check(const Program &program) {
  GraphChecker(program.graph, "the graph", 0).run();
  checkSignature(program);
  for (const auto &[symbol, range] : program.ranges)
    if (range.min && range.max && *range.min > *range.max)
      fail(fmt::format("symbol '{}' ranges from {} to {}", symbol, *range.min, *range.max));
}

} // namespace sixrung::graph
