#include "core/lower/ports.hpp"

#include "core/lower/liveness.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace sixrung::lower {

using graph::InputSpec;
using graph::OutputSpec;
using graph::ValueMeta;

bool holdsTensor(InputSpec::Kind kind) {
  return kind == InputSpec::Kind::kParameter || kind == InputSpec::Kind::kBuffer ||
         kind == InputSpec::Kind::kTensorConstant;
}

static bool isMutation(OutputSpec::Kind kind) {
  return kind == OutputSpec::Kind::kBufferMutation || kind == OutputSpec::Kind::kParameterMutation ||
         kind == OutputSpec::Kind::kUserInputMutation;
}

std::vector<PortKind> portKinds(const graph::Program &program) {
  std::set<std::string_view> mutated, taken;
  for (const OutputSpec &spec : program.outputs)
    if (isMutation(spec.kind))
      mutated.insert(spec.target);
  std::vector<PortKind> kinds(program.inputs.size(), PortKind::kNone);
  for (size_t i = 0; i < kinds.size(); ++i) {
    const InputSpec &spec = program.inputs[i];
    if (holdsTensor(spec.kind)) {
      if (mutated.count(spec.target) && taken.insert(spec.target).second)
        kinds[i] = PortKind::kState;
    } else if (spec.kind == InputSpec::Kind::kUserInput) {
      ValueMeta::Kind kind = program.graph.values.at(spec.value).kind;
      if (kind == ValueMeta::Kind::kTensor && mutated.count(spec.value))
        kinds[i] = PortKind::kState;
      else if (kind != ValueMeta::Kind::kNone && kind != ValueMeta::Kind::kToken)
        kinds[i] = PortKind::kInput;
    }
  }
  return kinds;
}

std::string_view referenceOf(const graph::Argument &argument) {
  std::string_view reference;
  if (!std::holds_alternative<graph::ArgumentList>(argument.value))
    forEachReference(argument, [&](const std::string &name) { reference = name; });
  return reference;
}

std::optional<std::string> outputName(const graph::Program &program, size_t index) {
  const OutputSpec &spec = program.outputs[index];
  bool result = spec.kind == OutputSpec::Kind::kUserOutput || spec.kind == OutputSpec::Kind::kLoss ||
                spec.kind == OutputSpec::Kind::kGradient;
  if (!result || std::holds_alternative<graph::NoneArg>(spec.value.value))
    return {};
  std::string reference(referenceOf(spec.value));
  if (reference.empty())
    return fmt::format("output_{}", index);
  ValueMeta::Kind kind = program.graph.values.at(reference).kind;
  if (kind == ValueMeta::Kind::kToken)
    return {};
  if (kind == ValueMeta::Kind::kNone) { // None, unless it is a number given when exporting
    for (const InputSpec &input : program.inputs)
      if (input.kind == InputSpec::Kind::kConstant && input.value == reference)
        return reference;
    return {};
  }
  return reference;
}

std::vector<std::string> chosenNames(const std::vector<std::string> &given,
                                     const std::vector<std::string> &defaults, const char *what,
                                     const std::string &entrypoint) {
  if (given.empty())
    return defaults;
  if (given.size() != defaults.size())
    throw Error(
        ErrorKind::kInvalidInput,
        fmt::format("{} has {} {}{}{}, and {} {} name{} given", entrypoint,
                    defaults.empty() ? "no" : std::to_string(defaults.size()), what,
                    defaults.size() == 1 ? "" : "s",
                    defaults.empty() ? std::string() : fmt::format(" ({})", fmt::join(defaults, ", ")),
                    given.size(), what, given.size() == 1 ? " is" : "s are"))
        .with("hint", defaults.empty() ? fmt::format("give no {} names", what)
                                       : fmt::format("give a name for each, in this order, or none"));
  std::set<std::string> seen;
  for (const std::string &name : given) {
    if (name.empty())
      throw Error(ErrorKind::kInvalidInput,
                  fmt::format("a name given to an {} of {} is empty", what, entrypoint));
    if (!seen.insert(name).second)
      throw Error(ErrorKind::kInvalidInput,
                  fmt::format("the name '{}' is given to two {}s of {}", name, what, entrypoint))
          .with("hint", "give each a name of its own");
  }
  return given;
}

PortNames portNames(const EntryPoint &entry) {
  const graph::Program &program = *entry.program;
  PortNames names;
  std::vector<PortKind> kinds = portKinds(program);
  for (size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i] != PortKind::kNone)
      (kinds[i] == PortKind::kState ? names.states : names.inputs).push_back(program.inputs[i].value);
  for (size_t i = 0; i < program.outputs.size(); ++i)
    if (std::optional<std::string> name = outputName(program, i))
      names.outputs.push_back(std::move(*name));
  names.inputs = chosenNames(entry.inputNames, names.inputs, "input", entry.name);
  names.states = chosenNames(entry.stateNames, names.states, "state", entry.name);
  names.outputs = chosenNames(entry.outputNames, names.outputs, "output", entry.name);
  std::set<std::string> taken(names.inputs.begin(), names.inputs.end());
  for (const std::string &state : names.states)
    if (!taken.insert(state).second)
      throw Error(
          ErrorKind::kInvalidInput,
          fmt::format("'{}' of {} names both an input and a state; choose another with input_names or "
                      "state_names",
                      state, entry.name));
  return names;
}

} // namespace sixrung::lower
