// One emitter at work: what its sixrung_emission handle stands for.
#pragma once

#include "core/plugin/registry.hpp"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>

namespace sixrung::lower {

// Calls the emitter; throws Error naming it when it fails.
void runEmitter(const plugin::EmitterEntry &emitter, mlir::ModuleOp module, const std::string &path,
                const std::map<std::string, std::string> &options);

} // namespace sixrung::lower
