#include "core/graph/error.hpp"
#include "core/load/load.hpp"
#include "core/load/schema_reader.hpp"
#include "core/load/text.hpp"

#include <fmt/format.h>

namespace sixrung::load {
namespace {

constexpr unsigned kMaxNesting = 32; // JSON of a deeper one is refused too

// The name torch gives a result without a getitem: "split_unused_1", or "_unused_0_1" in a nested list.
bool isUnused(const std::string &name, const std::string &node) {
  constexpr std::string_view kInfix = "_unused_";
  if (name.compare(0, node.size(), node) != 0 || name.compare(node.size(), kInfix.size(), kInfix) != 0)
    return false;
  std::string_view rest = std::string_view(name).substr(node.size() + kInfix.size());
  return !rest.empty() && rest.find_first_not_of("0123456789_") == rest.npos;
}

} // namespace

graph::Graph GraphReader::read(Json json) {
  if (nesting_ > kMaxNesting)
    json.fail(fmt::format("subgraphs nest deeper than {}", kMaxNesting));
  readValues(json);
  for (Json input : json.at("inputs").elements())
    own_.inputs.push_back(inputName(input));
  auto nodes = json.at("nodes").elements();
  own_.nodes.reserve(nodes.size());
  for (Json each : nodes)
    own_.nodes.push_back(node(each));
  for (Json output : json.at("outputs").elements())
    own_.outputs.push_back(argument(output));
  return std::move(own_);
}

void GraphReader::readValues(Json json) {
  using Kind = graph::ValueMeta::Kind;
  auto each = [&](const char *field, Kind kind, auto fill) {
    auto map = json.find(field);
    if (!map)
      return;
    for (auto &[name, value] : map->members()) {
      graph::ValueMeta meta;
      meta.kind = kind;
      fill(meta, value);
      if (!own_.values.emplace(name, std::move(meta)).second)
        value.fail(fmt::format("the value '{}' is of two kinds", printable(name)));
    }
  };
  auto symbolic = [&](graph::ValueMeta &meta, Json value) { meta.expr = values_.symbolic(value); };
  each("tensor_values", Kind::kTensor,
       [&](graph::ValueMeta &meta, Json value) { meta.tensor = values_.tensorMeta(value); });
  each("sym_int_values", Kind::kSymInt, symbolic);
  each("sym_float_values", Kind::kSymFloat, symbolic);
  each("sym_bool_values", Kind::kSymBool, symbolic);
  each("custom_obj_values", Kind::kNone, [](graph::ValueMeta &, Json) {});
}

std::string GraphReader::inputName(Json json) {
  auto [tag, value] = json.alternative();
  if (tag == "as_tensor" || tag == "as_custom_obj")
    return value.at("name").string();
  if (tag == "as_sym_int" || tag == "as_sym_float" || tag == "as_sym_bool")
    return value.at("as_name").string();
  if (tag == "as_none" || tag == "as_int" || tag == "as_float" || tag == "as_bool" || tag == "as_string")
    return {};
  json.fail(fmt::format("'{}' cannot be an input of a graph", printable(tag)));
}

graph::Node GraphReader::node(Json json) {
  graph::Node node;
  node.target = graph::canonicalKey(json.at("target").string());
  if (auto name = json.find("name"))
    node.name = name->string();
  for (Json input : json.at("inputs").elements()) {
    graph::NamedArgument argument;
    argument.name = input.at("name").string();
    argument.value = this->argument(input.at("arg"));
    auto kind = input.find("kind");
    argument.keyword = kind && kind->integer() == 2;
    node.inputs.push_back(std::move(argument));
  }
  outputs(json.at("outputs"), node);
  Json metadata = json.at("metadata");
  if (auto trace = metadata.find("stack_trace"))
    node.stack = parseStackTrace(trace->string());
  if (auto modules = metadata.find("nn_module_stack"))
    node.modules = parseModuleStack(modules->string());
  return node;
}

void GraphReader::outputs(Json json, graph::Node &node) {
  if (node.name.empty()) // schemas before 8.9 name only the results
    for (Json each : json.elements()) {
      auto [tag, value] = each.alternative();
      if (tag == "as_tensor")
        node.name = value.at("name").string();
      else if (tag == "as_sym_int" || tag == "as_sym_float" || tag == "as_sym_bool")
        node.name = value.at("as_name").string();
      if (!node.name.empty())
        break;
    }
  for (Json each : json.elements())
    output(each, node);
}

void GraphReader::output(Json json, graph::Node &node) {
  auto [tag, value] = json.alternative();
  if (tag == "as_tensor" || tag == "as_custom_obj")
    addOutput(value.at("name").string(), node);
  else if (tag == "as_tensors")
    for (Json each : value.elements())
      addOutput(each.at("name").string(), node);
  else if (tag == "as_sym_int" || tag == "as_sym_float" || tag == "as_sym_bool")
    addOutput(value.at("as_name").string(), node);
  else if (tag == "as_none")
    addOutput({}, node);
  else
    json.fail(fmt::format("'{}' cannot be a result of a node", printable(tag)));
}

void GraphReader::addOutput(const std::string &name, graph::Node &node) {
  if (isUnused(name, node.name)) {
    own_.values.erase(name);
    node.outputs.emplace_back();
  } else {
    node.outputs.push_back(name);
  }
}

// torch writes a symbolic value as a tensor where it stands in a list among tensors, so the kind of the
// value decides, not the tag.
graph::Argument GraphReader::reference(const std::string &name) {
  using Kind = graph::ValueMeta::Kind;
  auto found = graph_->values.find(name);
  switch (found == graph_->values.end() ? Kind::kTensor : found->second.kind) {
  case Kind::kSymInt:
    return {graph::SymIntRef{name}};
  case Kind::kSymFloat:
    return {graph::SymFloatRef{name}};
  case Kind::kSymBool:
    return {graph::SymBoolRef{name}};
  default:
    return {graph::ValueRef{name}};
  }
}

graph::Argument GraphReader::optionalTensor(Json json) {
  auto [tag, value] = json.alternative();
  if (tag == "as_none")
    return {graph::NoneArg{}};
  if (tag == "as_tensor")
    return reference(value.at("name").string());
  json.fail("a tensor or none is expected");
}

// SymIntArgument and its like: the name of a value, or a constant.
graph::Argument GraphReader::symbolicArgument(Json json) {
  auto [tag, value] = json.alternative();
  if (tag == "as_name")
    return reference(value.string());
  if (tag == "as_int")
    return {value.integer()};
  if (tag == "as_float")
    return {value.real()};
  if (tag == "as_bool")
    return {value.boolean()};
  json.fail("a symbolic argument is expected");
}

template <typename Read> graph::ArgumentList GraphReader::list(Json json, Read read) {
  graph::ArgumentList out;
  for (Json each : json.elements())
    out.push_back(read(each));
  return out;
}

graph::Argument GraphReader::argument(Json json, const graph::Graph &graph) {
  graph_ = &graph;
  return argument(json);
}

graph::Argument GraphReader::argument(Json json) {
  using graph::Argument;
  auto [tag, value] = json.alternative();
  auto tensor = [&](Json j) { return reference(j.at("name").string()); };
  auto integer = [](Json j) { return Argument{j.integer()}; };
  auto real = [](Json j) { return Argument{j.real()}; };
  auto boolean = [](Json j) { return Argument{j.boolean()}; };
  auto string = [](Json j) { return Argument{j.string()}; };
  auto symbolic = [&](Json j) { return symbolicArgument(j); };
  if (tag == "as_tensor" || tag == "as_custom_obj")
    return tensor(value);
  if (tag == "as_int")
    return integer(value);
  if (tag == "as_none")
    return {graph::NoneArg{}};
  if (tag == "as_float")
    return real(value);
  if (tag == "as_bool")
    return boolean(value);
  if (tag == "as_ints")
    return {list(value, integer)};
  if (tag == "as_tensors")
    return {list(value, tensor)};
  if (tag == "as_sym_int" || tag == "as_sym_float" || tag == "as_sym_bool")
    return symbolic(value);
  if (tag == "as_sym_ints" || tag == "as_sym_floats" || tag == "as_sym_bools")
    return {list(value, symbolic)};
  if (tag == "as_optional_tensor")
    return optionalTensor(value);
  if (tag == "as_optional_tensors")
    return {list(value, [&](Json j) { return optionalTensor(j); })};
  if (tag == "as_string")
    return string(value);
  if (tag == "as_strings")
    return {list(value, string)};
  if (tag == "as_floats")
    return {list(value, real)};
  if (tag == "as_bools")
    return {list(value, boolean)};
  if (tag == "as_scalar_type")
    return {graph::DTypeArg{values_.dtype(value)}};
  if (tag == "as_device")
    return {graph::DeviceArg{values_.device(value)}};
  if (tag == "as_layout")
    return {graph::LayoutArg{values_.layout(value)}};
  if (tag == "as_memory_format")
    return {graph::MemoryFormatArg{values_.memoryFormat(value)}};
  if (tag == "as_complex")
    return {std::complex<double>(value.at("real").real(), value.at("imag").real())};
  if (tag == "as_operator")
    return {graph::OperatorArg{graph::canonicalKey(value.string())}};
  if (tag == "as_nested_tensors")
    return {list(value, [&](Json inner) { return Argument{list(inner, tensor)}; })};
  if (tag == "as_int_lists")
    return {list(value, [&](Json inner) { return Argument{list(inner, integer)}; })};
  if (tag == "as_float_lists")
    return {list(value, [&](Json inner) { return Argument{list(inner, real)}; })};
  if (tag == "as_graph")
    return {graph::SubgraphArg{
        value.at("name").string(),
        std::make_shared<graph::Graph>(GraphReader(values_, nesting_ + 1).read(value.at("graph")))}};
  if (tag == "as_string_to_argument") {
    graph::ArgumentList pairs;
    for (auto &[key, each] : value.members())
      pairs.push_back({graph::ArgumentList{{key}, argument(each)}});
    return {std::move(pairs)};
  }
  json.fail(fmt::format("the argument tag '{}' is unknown", printable(tag)));
}

} // namespace sixrung::load
