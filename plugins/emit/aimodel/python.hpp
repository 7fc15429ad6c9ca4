// Which Python saves the asset, and where the worker's source lies.
#pragma once

#include "process.hpp"

#include "sixrung/sdk.hpp"

#include <string>
#include <vector>

namespace sixrung::emit {

// The interpreter: option "python", else SIXRUNG_PYTHON, else the one beside this executable or this
// plugin, else python3 of PATH. One the user named is taken or refused with the reason; the others
// are passed over when they lack coreai-core. `log` takes what they say.
std::string findPython(const Emission &emission, const Log &log);

// What runs the worker: {"-m", "sixrung.worker"}, or the path of worker.py when option "worker" gives
// it or it lies where this plugin was installed with it.
std::vector<std::string> workerArguments(const Emission &emission);

} // namespace sixrung::emit
