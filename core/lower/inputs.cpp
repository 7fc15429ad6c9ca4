// Placeholders: user inputs and states become graph arguments, everything else constants.
#include "core/lower/entry.hpp"
#include "core/lower/tensor_bytes.hpp"
#include "core/lower/types.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace sixrung::lower {

using graph::DType;
using graph::InputSpec;
using graph::OutputSpec;
using graph::ValueMeta;

void EntryLowering::findMutations() {
  for (size_t i = 0; i < program_.outputs.size(); ++i) {
    const OutputSpec &spec = program_.outputs[i];
    if (spec.kind == OutputSpec::Kind::kBufferMutation || spec.kind == OutputSpec::Kind::kParameterMutation ||
        spec.kind == OutputSpec::Kind::kUserInputMutation)
      mutated_[spec.target] = i;
  }
}

void EntryLowering::planTensor(const InputSpec &spec, const graph::TensorMeta &meta, bool constant) {
  const std::string &key = constant ? spec.target : spec.value;
  PlannedPort port;
  port.spec = &spec;
  port.state = mutated_.count(key) != 0;
  DType dtype = valueDtype(meta.dtype, options_.wideIo);
  if (port.state) {
    StateInfo state;
    state.entrypoint = entry_.name;
    state.meta = meta;
    if (constant) {
      TensorBytes bytes = tensorBytes(program_.constants.at(spec.target), spec.target, options_.wideIo);
      dtype = bytes.dtype;
      state.initial.assign(bytes.bytes.begin(), bytes.bytes.end());
      state.hasInitial = true;
    }
    state.valueDtype = dtype;
    states_.push_back(std::move(state));
    stateOf_[key] = ports_.size();
  }
  if (dtype != meta.dtype)
    port.note = fmt::format("narrowing: {} is {} here, {} in the program", spec.value,
                            graph::dtypeName(dtype), graph::dtypeName(meta.dtype));
  try {
    port.type = tensorType(lowering_.context(), meta, dtype);
  } catch (const Error &error) {
    throw Error(error.kind(), fmt::format("input '{}' of {}: {}", spec.value, entry_.name, error.what()));
  }
  ports_.push_back(std::move(port));
}

void EntryLowering::planInput(const InputSpec &spec, PortKind kind, const Liveness &liveness) {
  const ValueMeta &meta = program_.graph.values.at(spec.value);
  if (kind == PortKind::kNone)
    return refuseValueless(spec, meta, liveness);
  if (meta.kind == ValueMeta::Kind::kTensor)
    return planTensor(spec, meta.tensor, holdsTensor(spec.kind));
  ResultSlot slot = resultSlot(meta, true);
  PlannedPort port;
  port.spec = &spec;
  // A number as its user sees one: 0-D, as symbolic outputs are.
  port.type =
      tensorType(lowering_.context(), llvm::ArrayRef<int64_t>(), valueDtype(slot.dtype, options_.wideIo));
  ports_.push_back(std::move(port));
}

void EntryLowering::refuseValueless(const InputSpec &spec, const ValueMeta &meta, const Liveness &liveness) {
  bool token = spec.kind == InputSpec::Kind::kToken ||
               (spec.kind == InputSpec::Kind::kUserInput && meta.kind == ValueMeta::Kind::kToken);
  if (!token && spec.kind != InputSpec::Kind::kCustomObject)
    return;
  if (spec.kind != InputSpec::Kind::kUserInput && liveness.used.count(spec.value) == 0)
    return;
  throw Error(ErrorKind::kUnsupported,
              fmt::format("input '{}' of {} is {}, which Core AI has no value for", spec.value, entry_.name,
                          token ? "an effect token" : "a custom object ('" + spec.target + "')"))
      .with("hint", "export a model whose forward does not use it");
}

void EntryLowering::nameArguments() {
  auto input = names_.inputs.begin(), state = names_.states.begin();
  auto info = states_.begin();
  for (PlannedPort &port : ports_) {
    if (port.state) {
      port.name = *state++;
      (info++)->name = port.name;
    } else {
      port.name = *input++;
      info_.inputs.push_back(portInfo(port.name, port.type));
    }
  }
}

void EntryLowering::bindConstant(const InputSpec &spec) {
  Binding &binding = scope_.names[spec.value];
  // Made when first read: a parameter only a dead node reads costs nothing.
  binding.make = [this, &spec, &binding] {
    const graph::TensorData &data = program_.constants.at(spec.target);
    TensorBytes bytes = tensorBytes(data, spec.target, options_.wideIo);
    binding.note = std::move(bytes.note);
    mlir::RankedTensorType type;
    try {
      type = tensorType(lowering_.context(), data.sizes, bytes.dtype);
    } catch (const Error &error) {
      throw Error(error.kind(), fmt::format("'{}': {}", spec.target, error.what()));
    }
    return builder_->constantView(
        type, {reinterpret_cast<const char *>(bytes.bytes.data()), bytes.bytes.size()}, bytes.owner);
  };
}

void EntryLowering::bindInputs() {
  // Before any region opens, and only where something reads the old value.
  const std::unordered_set<std::string_view> used = livenessOf(program_.graph).used;
  std::vector<mlir::Value> read(ports_.size());
  for (const InputSpec &spec : program_.inputs) {
    auto state = stateOf_.find(spec.kind == InputSpec::Kind::kUserInput ? spec.value : spec.target);
    if (state != stateOf_.end() && used.count(spec.value) && !read[state->second])
      read[state->second] = builder_->readState(static_cast<unsigned>(state->second));
  }
  for (size_t i = 0; i < ports_.size(); ++i) {
    const PlannedPort &port = ports_[i];
    Binding &binding = scope_.names[port.spec->value];
    binding.note = port.note;
    mlir::Value argument = builder_->argument(static_cast<unsigned>(i));
    if (port.state)
      binding.value = read[i];
    else if (program_.graph.values.at(port.spec->value).kind == ValueMeta::Kind::kTensor)
      binding.value = argument;
    else
      binding.make = [this, argument] { return lowering_.toRankOne(argument); };
  }
  for (const InputSpec &spec : program_.inputs) {
    if (spec.kind == InputSpec::Kind::kConstant) {
      scope_.names[spec.value].scalar = &spec.constant;
    } else if (holdsTensor(spec.kind)) {
      auto state = stateOf_.find(spec.target);
      if (state == stateOf_.end())
        bindConstant(spec);
      else
        scope_.names[spec.value].value = read[state->second];
    }
  }
}

} // namespace sixrung::lower
