#include "core/lower/entry.hpp"

#include "core/lower/types.hpp"

#include <fmt/format.h>

namespace sixrung::lower {

static const graph::Program &programOf(const EntryPoint &entry) {
  if (!entry.program)
    throw Error(ErrorKind::kInvalidInput, fmt::format("entrypoint '{}' has no program", entry.name));
  return *entry.program;
}

EntryLowering::EntryLowering(mlir::ModuleOp module, const ladder::Ladder &ladder,
                             const plugin::Registry &registry, const EntryPoint &entry,
                             const ConvertOptions &options)
    : module_(module), entry_(entry), program_(programOf(entry)), options_(options),
      lowering_(module.getContext(), ladder, registry, options, entry.name) {
  info_.name = entry.name;
  scope_.graph = &program_.graph;
}

void EntryLowering::plan() {
  graph::check(program_);
  lowering_.analyze(program_);
  findMutations();
  Liveness liveness = livenessOf(program_.graph);
  names_ = portNames(entry_);
  std::vector<PortKind> kinds = portKinds(program_);
  for (size_t i = 0; i < kinds.size(); ++i)
    planInput(program_.inputs[i], kinds[i], liveness);
  nameArguments();
}

void EntryLowering::build(const std::function<void()> &onNode) {
  std::vector<ir::Port> arguments;
  arguments.reserve(ports_.size());
  for (const PlannedPort &port : ports_)
    arguments.push_back({port.name, port.state ? ir::handleType(port.type) : mlir::Type(port.type),
                         lowering_.unknownLocation()});
  builder_ = std::make_unique<ir::GraphBuilder>(module_, entry_.name, arguments, /*isPrivate=*/false);
  builder_->setLocation(lowering_.unknownLocation());
  lowering_.begin(*builder_);
  lowering_.onNode = onNode;
  scope_.names.reserve(program_.graph.values.size());
  bindInputs();
  lowering_.lowerNodes(scope_);
  finish();
}

} // namespace sixrung::lower
