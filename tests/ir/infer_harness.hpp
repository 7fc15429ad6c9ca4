// Infers or verifies one op of operands written as text, for the tests of inference.
#pragma once

#include "gtest/gtest.h"

#include <string>
#include <vector>

namespace sixrung::ir::test {

// An operand is an element type with its dims, "2x3xf32"; a constant has its value
// first: "[1]:1xsi32", "7:si32".
using Operands = std::vector<std::string>;

// One number for each of two or three spatial dims, as windows take them.
inline std::string two(int value) { return std::to_string(value) + ":2xui32"; }
inline std::string three(int value) { return std::to_string(value) + ":3xui32"; }

// The result types, as "2x3xf32, 2xsi32", or the first error without the op's name before it.
std::string inferred(const std::string &op, const Operands &operands, const std::string &attributes = "");

// What the verifier says of an op with these results: empty, or the first error.
std::string verified(const std::string &op, const Operands &operands, const Operands &results,
                     const std::string &attributes = "");

struct Row {
  std::string op;
  Operands operands;
  std::string want;
  std::string attributes = "";
};
// `want` is the result types.
void expectTypes(const std::vector<Row> &rows);
// `want` is a part of the error of inference.
void expectErrors(const std::vector<Row> &rows);

struct Given {
  std::string op;
  Operands operands;
  Operands results;
  std::string attributes = "";
};
void expectAccepted(const std::vector<Given> &rows);
// Refused for the results alone: the same op with the inferred ones verifies.
void expectRefused(const std::vector<Given> &rows);

} // namespace sixrung::ir::test
