// What the graph returns, and what it leaves in its states.
#include "core/lower/entry.hpp"
#include "core/lower/types.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace sixrung::lower {

using graph::OutputSpec;

std::vector<std::string> chosenNames(const std::vector<std::string> &given,
                                     const std::vector<std::string> &defaults, const char *what,
                                     const std::string &entrypoint) {
  if (given.empty())
    return defaults;
  if (given.size() != defaults.size())
    throw Error(ErrorKind::kInvalidInput,
                fmt::format("{} has {} {}{} ({}), and {} {} name{} given", entrypoint, defaults.size(), what,
                            defaults.size() == 1 ? "" : "s", fmt::join(defaults, ", "), given.size(), what,
                            given.size() == 1 ? " is" : "s are"));
  std::set<std::string> seen;
  for (const std::string &name : given) {
    if (name.empty())
      throw Error(ErrorKind::kInvalidInput,
                  fmt::format("a name given to an {} of {} is empty", what, entrypoint));
    if (!seen.insert(name).second)
      throw Error(ErrorKind::kInvalidInput,
                  fmt::format("the name '{}' is given to two {}s of {}", name, what, entrypoint));
  }
  return given;
}

PortInfo portInfo(const std::string &name, mlir::RankedTensorType type) {
  PortInfo info;
  info.name = name;
  info.dtype = ir::dtypeOf(type.getElementType()).value_or(graph::DType::kNone);
  for (int64_t dim : type.getShape())
    info.dims.push_back(mlir::ShapedType::isDynamic(dim) ? -1 : dim);
  return info;
}

mlir::Value EntryLowering::outputValue(const OutputSpec &spec, size_t index, std::string &name) {
  if (spec.kind == OutputSpec::Kind::kGradient)
    throw Error(
        ErrorKind::kUnsupported,
        fmt::format("output {} of {} is a gradient: export the model for inference", index, entry_.name));
  const graph::Argument &argument = spec.value;
  if (std::holds_alternative<graph::NoneArg>(argument.value))
    return {};
  std::string_view reference;
  forEachReference(argument, [&](const std::string &read) { reference = read; });
  if (std::holds_alternative<graph::ArgumentList>(argument.value))
    reference = {};
  if (!reference.empty()) {
    name = std::string(reference);
    auto kind = program_.graph.values.at(name).kind;
    auto binding = scope_.names.find(reference);
    bool baked = binding != scope_.names.end() && binding->second.scalar;
    if (kind == graph::ValueMeta::Kind::kToken || (kind == graph::ValueMeta::Kind::kNone && !baked))
      return {};
    mlir::Value value = lowering_.valueOf(scope_, reference, nullptr);
    return kind == graph::ValueMeta::Kind::kTensor || baked ? value : lowering_.toScalar(value);
  }
  name = fmt::format("output_{}", index);
  mlir::Value value = lowering_.scalarConstant(argument, false);
  if (!value)
    throw Error(ErrorKind::kUnsupported,
                fmt::format("output {} of {} is neither a tensor nor a number", index, entry_.name))
        .with("hint", "return tensors, ints, floats and bools only");
  return value;
}

std::vector<std::string> EntryLowering::nameOutputs(const std::vector<std::string> &defaults) const {
  std::vector<std::string> names = chosenNames(entry_.outputNames, defaults, "output", entry_.name);
  if (!entry_.outputNames.empty())
    return names;
  // One value returned twice has one name twice, and a state returned as it was read has the state's:
  // the runtime would merge them.
  std::set<std::string> taken(defaults.begin(), defaults.end()), seen;
  for (const StateInfo &state : states_)
    seen.insert(state.name);
  for (std::string &name : names) {
    if (seen.insert(name).second)
      continue;
    std::string base = name;
    for (size_t i = 1; taken.count(name) || seen.count(name); ++i)
      name = fmt::format("{}_{}", base, i);
    seen.insert(name);
  }
  return names;
}

void EntryLowering::writeStates() {
  for (const auto &[target, index] : mutated_) {
    const PlannedPort &port = ports_[stateOf_.at(target)];
    const graph::Argument &argument = program_.outputs[index].value;
    std::string_view reference;
    forEachReference(argument, [&](const std::string &read) { reference = read; });
    mlir::Value value = reference.empty() ? lowering_.scalarConstant(argument, false)
                                          : lowering_.valueOf(scope_, reference, nullptr);
    auto type = value ? mlir::dyn_cast<mlir::RankedTensorType>(value.getType()) : nullptr;
    if (type && type.getRank() == port.type.getRank())
      value = lowering_.conform(value, port.type);
    if (!value || value.getType() != port.type)
      throw Error(ErrorKind::kUnsupported,
                  fmt::format("the new value of state '{}' of {} is {}, and the state is {}", port.name,
                              entry_.name, value ? printed(value.getType()) : "none", printed(port.type)));
    builder_->writeState(static_cast<unsigned>(stateOf_.at(target)), value);
  }
}

void EntryLowering::finish() {
  builder_->setLocation(lowering_.unknownLocation());
  std::vector<mlir::Value> values;
  std::vector<std::string> defaults;
  for (size_t i = 0; i < program_.outputs.size(); ++i) {
    const OutputSpec &spec = program_.outputs[i];
    if (spec.kind != OutputSpec::Kind::kUserOutput && spec.kind != OutputSpec::Kind::kLoss &&
        spec.kind != OutputSpec::Kind::kGradient)
      continue;
    std::string name;
    if (mlir::Value value = outputValue(spec, i, name)) {
      values.push_back(value);
      defaults.push_back(std::move(name));
    }
  }
  std::vector<std::string> names = nameOutputs(defaults);
  writeStates();
  for (size_t i = 0; i < values.size(); ++i)
    info_.outputs.push_back(portInfo(names[i], mlir::cast<mlir::RankedTensorType>(values[i].getType())));
  builder_->finish(values, names);
}

} // namespace sixrung::lower
