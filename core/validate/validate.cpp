#include "core/validate/validate.hpp"

#include "core/graph/error.hpp"

#include <fmt/format.h>

#include <map>
#include <vector>

namespace sixrung::validate {
namespace {

using graph::Graph;
using graph::Node;

struct Found {
  Offender offender;
  const Node *first; // of the program
};

class Walk {
public:
  Walk(const ladder::Ladder &ladder, std::string_view sourceRoot)
      : ladder_(ladder), sourceRoot_(sourceRoot) {}

  void visit(const Graph &graph) {
    for (const Node &node : graph.nodes) {
      if (!isAssertion(node.target) && !ladder_.resolve(node).entry)
        add(node);
      for (const graph::NamedArgument &input : node.inputs)
        visit(input.value);
    }
  }

  std::vector<Found> found;

private:
  void visit(const graph::Argument &argument) {
    if (const auto *subgraph = std::get_if<graph::SubgraphArg>(&argument.value)) {
      if (subgraph->graph)
        visit(*subgraph->graph);
    } else if (const auto *list = std::get_if<graph::ArgumentList>(&argument.value)) {
      for (const graph::Argument &entry : *list)
        visit(entry);
    }
  }

  void add(const Node &node) {
    auto [it, fresh] = index_.try_emplace(node.target, found.size());
    if (fresh) {
      Offender offender;
      offender.key = node.target;
      offender.firstNode = node.name;
      if (const graph::SourceFrame *frame = graph::userFrame(node))
        offender.firstSource =
            fmt::format("{}:{}", graph::portablePath(frame->file, sourceRoot_), frame->line);
      offender.suggestions = ladder_.suggestions(node.target);
      offender.absentAdvice = ladder_.absentAdvice(node.target);
      found.push_back({std::move(offender), &node});
    }
    ++found[it->second].offender.count;
  }

  const ladder::Ladder &ladder_;
  std::string_view sourceRoot_;
  std::map<std::string_view, size_t> index_;
};

std::string names(const std::vector<const Offender *> &offenders) {
  std::string text;
  for (const Offender *offender : offenders)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", offender->key);
  return text;
}

// One line an offender: how often, where first, what may have been meant.
std::string table(const std::vector<const Offender *> &offenders) {
  std::string text;
  for (const Offender *offender : offenders) {
    text += fmt::format("\n  {}: {} node{}, first {}", offender->key, offender->count,
                        offender->count == 1 ? "" : "s", offender->firstNode);
    if (!offender->firstSource.empty())
      text += fmt::format(" ({})", offender->firstSource);
    for (size_t i = 0; i < offender->suggestions.size(); ++i)
      text += fmt::format("{}{}", i == 0 ? "; did you mean " : ", ", offender->suggestions[i]);
    if (!offender->suggestions.empty())
      text += "?";
    if (!offender->absentAdvice.empty())
      text += "\n    " + offender->absentAdvice;
  }
  return text;
}

// The Python that decomposes; for a saved program, all of it.
std::string decomposing(const std::string &archive) {
  std::string decompose = "  ep = ep.run_decompositions(sixrung.get_decomp_table())\n";
  if (archive.empty())
    return decompose;
  std::string path;
  for (char c : archive)
    path += c == '"' || c == '\\'                 ? std::string{'\\', c}
            : static_cast<unsigned char>(c) < ' ' ? fmt::format("\\x{:02x}", c)
                                                  : std::string(1, c);
  return fmt::format("  import sixrung, torch\n"
                     "  ep = torch.export.load(\"{0}\")\n"
                     "{1}"
                     "  torch.export.save(ep, \"{0}\")\n",
                     path, decompose);
}

// A: what the exporter's own table would have removed.
std::string nonDecomposed(const std::vector<const Offender *> &offenders, const std::string &archive) {
  return fmt::format(
      "The exported program contains non-decomposed ops: {}. Decompose it before converting:\n"
      "{}"
      "An op that is still there afterwards is one that table keeps whole: load the plugin that "
      "lowers it, or use ep.run_decompositions().{}",
      names(offenders), decomposing(archive), table(offenders));
}

// B: nobody lowers these, and decomposing does not help.
std::string unsupported(const std::vector<const Offender *> &offenders) {
  std::string lines;
  for (const Offender *offender : offenders)
    lines += fmt::format("\n  @converter.register_torch_lowering(\"{}\")", offender->key);
  return fmt::format(
      "The exported program contains unsupported ATen ops: {}. Use register_torch_lowering() to "
      "provide a custom lowering for each, or load a plugin that has one:{}{}",
      names(offenders), lines, table(offenders));
}

} // namespace

std::vector<Offender> findOffenders(const graph::Program &program, const ladder::Ladder &ladder,
                                    std::string_view sourceRoot) {
  Walk walk(ladder, sourceRoot);
  walk.visit(program.graph);
  std::vector<Offender> offenders;
  for (Found &found : walk.found)
    offenders.push_back(std::move(found.offender));
  return offenders;
}

void validateStaged(const graph::Program &program, const ladder::Ladder &ladder,
                    std::string_view sourceRoot) {
  std::vector<Offender> all = findOffenders(program, ladder, sourceRoot);
  std::vector<const Offender *> a, b;
  for (const Offender &offender : all)
    if (graph::keyNamespace(offender.key) == "aten")
      (tableDecomposes(offender.key) ? a : b).push_back(&offender);
  if (a.empty() && b.empty())
    return;
  std::string text = a.empty() ? unsupported(b) : nonDecomposed(a, program.archive);
  if (!a.empty() && !b.empty())
    text += "\n" + unsupported(b);
  throw Error(ErrorKind::kUnsupported, text).with("op", a.empty() ? names(b) : names(a));
}

void validateResolvable(const graph::Program &program, const ladder::Ladder &ladder,
                        std::string_view sourceRoot) {
  Walk walk(ladder, sourceRoot);
  walk.visit(program.graph);
  if (walk.found.empty())
    return;
  std::string text;
  std::vector<const Offender *> offenders;
  for (const Found &found : walk.found) {
    text += (text.empty() ? "" : "\n") + ladder.missMessage(*found.first, sourceRoot);
    if (found.offender.count > 1)
      text += fmt::format("\n  {} nodes in all", found.offender.count);
    offenders.push_back(&found.offender);
  }
  const Offender &first = walk.found.front().offender;
  Error error(ErrorKind::kUnsupported, text);
  error.with("op", names(offenders)).with("node", first.firstNode);
  if (!first.firstSource.empty())
    error.with("source", first.firstSource);
  throw error;
}

} // namespace sixrung::validate
