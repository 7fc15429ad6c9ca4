#include "core/graph/symbolic.hpp"

#include "core/graph/error.hpp"

#include <charconv>
#include <fmt/format.h>

namespace sixrung::graph {
namespace {

using ExprPtr = std::shared_ptr<const SymExpr>;

// Expressions of real models have tens of nodes. The bounds keep the recursion, and with it the
// destruction of the tree, far from the end of the stack.
constexpr size_t kMaxLength = 1 << 20;
constexpr unsigned kMaxDepth = 200;

class Parser {
public:
  explicit Parser(std::string_view text) : text_(text) {}

  ExprPtr parse() {
    if (text_.size() > kMaxLength)
      fail(fmt::format("it has {} characters; at most {} are read", text_.size(), kMaxLength));
    ExprPtr result = expression(0);
    skipSpace();
    if (at_ != text_.size())
      fail("something follows the expression");
    return result;
  }

private:
  [[noreturn]] void fail(const std::string &why) const {
    throw Error(ErrorKind::kInvalidInput,
                fmt::format("cannot read the symbolic expression '{}' at character {}: {}",
                            text_.substr(0, 120), at_, why));
  }

  void skipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t'))
      ++at_;
  }
  char peek() {
    skipSpace();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c || c == '\0')
      return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c))
      fail(fmt::format("'{}' is expected", c));
  }

  static bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
  static bool isDigit(char c) { return c >= '0' && c <= '9'; }

  // A dotted name without its module: FloorDiv of torch.utils._sympy.functions.FloorDiv.
  std::string name() {
    skipSpace();
    size_t begin = at_;
    while (at_ < text_.size() && (isNameStart(text_[at_]) || isDigit(text_[at_]) || text_[at_] == '.')) {
      if (text_[at_] == '.')
        begin = at_ + 1;
      ++at_;
    }
    if (begin == at_)
      fail("a name is expected");
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string quoted() {
    char quote = peek();
    if (quote != '\'' && quote != '"')
      fail("a quoted string is expected");
    size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] == '\\')
        fail("escapes are not expected in names");
      ++at_;
    }
    if (at_ == text_.size())
      fail("a quote is not closed");
    return std::string(text_.substr(begin, at_++ - begin));
  }

  int64_t integer() {
    skipSpace();
    int64_t value = 0;
    auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range)
      fail("the integer does not fit in 64 bits");
    if (error != std::errc())
      fail("an integer is expected");
    at_ = static_cast<size_t>(end - text_.data());
    return value;
  }

  double real(std::string_view digits) const {
    double value = 0;
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size())
      fail("a number is expected");
    return value;
  }

  // ", positive=True, precision=53" up to the closing parenthesis; assumptions do not change the
  // identity of a symbol within one program.
  void keywords() {
    while (take(',')) {
      name();
      expect('=');
      if (isDigit(peek()) || peek() == '-')
        integer();
      else
        name();
    }
    expect(')');
  }

  static ExprPtr make(SymExpr expr) { return std::make_shared<const SymExpr>(std::move(expr)); }
  static ExprPtr number(int64_t value) { return make({SymExpr::Kind::kInteger, value, 0, {}, {}}); }

  ExprPtr expression(unsigned depth) {
    if (depth > kMaxDepth)
      fail(fmt::format("it nests deeper than {}", kMaxDepth));
    char c = peek();
    if (c == '-' && at_ + 1 < text_.size() && isNameStart(text_[at_ + 1])) { // "-oo", "-int_oo"
      ++at_;
      return make({SymExpr::Kind::kCall, 0, 0, "Mul", {number(-1), expression(depth + 1)}});
    }
    if (isDigit(c) || c == '-')
      return bareNumber();
    std::string head = name();
    if (head == "true" || head == "True" || head == "false" || head == "False")
      return make({SymExpr::Kind::kBool, head[0] == 't' || head[0] == 'T', 0, {}, {}});
    if (!take('(')) {
      for (std::string_view singleton : {"oo", "int_oo", "zoo", "nan", "pi", "E"})
        if (head == singleton)
          return make({SymExpr::Kind::kCall, 0, 0, std::move(head), {}});
      fail("a name without arguments must be a constant of sympy");
    }
    if (head == "Integer") {
      int64_t value = integer();
      expect(')');
      return number(value);
    }
    if (head == "Symbol" || head == "Dummy") {
      std::string symbol = quoted();
      if (symbol.empty())
        fail("a symbol needs a name");
      keywords();
      return make({SymExpr::Kind::kSymbol, 0, 0, std::move(symbol), {}});
    }
    if (head == "Float") {
      double value = real(quoted());
      keywords();
      return make({SymExpr::Kind::kFloat, 0, value, {}, {}});
    }
    SymExpr call{SymExpr::Kind::kCall, 0, 0, std::move(head), {}};
    if (!take(')')) {
      do
        call.operands.push_back(expression(depth + 1));
      while (take(','));
      expect(')');
    }
    return make(std::move(call));
  }

  ExprPtr bareNumber() { // operands of Rational, and Python numbers inside functions
    size_t begin = at_;
    int64_t whole = integer();
    if (at_ == text_.size() || (text_[at_] != '.' && text_[at_] != 'e'))
      return number(whole);
    while (at_ < text_.size() && (isDigit(text_[at_]) || text_[at_] == '.' || text_[at_] == 'e' ||
                                  text_[at_] == '-' || text_[at_] == '+'))
      ++at_;
    return make({SymExpr::Kind::kFloat, 0, real(text_.substr(begin, at_ - begin)), {}, {}});
  }

  std::string_view text_;
  size_t at_ = 0;
};

// Binding strength of the operators that are written infix.
enum Strength { kLoosest = 0, kCompare = 1, kSum = 2, kProduct = 3, kPower = 4 };
struct Infix {
  std::string_view name;
  std::string_view symbol;
  Strength strength;
};
constexpr Infix kInfix[] = {
    {"Add", " + ", kSum},
    {"Mul", "*", kProduct},
    {"FloorDiv", "//", kProduct},
    {"CleanDiv", "//", kProduct},
    {"IntTrueDiv", "/", kProduct},
    {"FloatTrueDiv", "/", kProduct},
    {"Mod", " % ", kProduct},
    {"PythonMod", " % ", kProduct},
    {"Rational", "/", kProduct},
    {"Pow", "**", kPower},
    {"PowByNatural", "**", kPower},
    {"FloatPow", "**", kPower},
    {"Equality", " == ", kCompare},
    {"Eq", " == ", kCompare},
    {"Unequality", " != ", kCompare},
    {"Ne", " != ", kCompare},
    {"GreaterThan", " >= ", kCompare},
    {"Ge", " >= ", kCompare},
    {"LessThan", " <= ", kCompare},
    {"Le", " <= ", kCompare},
    {"StrictGreaterThan", " > ", kCompare},
    {"Gt", " > ", kCompare},
    {"StrictLessThan", " < ", kCompare},
    {"Lt", " < ", kCompare},
};

void print(const SymExpr &expr, Strength around, std::string &out) {
  switch (expr.kind) {
  case SymExpr::Kind::kInteger:
    if (expr.integer < 0 && around > kSum)
      out += fmt::format("({})", expr.integer);
    else
      out += std::to_string(expr.integer);
    return;
  case SymExpr::Kind::kFloat:
    out += fmt::format("{}", expr.real);
    return;
  case SymExpr::Kind::kBool:
    out += expr.integer ? "True" : "False";
    return;
  case SymExpr::Kind::kSymbol:
    out += expr.name;
    return;
  case SymExpr::Kind::kCall:
    break;
  }
  const Infix *infix = nullptr;
  for (const Infix &candidate : kInfix)
    if (candidate.name == expr.name && expr.operands.size() >= 2)
      infix = &candidate;
  if (!infix) {
    out += expr.name;
    if (expr.operands.empty())
      return;
    out += '(';
    for (size_t i = 0; i < expr.operands.size(); ++i) {
      if (i)
        out += ", ";
      print(*expr.operands[i], kLoosest, out);
    }
    out += ')';
    return;
  }
  bool parentheses = infix->strength <= around;
  // Only sums and products associate: (a + b) + c needs no parentheses, a//b//c does.
  bool associates = infix->name == "Add" || infix->name == "Mul";
  if (parentheses)
    out += '(';
  for (size_t i = 0; i < expr.operands.size(); ++i) {
    if (i)
      out += infix->symbol;
    auto inner = associates && i == 0 ? static_cast<Strength>(infix->strength - 1) : infix->strength;
    print(*expr.operands[i], inner, out);
  }
  if (parentheses)
    out += ')';
}

bool equal(const SymExpr &a, const SymExpr &b) {
  if (&a == &b)
    return true;
  if (a.kind != b.kind || a.integer != b.integer || a.name != b.name ||
      a.operands.size() != b.operands.size() || !(a.real == b.real || (a.real != a.real && b.real != b.real)))
    return false;
  for (size_t i = 0; i < a.operands.size(); ++i)
    if (!equal(*a.operands[i], *b.operands[i]))
      return false;
  return true;
}

} // namespace

std::shared_ptr<const SymExpr> parseSrepr(std::string_view text) { return Parser(text).parse(); }

std::string toString(const SymExpr &expr) {
  std::string out;
  print(expr, kLoosest, out);
  return out;
}

bool operator==(const SymInt &a, const SymInt &b) {
  if (a.value || b.value)
    return a.value == b.value;
  return a.expr == b.expr || (a.expr && b.expr && equal(*a.expr, *b.expr));
}

std::string toString(const SymInt &value) {
  if (value.value)
    return std::to_string(*value.value);
  return value.expr ? toString(*value.expr) : "?";
}

} // namespace sixrung::graph
