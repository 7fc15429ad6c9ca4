// Programs converted with the plugin: what it declares, tried.
#pragma once

#include "core/conformance/child.hpp"

#include <string>
#include <vector>

namespace sixrung::conformance {

// Converts one sample. Its words are what of the plugin took part: "lowering KEY", "composite NAME".
ChildResult convertSample(const std::string &file, const Sample &sample);
// Every call its lowerings make to the host fails once; the conversion must then fail too.
ChildResult failingCalls(const std::string &file, const std::vector<Sample> &samples,
                         std::chrono::milliseconds budget);
// Two sessions in two threads, each with the plugin, give the same programs.
ChildResult twoSessions(const std::string &file, const std::vector<Sample> &samples);
// An emitter writes a sample's program into a folder that goes again.
ChildResult writesWith(const std::string &file, const std::string &emitter, const Sample &sample);
// A strategy runs on a sample's nodes, with no options.
ChildResult cutsWith(const std::string &file, const std::string &strategy, const Sample &sample);

} // namespace sixrung::conformance
