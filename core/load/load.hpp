// .pt2 archives to graph::Program with LibTorch, without Python. The bytes are untrusted.
#pragma once

#include "core/graph/program.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sixrung::load {

// Reads an archive written by torch.export.save. Weights stay mapped from the file for as long as
// the program lives. Throws Error(kInvalidInput) on anything malformed and Error(kIo) when the file
// cannot be read; never crashes, whatever the bytes.
graph::Program loadPt2(const std::string &path);

// Fills in the defaults of arguments the exporter left out, from the aten schemas LibTorch knows.
// Both doors call it, so lowerings see the same arguments. Only namespaces aten and prims: schemas
// of custom ops exist in some processes and not in others.
void fillSchemaDefaults(graph::Graph &graph);

// The frames of a stack trace as torch records it, outermost first: lines
// `File "model.py", line 7, in forward`, each followed by its source text, which is not kept.
std::vector<graph::SourceFrame> parseStackTrace(std::string_view trace);

} // namespace sixrung::load
