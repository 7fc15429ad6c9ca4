// Which inputs and results of a program are ports of its entrypoint, and what they are called: known
// before anything is built.
#pragma once

#include "core/lower/session.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sixrung::lower {

enum class PortKind { kNone, kInput, kState };

// Parameters, buffers and tensor constants: inputs of the program, constants of the entrypoint unless
// they are mutated.
bool holdsTensor(graph::InputSpec::Kind kind);
// Of each input of the program. A second name of a mutated buffer is none: it reads the same state.
std::vector<PortKind> portKinds(const graph::Program &program);
// The value an output is, in the argument's own storage; empty for a number written out, and for a list.
std::string_view referenceOf(const graph::Argument &argument);
// What output `index` is called by default; nothing for one that is no port: None, a token, a mutation.
std::optional<std::string> outputName(const graph::Program &program, size_t index);

// What the user called the ports, or `defaults`; throws Error(kInvalidInput) on a wrong count, an empty
// or a repeated name. `what` is "input", "output" or "state".
std::vector<std::string> chosenNames(const std::vector<std::string> &given,
                                     const std::vector<std::string> &defaults, const char *what,
                                     const std::string &entrypoint);

struct PortNames {
  std::vector<std::string> inputs, states, outputs; // outputs: not yet told apart from states
};
// All of them, as chosen; throws what chosenNames does, and for an input and a state of one name.
PortNames portNames(const EntryPoint &entry);

} // namespace sixrung::lower
