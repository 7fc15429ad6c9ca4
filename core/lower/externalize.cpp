#include "core/lower/externalize.hpp"

#include "core/lower/liveness.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <map>
#include <queue>
#include <set>

namespace sixrung::lower {
namespace {

using graph::Argument;
using graph::InputSpec;

constexpr const char *kTarget = "sixrung::externalized.default";

sixrung_status *lowerExternalized(const sixrung_host *, void *, sixrung_call call) {
  return guarded([&] {
    Frame &frame = ActiveFrames::find(call);
    frame.lowering->externalize(frame);
  });
}

// How a name is referred to, by what it is.
Argument reference(const graph::Graph &graph, const std::string &name) {
  switch (graph.values.at(name).kind) {
  case graph::ValueMeta::Kind::kSymInt:
    return {graph::SymIntRef{name}};
  case graph::ValueMeta::Kind::kSymFloat:
    return {graph::SymFloatRef{name}};
  case graph::ValueMeta::Kind::kSymBool:
    return {graph::SymBoolRef{name}};
  default:
    return {graph::ValueRef{name}};
  }
}

// Python scalars the exporter baked in are no values: they go inside as they are.
void replaceScalars(Argument &argument, const std::map<std::string, const Argument *> &scalars) {
  if (auto *list = std::get_if<graph::ArgumentList>(&argument.value)) {
    for (Argument &entry : *list)
      replaceScalars(entry, scalars);
    return;
  }
  const Argument *scalar = nullptr;
  forEachReference(argument, [&](const std::string &name) {
    if (auto found = scalars.find(name); found != scalars.end())
      scalar = found->second;
  });
  if (scalar)
    argument = *scalar;
}

class Rewriter {
public:
  Rewriter(const graph::Program &program, const Partition &partition)
      : program_(program), partition_(partition) {
    for (const InputSpec &spec : program.inputs)
      if (spec.kind == InputSpec::Kind::kConstant)
        scalars_.emplace(spec.value, &spec.constant);
    for (const graph::Node &node : program.graph.nodes)
      taken_.insert(node.name);
    for (const auto &[name, meta] : program.graph.values)
      taken_.insert(name);
    for (const Argument &output : program.graph.outputs)
      forEachReference(output, [&](const std::string &name) { returned_.insert(name); });
  }

  // The program with one node for each cut, and where each of these stands by cut.
  std::shared_ptr<graph::Program> run(std::vector<const graph::Node *> &nodes) {
    auto out = std::make_shared<graph::Program>(program_);
    out->graph.nodes.clear();
    std::vector<size_t> places(partition_.cuts().size());
    for (size_t unit : order()) {
      if (unit < partition_.cuts().size()) {
        places[unit] = out->graph.nodes.size();
        out->graph.nodes.push_back(cutNode(partition_.cuts()[unit]));
      } else {
        out->graph.nodes.push_back(*partition_.nodes()[unit - partition_.cuts().size()]);
      }
    }
    for (size_t place : places)
      nodes.push_back(&out->graph.nodes[place]);
    return out;
  }

private:
  size_t unitOf(uint32_t node) const {
    int cut = partition_.cutOf(node);
    return cut >= 0 ? static_cast<size_t>(cut) : partition_.cuts().size() + node;
  }

  // Cuts and the nodes outside of them, so that each comes after what it reads; else as they were.
  std::vector<size_t> order() const {
    size_t cuts = partition_.cuts().size(), count = cuts + partition_.nodes().size();
    std::vector<std::set<size_t>> readers(count);
    std::vector<size_t> waiting(count, 0), first(count, count);
    for (uint32_t node = 0; node < partition_.nodes().size(); ++node) {
      size_t unit = unitOf(node);
      first[unit] = std::min<size_t>(first[unit], node);
      for (uint32_t read : partition_.predecessors(node))
        if (unitOf(read) != unit && readers[unitOf(read)].insert(unit).second)
          ++waiting[unit];
    }
    std::priority_queue<std::pair<size_t, size_t>, std::vector<std::pair<size_t, size_t>>, std::greater<>>
        ready;
    size_t units = 0;
    for (size_t unit = 0; unit < count; ++unit) {
      units += first[unit] != count;
      if (first[unit] != count && waiting[unit] == 0)
        ready.emplace(first[unit], unit);
    }
    std::vector<size_t> order;
    while (!ready.empty()) {
      size_t unit = ready.top().second;
      ready.pop();
      order.push_back(unit);
      for (size_t reader : readers[unit])
        if (--waiting[reader] == 0)
          ready.emplace(first[reader], reader);
    }
    if (order.size() != units)
      refuseCycle(waiting);
    return order;
  }

  // Each cut is convex, so only several of them can wait for each other.
  [[noreturn]] void refuseCycle(const std::vector<size_t> &waiting) const {
    std::vector<std::string> names;
    for (size_t cut = 0; cut < partition_.cuts().size(); ++cut)
      if (waiting[cut] != 0)
        names.push_back("'" + partition_.cuts()[cut].name + "'");
    throw Error(ErrorKind::kInvalidInput,
                fmt::format("the cuts {} wait for each other: none of them can be called first",
                            fmt::join(names, ", ")))
        .with("hint", "make one cut of them, or leave one out");
  }

  std::string freshName(const std::string &wanted) {
    std::string base = wanted;
    for (char &c : base)
      if (!std::isalnum(static_cast<unsigned char>(c)))
        c = '_';
    std::string name = base;
    for (size_t i = 1; !taken_.insert(name).second; ++i)
      name = fmt::format("{}_{}", base, i);
    return name;
  }

  bool isReadOutside(const std::string &name, int cut) {
    if (readers_.empty())
      for (uint32_t node = 0; node < partition_.nodes().size(); ++node)
        for (const graph::NamedArgument &input : partition_.nodes()[node]->inputs)
          forEachReference(input.value,
                           [&](const std::string &read) { readers_[read].insert(partition_.cutOf(node)); });
    if (returned_.count(name))
      return true;
    auto found = readers_.find(name);
    return found != readers_.end() && std::any_of(found->second.begin(), found->second.end(),
                                                  [&](int reader) { return reader != cut || reader < 0; });
  }

  graph::Node cutNode(const Cut &cut) {
    int index = static_cast<int>(&cut - partition_.cuts().data());
    auto body = std::make_shared<graph::Graph>();
    std::set<std::string> made, read;
    graph::Node out;
    for (uint32_t at : cut.nodes) {
      const graph::Node &node = *partition_.nodes()[at];
      graph::Node &copy = body->nodes.emplace_back(node);
      for (graph::NamedArgument &input : copy.inputs) {
        replaceScalars(input.value, scalars_);
        forEachReference(input.value, [&](const std::string &name) {
          body->values[name] = program_.graph.values.at(name);
          if (!made.count(name) && read.insert(name).second)
            body->inputs.push_back(name);
        });
      }
      for (const std::string &name : node.outputs) {
        if (name.empty())
          continue;
        made.insert(name);
        body->values[name] = program_.graph.values.at(name);
        if (isReadOutside(name, index)) {
          body->outputs.push_back(reference(program_.graph, name));
          out.outputs.push_back(name);
        }
      }
    }
    const graph::Node &first = *partition_.nodes()[cut.nodes.front()];
    out.name = freshName(cut.name);
    out.target = kTarget;
    out.stack = first.stack;
    out.modules = first.modules;
    std::vector<std::string> inputs = body->inputs;
    out.inputs.push_back({"graph", {graph::SubgraphArg{cut.name, body}}, false});
    for (const std::string &name : inputs)
      out.inputs.push_back({name, reference(program_.graph, name), false});
    return out;
  }

  const graph::Program &program_;
  const Partition &partition_;
  std::map<std::string, const Argument *> scalars_;
  std::set<std::string> taken_, returned_;
  std::map<std::string, std::set<int>> readers_; // by name: the cuts of those that read it, -1 for none
};

const plugin::StrategyEntry &findStrategy(const plugin::Registry &registry, const std::string &name) {
  if (const plugin::StrategyEntry *entry = registry.strategy(name))
    return *entry;
  std::vector<std::string> known = registry.strategyNames();
  throw Error(
      ErrorKind::kInvalidInput,
      fmt::format("there is no externalization strategy '{}'; known are {}", name,
                  known.empty() ? "none: no plugin brings one" : fmt::format("{}", fmt::join(known, ", "))));
}

} // namespace

Externalized::Externalized(const plugin::Registry &registry, const EntryPoint &entry,
                           const std::vector<StrategyRequest> &strategies)
    : entry_(entry), table_(registry.table()) {
  if (!entry.program)
    throw Error(ErrorKind::kInvalidInput, fmt::format("entrypoint '{}' has no program", entry.name));
  graph::check(*entry.program);
  Partition partition(*entry.program, entry.name);
  for (const StrategyRequest &request : strategies) {
    const plugin::StrategyEntry &strategy = findStrategy(registry, request.name);
    if (std::string why = table_.policy.denial("strategy:" + strategy.name, strategy.owner->id); !why.empty())
      throw Error(ErrorKind::kUnsupported, why);
    partition.run(strategy, request);
  }
  std::vector<const graph::Node *> nodes;
  auto program = Rewriter(*entry.program, partition).run(nodes);
  std::unordered_map<std::string_view, const graph::Node *> given;
  for (const graph::Node *node : partition.nodes())
    given.emplace(node->name, node);
  auto remember = [&](const graph::Graph &graph) {
    for (const graph::Node &node : graph.nodes)
      if (auto found = given.find(node.name); found != given.end())
        origins_.emplace(&node, found->second);
  };
  remember(program->graph);
  for (size_t i = 0; i < nodes.size(); ++i) {
    install(*nodes[i], partition.cuts()[i]);
    remember(*std::get<graph::SubgraphArg>(nodes[i]->inputs.front().value.value).graph);
  }
  entry_.program = std::move(program);
  ladder_ = std::make_unique<ladder::Ladder>(table_);
}

void Externalized::install(const graph::Node &node, const Cut &cut) {
  names_.push_back(cut.name);
  ladder::Entry entry;
  entry.key = node.target;
  entry.fn = lowerExternalized;
  entry.owner = cut.strategy->owner;
  entry.detail = "strategy " + cut.strategy->name;
  if (!cut.strategy->over.empty())
    entry.detail += " over " + cut.strategy->over;
  table_.externalized.emplace(node.name, std::move(entry));
}

void Externalized::checkNames(const std::vector<EntryPoint> &entries) const {
  for (const std::string &name : names_)
    for (const EntryPoint &entry : entries)
      if (entry.name == name)
        throw Error(ErrorKind::kInvalidInput,
                    fmt::format("'{}' is an entrypoint, and nodes of {} are cut out under this name", name,
                                entry_.name))
            .with("hint", "give the entrypoint another name");
}

void GraphLowering::externalize(Frame &frame) {
  const auto &subgraph = std::get<graph::SubgraphArg>(frame.inputs->front().value.value);
  GraphRequest request;
  request.name = subgraph.name;
  request.exactName = true;
  std::vector<mlir::Value> inputs, operands; // inputs: of the subgraph; operands: those that are no constants
  for (size_t i = 1; i < frame.inputs->size(); ++i) {
    const std::string &name = (*frame.inputs)[i].name;
    mlir::Value value = valueOf(*frame.scope, name, &record(frame));
    inputs.push_back(value);
    if (builder_->constantBytes(value))
      continue;
    operands.push_back(value);
    request.inputs.push_back({name, value.getType(), unknownLocation()});
  }
  size_t index = openGraph(frame, std::move(request));
  unsigned next = 0;
  for (mlir::Value &value : inputs) {
    mlir::Value constant = builder_->copyConstant(value); // weights go inside: their bytes are shared
    value = constant ? constant : builder_->argument(next++);
  }
  std::vector<mlir::Value> outputs = inlineSubgraph(frame, subgraph, inputs);
  std::vector<std::string> names(frame.node->outputs.begin(), frame.node->outputs.end());
  closeGraph(frame, index, outputs, names);
  std::vector<mlir::Value> results = invokeGraph(frame, index, operands);
  for (size_t i = 0; i < results.size(); ++i)
    frame.results[i].value = checkedResult(frame.results[i], results[i]);
}

} // namespace sixrung::lower
