// The tensors of an archive, mapped.
#pragma once

#include "core/graph/program.hpp"
#include "core/load/archive.hpp"

namespace sixrung::load {

// Fills Program::constants for every parameter, buffer and constant the inputs name, of the model
// `model` ("model" unless it was saved under another name). Nothing is unpickled: a needed tensor stored
// as a pickle is an error that names it.
void readConstants(const Archive &archive, const std::string &model, graph::Program &program);

} // namespace sixrung::load
