#include "core/graph/error.hpp"
#include "core/load/schema_reader.hpp"
#include "core/load/text.hpp"

#include <charconv>
#include <fmt/format.h>

namespace sixrung::load {
namespace {

// Raw weights in the archive begin with 2.9; what a later torch means nobody here has seen.
constexpr int kTorchMajor = 2, kOldestTorchMinor = 9, kNewestTorchMinor = 13;

void checkSchema(Json version) {
  int64_t major = version.at("major").integer(), minor = version.at("minor").integer();
  if (major != kSchemaMajor || minor < 0 || minor > kNewestSchemaMinor)
    throw Error(ErrorKind::kInvalidInput,
                fmt::format("the archive has export schema {}.{}; sixrung reads schema {}.0 to {}.{}", major,
                            minor, kSchemaMajor, kSchemaMajor, kNewestSchemaMinor))
        .with("hint", fmt::format("save the program with torch {}.{} to {}.{}", kTorchMajor,
                                  kOldestTorchMinor, kTorchMajor, kNewestTorchMinor));
}

std::string torchVersion(Json json) {
  std::string version = json.string();
  int major = 0, minor = -1;
  const char *end = version.data() + version.size();
  auto [dot, error] = std::from_chars(version.data(), end, major);
  if (error == std::errc() && dot != end && *dot == '.')
    std::from_chars(dot + 1, end, minor);
  if (major != kTorchMajor || minor < kOldestTorchMinor || minor > kNewestTorchMinor)
    throw Error(
        ErrorKind::kInvalidInput,
        fmt::format("the program was exported by torch '{}'; sixrung reads those of torch {}.{} to {}.{}",
                    printable(version), kTorchMajor, kOldestTorchMinor, kTorchMajor, kNewestTorchMinor))
        .with("hint", "export and save the model again with a torch in that range");
  return version;
}

graph::Argument constantValue(Json json) {
  auto [tag, value] = json.alternative();
  if (tag == "as_none")
    return {graph::NoneArg{}};
  if (tag == "as_int")
    return {value.integer()};
  if (tag == "as_float")
    return {value.real()};
  if (tag == "as_string")
    return {value.string()};
  if (tag == "as_bool")
    return {value.boolean()};
  json.fail(fmt::format("the constant tag '{}' is unknown", printable(tag)));
}

std::string argumentName(Json json) {
  auto [tag, value] = json.alternative();
  if (tag == "as_tensor" || tag == "as_custom_obj")
    return value.at("name").string();
  if (tag == "as_sym_int" || tag == "as_sym_float" || tag == "as_sym_bool")
    return value.at("as_name").string();
  return {}; // a constant
}

graph::InputSpec inputSpec(Json json) {
  using Kind = graph::InputSpec::Kind;
  auto [tag, spec] = json.alternative();
  graph::InputSpec out;
  auto tensor = [&, spec = spec](Kind kind, const char *target) {
    out.kind = kind;
    out.value = spec.at("arg").at("name").string();
    if (target)
      out.target = spec.at(target).string();
    return out;
  };
  if (tag == "user_input") {
    out.value = argumentName(spec.at("arg"));
    return out;
  }
  if (tag == "parameter")
    return tensor(Kind::kParameter, "parameter_name");
  if (tag == "buffer") {
    out.persistent = spec.at("persistent").boolean();
    return tensor(Kind::kBuffer, "buffer_name");
  }
  if (tag == "tensor_constant")
    return tensor(Kind::kTensorConstant, "tensor_constant_name");
  if (tag == "custom_obj")
    return tensor(Kind::kCustomObject, "custom_obj_name");
  if (tag == "token")
    return tensor(Kind::kToken, nullptr);
  if (tag == "constant_input") {
    out.kind = Kind::kConstant;
    out.value = spec.at("name").string();
    out.constant = constantValue(spec.at("value"));
    return out;
  }
  json.fail(fmt::format("the input tag '{}' is unknown", printable(tag)));
}

graph::OutputSpec outputSpec(Json json, GraphReader &reader, const graph::Graph &graph) {
  using Kind = graph::OutputSpec::Kind;
  auto [tag, spec] = json.alternative();
  graph::OutputSpec out;
  if (tag == "user_output") {
    out.value = reader.argument(spec.at("arg"), graph);
    return out;
  }
  struct Row {
    std::string_view tag;
    Kind kind;
    const char *target;
  };
  constexpr Row kRows[] = {
      {"loss_output", Kind::kLoss, nullptr},
      {"buffer_mutation", Kind::kBufferMutation, "buffer_name"},
      {"gradient_to_parameter", Kind::kGradient, "parameter_name"},
      {"gradient_to_user_input", Kind::kGradient, "user_input_name"},
      {"user_input_mutation", Kind::kUserInputMutation, "user_input_name"},
      {"token", Kind::kToken, nullptr},
      {"parameter_mutation", Kind::kParameterMutation, "parameter_name"},
  };
  for (const Row &row : kRows)
    if (row.tag == tag) {
      out.kind = row.kind;
      out.value = {graph::ValueRef{spec.at("arg").at("name").string()}};
      if (row.target)
        out.target = spec.at(row.target).string();
      return out;
    }
  json.fail(fmt::format("the output tag '{}' is unknown", printable(tag)));
}

} // namespace

graph::Program readProgram(Json json) {
  checkSchema(json.at("schema_version"));
  graph::Program program;
  program.torchVersion = torchVersion(json.at("torch_version"));
  for (auto &[name, version] : json.at("opset_version").members())
    program.opsetVersions[name] = version.integer();
  for (auto &[symbol, range] : json.at("range_constraints").members()) {
    graph::SymRange &out = program.ranges[symbol];
    if (auto min = range.find("min_val"))
      out.min = min->integer();
    if (auto max = range.find("max_val"))
      out.max = max->integer();
  }
  Json module = json.at("graph_module");
  ValueReader values;
  GraphReader reader(values);
  program.graph = reader.read(module.at("graph"));
  Json signature = module.at("signature");
  auto inputs = signature.at("input_specs").elements();
  for (size_t i = 0; i < inputs.size(); ++i) {
    graph::InputSpec spec = inputSpec(inputs[i]);
    // A constant has its name in the signature alone.
    if (i < program.graph.inputs.size() && program.graph.inputs[i].empty()) {
      program.graph.inputs[i] = spec.value;
      program.graph.values.try_emplace(spec.value);
    }
    program.inputs.push_back(std::move(spec));
  }
  for (Json output : signature.at("output_specs").elements())
    program.outputs.push_back(outputSpec(output, reader, program.graph));
  for (Json call : module.at("module_call_graph").elements())
    program.moduleCalls.push_back({call.at("fqn").string()});
  return program;
}

} // namespace sixrung::load
