// What the graph returns, and what it leaves in its states.
#include "core/lower/entry.hpp"
#include "core/lower/types.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace sixrung::lower {

using graph::OutputSpec;

PortInfo portInfo(const std::string &name, mlir::RankedTensorType type) {
  PortInfo info;
  info.name = name;
  info.dtype = ir::dtypeOf(type.getElementType()).value_or(graph::DType::kNone);
  for (int64_t dim : type.getShape())
    info.dims.push_back(mlir::ShapedType::isDynamic(dim) ? -1 : dim);
  return info;
}

mlir::Value EntryLowering::outputValue(size_t index) {
  const OutputSpec &spec = program_.outputs[index];
  if (spec.kind == OutputSpec::Kind::kGradient)
    throw Error(
        ErrorKind::kUnsupported,
        fmt::format("output {} of {} is a gradient: export the model for inference", index, entry_.name));
  if (std::string_view reference = referenceOf(spec.value); !reference.empty()) {
    auto binding = scope_.names.find(reference);
    bool baked = binding != scope_.names.end() && binding->second.scalar;
    mlir::Value value = lowering_.valueOf(scope_, reference, nullptr);
    bool tensor = program_.graph.values.at(std::string(reference)).kind == graph::ValueMeta::Kind::kTensor;
    return tensor || baked ? value : lowering_.toScalar(value);
  }
  mlir::Value value = lowering_.scalarConstant(spec.value, false);
  if (!value)
    throw Error(ErrorKind::kUnsupported,
                fmt::format("output {} of {} is neither a tensor nor a number", index, entry_.name))
        .with("hint", "return tensors, ints, floats and bools only");
  return value;
}

std::vector<std::string> EntryLowering::nameOutputs() const {
  std::vector<std::string> names = names_.outputs;
  if (!entry_.outputNames.empty())
    return names;
  // One value returned twice has one name twice, and a state returned as it was read has the state's:
  // the runtime would merge them.
  std::set<std::string> taken(names.begin(), names.end()), seen;
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
  for (size_t i = 0; i < program_.outputs.size(); ++i)
    if (outputName(program_, i))
      values.push_back(outputValue(i));
  std::vector<std::string> names = nameOutputs();
  writeStates();
  for (size_t i = 0; i < values.size(); ++i)
    info_.outputs.push_back(portInfo(names[i], mlir::cast<mlir::RankedTensorType>(values[i].getType())));
  builder_->finish(values, names);
}

} // namespace sixrung::lower
