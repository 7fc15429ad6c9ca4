// Defaults of the aten schemas, as LibTorch knows them.
#include "core/graph/error.hpp"
#include "core/load/load.hpp"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>
#include <c10/core/ScalarTypeToTypeMeta.h>

#include <algorithm>
#include <fmt/format.h>
#include <sstream>
#include <unordered_map>

namespace sixrung::load {
namespace {

template <typename T> std::string lower(T value) {
  std::ostringstream text;
  text << value;
  std::string out = text.str();
  for (char &c : out)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string memoryFormat(c10::MemoryFormat format) {
  switch (format) {
  case c10::MemoryFormat::Contiguous:
    return "contiguous_format";
  case c10::MemoryFormat::ChannelsLast:
    return "channels_last";
  case c10::MemoryFormat::ChannelsLast3d:
    return "channels_last_3d";
  default:
    return "preserve_format";
  }
}

graph::DType toDType(c10::ScalarType type) {
  return graph::dtypeFromName(c10::getDtypeNames(type).first).value_or(graph::DType::kNone);
}

// Enumerations are ints in an IValue; the schema's real type tells which.
graph::Argument convert(const c10::IValue &value, const c10::TypePtr &type) {
  c10::TypePtr real = type;
  if (auto optional = real->cast<c10::OptionalType>())
    real = optional->getElementType();
  if (value.isInt())
    switch (real->kind()) {
    case c10::TypeKind::ScalarTypeType:
      return {graph::DTypeArg{toDType(static_cast<c10::ScalarType>(value.toInt()))}};
    case c10::TypeKind::LayoutType:
      return {graph::LayoutArg{lower(static_cast<c10::Layout>(value.toInt()))}};
    case c10::TypeKind::MemoryFormatType:
      return {graph::MemoryFormatArg{memoryFormat(static_cast<c10::MemoryFormat>(value.toInt()))}};
    default:
      return {value.toInt()};
    }
  if (value.isBool())
    return {value.toBool()};
  if (value.isDouble())
    return {value.toDouble()};
  if (value.isComplexDouble()) {
    auto number = value.toComplexDouble();
    return {std::complex<double>(number.real(), number.imag())};
  }
  if (value.isString())
    return {value.toStringRef()};
  if (value.isDevice())
    return {graph::DeviceArg{value.toDevice().str()}};
  if (value.isList()) {
    c10::TypePtr element = value.toList().elementType();
    graph::ArgumentList list;
    for (const c10::IValue &each : value.toListRef())
      list.push_back(convert(each, element));
    return {std::move(list)};
  }
  return {graph::NoneArg{}};
}

const c10::FunctionSchema *findSchema(const std::string &key) {
  auto colons = key.find("::"), dot = key.find('.', colons);
  if (dot == key.npos)
    return nullptr;
  std::string overload = key.substr(dot + 1);
  auto found =
      c10::Dispatcher::singleton().findSchema({key.substr(0, dot), overload == "default" ? "" : overload});
  return found ? &found->schema() : nullptr;
}

class Filler {
public:
  void fill(graph::Graph &graph) {
    for (graph::Node &node : graph.nodes) {
      for (graph::NamedArgument &input : node.inputs)
        descend(input.value);
      if (graph::keyNamespace(node.target) != "aten")
        continue;
      auto [entry, fresh] = schemas_.try_emplace(node.target, nullptr);
      if (fresh)
        entry->second = findSchema(node.target);
      if (entry->second)
        fill(node, *entry->second);
    }
  }

private:
  void descend(graph::Argument &argument) {
    if (auto *subgraph = std::get_if<graph::SubgraphArg>(&argument.value))
      fill(*subgraph->graph);
    else if (auto *list = std::get_if<graph::ArgumentList>(&argument.value))
      for (graph::Argument &element : *list)
        descend(element);
  }

  void fill(graph::Node &node, const c10::FunctionSchema &schema) {
    std::vector<graph::NamedArgument> given = std::move(node.inputs);
    node.inputs.clear();
    for (const c10::Argument &expected : schema.arguments()) {
      auto found = std::find_if(given.begin(), given.end(), [&](const graph::NamedArgument &argument) {
        return argument.name == expected.name();
      });
      if (found != given.end()) {
        node.inputs.push_back(std::move(*found));
        given.erase(found);
      } else if (expected.default_value()) {
        node.inputs.push_back({expected.name(), convert(*expected.default_value(), expected.real_type()),
                               expected.kwarg_only()});
      } else {
        fail(node, fmt::format("misses its argument '{}'", expected.name()));
      }
    }
    if (!given.empty())
      fail(node,
           fmt::format("has an argument '{}' the op does not know, or has it twice", given.front().name));
  }

  [[noreturn]] void fail(const graph::Node &node, const std::string &why) {
    throw Error(ErrorKind::kInvalidInput, fmt::format("node '{}' ({}) {}", node.name, node.target, why))
        .with("node", node.name)
        .with("op", node.target)
        .with("hint", "the program is damaged, or was exported by a torch with another schema of this op");
  }

  std::unordered_map<std::string, const c10::FunctionSchema *> schemas_;
};

} // namespace

void fillSchemaDefaults(graph::Graph &graph) { Filler().fill(graph); }

} // namespace sixrung::load
