// What a miss says: the field's wording first, then what would set it right.
#include "core/graph/spelling.hpp"
#include "core/ladder/ladder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace sixrung::ladder {
namespace {

struct KeyParts {
  std::string_view ns, name, overload;
  explicit KeyParts(std::string_view key) : ns(graph::keyNamespace(key)) {
    auto stem = graph::keyWithoutOverload(key);
    name = ns.empty() ? stem : stem.substr(ns.size() + 2);
    overload = key.substr(stem.size());
  }
};

const Entry *findEntry(const Table &table, std::string_view key) {
  for (const auto *entries : {&table.user, &table.builtin})
    if (auto it = entries->find(key); it != entries->end())
      return &it->second;
  return nullptr;
}

std::string ownerName(const Entry &entry) {
  if (!entry.owner)
    return "unknown";
  return entry.owner->version.empty() ? entry.owner->id
                                      : fmt::format("{} {}", entry.owner->id, entry.owner->version);
}

// The plugin of some key in this namespace: likely the one that should serve the missing key too.
const Entry *neighbour(const Table &table, std::string_view ns) {
  std::string prefix = fmt::format("{}::", ns);
  for (const auto *entries : {&table.user, &table.builtin})
    if (auto it = entries->lower_bound(prefix); it != entries->end() && it->first.starts_with(prefix))
      return &it->second;
  return nullptr;
}

// The op a higher-order node applies, and whether it takes bodies; both are among its arguments.
struct Applied {
  std::string op;
  bool bodies = false;
};
void look(const graph::Argument &argument, Applied &found) {
  if (const auto *op = std::get_if<graph::OperatorArg>(&argument.value); op && found.op.empty())
    found.op = op->key;
  found.bodies |= std::holds_alternative<graph::SubgraphArg>(argument.value);
  if (const auto *list = std::get_if<graph::ArgumentList>(&argument.value))
    for (const graph::Argument &entry : *list)
      look(entry, found);
}

// Control flow and effects are no ops that a lowering turns into others: the model is what can be changed.
std::string higherOrderAdvice(const graph::Node &node) {
  Applied found;
  for (const graph::NamedArgument &input : node.inputs)
    look(input.value, found);
  std::string_view name = KeyParts(node.target).name;
  if (name.starts_with("auto_functionalized") && !found.op.empty())
    return fmt::format(
        "\n  it stands for {0}, which writes into its arguments (mutates_args): have the model call an "
        "op that returns what it writes, or lower this one to the results of {0}, followed by the "
        "tensors it writes:\n  @converter.register_torch_lowering(\"{1}\")",
        found.op, node.target);
  if (name == "with_effects")
    return fmt::format(
        "\n  it keeps {} in order among side effects, of which Core AI has none: take it out of "
        "forward",
        found.op.empty() ? std::string("an op") : found.op);
  if (found.bodies)
    return "\n  it applies bodies of its own, which no plugin at hand lowers: write this part of the model "
           "as a loop "
           "in Python, which exporting unrolls, as torch.cond, or as torch.while_loop; a private plugin may "
           "lower it, "
           "too";
  return "\n  torch itself defines it: write this part of the model with other ops, or load a plugin that "
         "lowers it "
         "(--plugin FILE, or converter.load_plugin(path))";
}

} // namespace

std::vector<std::string> Ladder::suggestions(std::string_view key, size_t limit) const {
  KeyParts wanted(key);
  size_t allowed = graph::allowedEdits(wanted.name);
  // A custom namespace is a team's own: an op of another one that is spelled alike is no answer.
  bool custom = !wanted.ns.empty() && wanted.ns != "aten" && wanted.ns != "coreai" &&
                wanted.ns != "coreaix" && wanted.ns != "higher_order";
  size_t overloadAllowed = graph::allowedEdits(wanted.overload);
  std::vector<std::tuple<size_t, size_t, std::string_view>> near;
  for (const auto *entries : {&table_.user, &table_.builtin})
    for (const auto &[candidate, entry] : *entries) {
      if (candidate == key)
        continue;
      KeyParts parts(candidate);
      if (custom && parts.ns != wanted.ns)
        continue;
      size_t edits = graph::editDistance(wanted.name, parts.name, allowed);
      if (edits > allowed)
        continue;
      // An overload of the very op costs nothing; the same name elsewhere is one step away.
      size_t overload = graph::editDistance(wanted.overload, parts.overload, overloadAllowed);
      near.emplace_back(edits + (parts.ns != wanted.ns), overload, candidate);
    }
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  std::vector<std::string> keys;
  for (size_t i = 0; i < near.size() && i < limit; ++i)
    keys.emplace_back(std::get<2>(near[i]));
  return keys;
}

std::string Ladder::absentAdvice(std::string_view key) const {
  std::string text;
  for (const Owner &owner : table_.absent ? table_.absent(key) : std::vector<Owner>())
    text += fmt::format("{}{} {} ({})", text.empty() ? "" : " or ", owner.id, owner.version, owner.file);
  if (text.empty())
    return text;
  return fmt::format(
      "{} would be served by {}: enable it with --plugin FILE, converter.load_plugin(path) or in a "
      "deployment",
      key, text);
}

std::string Ladder::missMessage(const graph::Node &node, std::string_view sourceRoot) const {
  KeyParts parts(node.target);
  std::string op = fmt::format("{}{}", parts.name, parts.overload);
  bool aten = parts.ns.empty() || parts.ns == "aten";
  std::string text =
      aten ? fmt::format("Unsupported ATen op: {}. Use register_torch_lowering() to provide a custom "
                         "lowering.",
                         op)
           : fmt::format("unable to handle call function op: target: {}, namespace: {}", op, parts.ns);

  if (!node.name.empty()) {
    text += fmt::format("\n  node: {}", node.name);
    if (const graph::SourceFrame *frame = graph::userFrame(node))
      text += fmt::format(" ({}:{})", graph::portablePath(frame->file, sourceRoot), frame->line);
  }
  std::string list;
  for (const std::string &key : suggestions(node.target)) {
    const Entry *entry = findEntry(table_, key);
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", key, entry ? ownerName(*entry) : "unknown");
  }
  if (!list.empty())
    text += fmt::format("\n  did you mean: {}? Keys match exactly, overload included.", list);
  if (std::string advice = absentAdvice(node.target); !advice.empty())
    return fmt::format("{}\n  {}", text, advice);
  if (parts.ns == "higher_order")
    return text + higherOrderAdvice(node);
  if (!aten) {
    if (const Entry *near = neighbour(table_, parts.ns))
      text += fmt::format("\n  namespace {} is served by {}, but not this key: is the plugin older than "
                          "the program? Load a newer one",
                          parts.ns, ownerName(*near));
    else
      text += fmt::format("\n  no plugin serves namespace {}: load the one that does (--plugin FILE, or "
                          "converter.load_plugin(path))",
                          parts.ns);
    text += ", or register a lowering in Python:";
  }
  return text + fmt::format("\n  @converter.register_torch_lowering(\"{}\")", node.target);
}

} // namespace sixrung::ladder
