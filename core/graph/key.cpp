// LADDER-0: one canonical key for every spelling of an op.
#include "core/graph/program.hpp"

namespace sixrung::graph {
namespace {

bool dropPrefix(std::string_view &text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix)
    return false;
  text.remove_prefix(prefix.size());
  return true;
}

// An aten name without an overload is a bare Python operator: real aten ops always have an overload,
// and scripts that must name a namespace write "aten::truediv" for it. So the overload packet
// torch.ops.aten.pow means the bare operator too; no exported program holds packets.
std::string join(std::string_view ns, std::string_view rest) {
  if (ns == "aten" && rest.find('.') == rest.npos)
    return std::string(rest);
  std::string key(ns);
  key += "::";
  key += rest;
  return key;
}

} // namespace

std::string canonicalKey(std::string_view spelling) {
  std::string_view text = spelling;
  bool isOp = dropPrefix(text, "torch.ops.");
  if (auto colons = text.find("::"); colons != text.npos)
    return join(text.substr(0, colons), text.substr(colons + 2));
  auto dot = text.find('.');
  if (dot == text.npos)
    return std::string(text);
  std::string_view head = text.substr(0, dot);
  if (!isOp) {
    // "torch.sym_float", and "torch.fx.experimental.symbolic_shapes.f": functions, not ops.
    if (head == "torch")
      return std::string(text.substr(text.rfind('.') + 1));
    for (std::string_view module : {"_operator", "operator", "math", "builtins"})
      if (head == module)
        return std::string(text.substr(dot + 1));
  }
  return join(head, text.substr(dot + 1));
}

std::string_view keyNamespace(std::string_view key) {
  auto colons = key.find("::");
  return colons == key.npos ? std::string_view{} : key.substr(0, colons);
}

std::string_view keyWithoutOverload(std::string_view key) {
  auto colons = key.find("::");
  auto dot = key.find('.', colons == key.npos ? 0 : colons + 2);
  return key.substr(0, dot);
}

} // namespace sixrung::graph
