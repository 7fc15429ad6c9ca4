// What can be judged without running any code of the plugin, for a library of any machine.
#pragma once

#include "core/conformance/child.hpp"
#include "core/plugin/file.hpp"

namespace sixrung::conformance {

// Checks "object", "manifest", and for each image "layout", "exports", "undefined", "dependencies". Its
// words are what the library was built for and "native" or "foreign"; none when it is no library.
ChildResult staticChecks(const plugin::PluginFile &file);

} // namespace sixrung::conformance
