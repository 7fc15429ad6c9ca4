// Symbolic sizes: sympy expressions as PyTorch serializes them (srepr).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sixrung::graph {

// An immutable expression tree; equal text means equal expression.
struct SymExpr {
  enum class Kind { kInteger, kFloat, kBool, kSymbol, kCall };
  Kind kind = Kind::kInteger;
  int64_t integer = 0; // kInteger, kBool
  double real = 0;     // kFloat
  std::string name;    // kSymbol: "s77"; kCall: "Add", "Mul", "FloorDiv", ...
  std::vector<std::shared_ptr<const SymExpr>> operands; // kCall
};

// Reads an srepr string such as "Mul(Integer(2), Symbol('s77', positive=True, integer=True))".
// Throws Error(kInvalidInput) on anything else; depth and length are bounded.
std::shared_ptr<const SymExpr> parseSrepr(std::string_view text);
// Infix for people: "2*s77".
std::string toString(const SymExpr &expr);

// One size or stride: a number, or an expression over symbols.
struct SymInt {
  std::optional<int64_t> value;        // set when static
  std::shared_ptr<const SymExpr> expr; // set when dynamic
  bool isStatic() const { return value.has_value(); }
  static SymInt of(int64_t v) { return {v, nullptr}; }
};
bool operator==(const SymInt &a, const SymInt &b);
std::string toString(const SymInt &value);

// What the exporter proved of a symbol; either bound may be open.
struct SymRange {
  std::optional<int64_t> min;
  std::optional<int64_t> max;
};

} // namespace sixrung::graph
