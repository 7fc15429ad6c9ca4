#include "core/lower/liveness.hpp"

#include "core/validate/validate.hpp"

#include <algorithm>

namespace sixrung::lower {

void forEachReference(const graph::Argument &argument,
                      const std::function<void(const std::string &)> &visit) {
  if (const auto *list = std::get_if<graph::ArgumentList>(&argument.value)) {
    for (const graph::Argument &entry : *list)
      forEachReference(entry, visit);
  } else if (const auto *value = std::get_if<graph::ValueRef>(&argument.value)) {
    visit(value->name);
  } else if (const auto *symInt = std::get_if<graph::SymIntRef>(&argument.value)) {
    visit(symInt->name);
  } else if (const auto *symFloat = std::get_if<graph::SymFloatRef>(&argument.value)) {
    visit(symFloat->name);
  } else if (const auto *symBool = std::get_if<graph::SymBoolRef>(&argument.value)) {
    visit(symBool->name);
  }
}

Liveness livenessOf(const graph::Graph &graph) {
  Liveness result;
  result.live.assign(graph.nodes.size(), false);
  result.used.reserve(graph.nodes.size() * 2);
  auto mark = [&](const std::string &name) { result.used.insert(name); };
  for (const graph::Argument &output : graph.outputs)
    forEachReference(output, mark);
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    const graph::Node &node = graph.nodes[i];
    if (validate::isAssertion(node.target))
      continue;
    auto isUsed = [&](const std::string &name) { return !name.empty() && result.used.count(name) != 0; };
    bool live = node.outputs.empty() || std::any_of(node.outputs.begin(), node.outputs.end(), isUsed);
    if (!live)
      continue;
    result.live[i] = true;
    for (const graph::NamedArgument &input : node.inputs)
      forEachReference(input.value, mark);
  }
  return result;
}

} // namespace sixrung::lower
