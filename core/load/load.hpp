// .pt2 archives to graph::Program with LibTorch, without Python. The bytes are untrusted.
#pragma once

#include "core/graph/program.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sixrung::load {

// Reads an archive written by torch.export.save: archive version 0, export schema 8.0 to 8.20, torch 2.9
// to 2.13; others are refused by name. (Tested with 2.13; minors of a schema are compatible by its rules.)
// Weights stay mapped from the file for as long as the program lives. Nothing is unpickled. Throws
// Error(kInvalidInput) on anything malformed and Error(kIo) when the file cannot be read; never crashes,
// whatever the bytes.
//
// How the schema comes out in the graph model:
//  - a symbolic int input is a kUserInput whose value is kSymInt; a constant one is kConstant, its value
//    name from the signature, its meta kNone;
//  - in argument lists a symbolic value is a SymIntRef (SymFloatRef, SymBoolRef), also among tensors;
//  - a dictionary argument is a list of [key, value] pairs;
//  - results are flattened and carry the names of their getitem nodes; those torch calls
//    "<node>_unused_<i>" and those that are None have empty names and no metadata;
//  - the hints of symbolic values are dropped.
graph::Program loadPt2(const std::string &path);

class Archive;
// The same from an opened archive, which may lie in memory.
graph::Program readArchive(const Archive &archive);

// Fills in the defaults of arguments the exporter left out, from the aten schemas LibTorch knows.
// Both doors call it, so lowerings see the same arguments. Only namespace aten: the schemas of others,
// prims among them, are registered from Python and so exist in some processes and not in others.
void fillSchemaDefaults(graph::Graph &graph);

// The frames of a stack trace as torch records it, outermost first: lines
// `File "model.py", line 7, in forward`, each followed by its source text, which is not kept.
std::vector<graph::SourceFrame> parseStackTrace(std::string_view trace);

} // namespace sixrung::load
