// Tagged arguments as MLIR attributes of an op.
#pragma once

#include "core/lower/graph_lowering.hpp"

#include <optional>
#include <string>

namespace sixrung::lower {

// nullopt for None and for a false flag: the attribute is left out.
std::optional<mlir::NamedAttribute> toAttribute(GraphLowering &lowering, const std::string &op,
                                                const sixrung_named_arg &given);

} // namespace sixrung::lower
