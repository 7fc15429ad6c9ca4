// The checks before conversion: at staging (A, B), and of custom ops at conversion.
#pragma once

#include "core/ladder/ladder.hpp"

#include <set>
#include <string>

namespace sixrung::validate {

// One op nobody lowers, wherever it stands.
struct Offender {
  std::string key;
  size_t count = 0;
  std::string firstNode;
  std::string firstSource;              // "model.py:12" or empty
  std::vector<std::string> suggestions; // other overloads that are served, near spellings
  std::string absentAdvice;             // the plugin at hand that would serve it; empty for none
};

// Staging. Throws Error(kUnsupported):
//  A "The exported program contains non-decomposed ops: ..." for aten ops that torch's default
//    decompositions would have removed and nobody lowers;
//  B "The exported program contains unsupported ATen ops: ..." for other aten ops nobody lowers.
// Each lists every offender with count, source and suggestions, and what to do. Assertion ops,
// preserved composites with a lowering, and custom namespaces pass.
// Source paths under `sourceRoot` are told relative to it, here and below.
void validateStaged(const graph::Program &program, const ladder::Ladder &ladder,
                    std::string_view sourceRoot = {});

// Conversion: every node resolves, or one Error(kUnsupported) lists all that do not.
void validateResolvable(const graph::Program &program, const ladder::Ladder &ladder,
                        std::string_view sourceRoot = {});

// All offenders of a graph and its subgraphs, in order of first appearance.
std::vector<Offender> findOffenders(const graph::Program &program, const ladder::Ladder &ladder,
                                    std::string_view sourceRoot = {});

// The five assertion ops that are erased before lowering.
bool isAssertion(std::string_view key);
// Whether torch.export.default_decompositions() decomposes this key; the list is generated at build time.
bool tableDecomposes(std::string_view key);

} // namespace sixrung::validate
