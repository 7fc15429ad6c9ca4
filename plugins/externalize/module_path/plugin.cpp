// Cuts the nodes of submodules out, each into a graph of its own, by path in nn_module_stack.
#include "sixrung/sdk.hpp"

#include <map>
#include <set>

namespace sixrung::externalize {
namespace {

// Whether `path` is what `pattern` says; '*' stands for one component: "layers.*.attn".
bool matches(std::string_view pattern, std::string_view path) {
  auto next = [](std::string_view &text) {
    size_t dot = text.find('.');
    std::string_view part = text.substr(0, dot);
    text.remove_prefix(dot == text.npos ? text.size() : dot + 1);
    return part;
  };
  while (!pattern.empty() && !path.empty()) {
    std::string_view wanted = next(pattern), given = next(path);
    if (wanted != "*" && wanted != given)
      return false;
  }
  return pattern.empty() && path.empty();
}

std::string listed(const std::set<std::string_view> &paths) {
  std::string text;
  size_t count = 0;
  for (std::string_view path : paths) {
    if (++count > 12)
      return text + ", ...";
    text.append(text.empty() ? "" : ", ").append(path);
  }
  return text.empty() ? "none: the program was exported without them" : text;
}

void modulePath(Partition &partition) {
  std::vector<std::string_view> wanted = partition.option("paths");
  if (wanted.empty()) {
    fail(SIXRUNG_INVALID_ARGUMENT, "it is given no paths of submodules",
         "name them: --externalize module_path:encoder.layers.0,encoder.layers.1");
    return;
  }
  std::set<std::string_view> known, used;
  std::map<std::string_view, std::vector<uint32_t>> cuts; // by path, whose order is that of the cuts
  for (uint32_t i = 0; i < partition.size(); ++i) {
    PartitionNode node = partition.node(i);
    bool cut = node.taken;
    for (const ModuleFrame &frame : node.modules) { // the outermost match has the node
      if (!frame.path.empty())
        known.insert(frame.path);
      for (std::string_view pattern : wanted)
        if (!cut && matches(pattern, frame.path)) {
          cuts[frame.path].push_back(i);
          used.insert(pattern);
          cut = true;
        }
    }
  }
  for (std::string_view pattern : wanted)
    if (!used.count(pattern)) {
      std::string message("no node lies in a submodule '");
      fail(SIXRUNG_NOT_FOUND, message.append(pattern).append("'"), "submodules with nodes: " + listed(known));
      return;
    }
  for (const auto &[path, nodes] : cuts)
    partition.cut(path, nodes);
}

} // namespace

constexpr Strategy kStrategies[] = {{"module_path", modulePath}};

} // namespace sixrung::externalize

SIXRUNG_PLUGIN("org.sixrung.externalize.module_path", "0.1.0", sixrung::externalize::kStrategies);
