#include "core/graph/error.hpp"
#include "core/graph/symbolic.hpp"

#include <gtest/gtest.h>

using namespace sixrung;
using namespace sixrung::graph;

namespace {
std::string infix(const char *text) { return toString(*parseSrepr(text)); }
} // namespace

TEST(Srepr, ReadsWhatTorchWrites) {
  EXPECT_EQ(infix("Symbol('s77', positive=True, integer=True)"), "s77");
  EXPECT_EQ(infix("Mul(Integer(2), Symbol('s77', positive=True, integer=True))"), "2*s77");
  EXPECT_EQ(infix("Add(Symbol('s0', integer=True), Integer(-1))"), "s0 + -1");
  EXPECT_EQ(infix("FloorDiv(Symbol('s0', integer=True), Integer(2))"), "s0//2");
  EXPECT_EQ(infix("torch.utils._sympy.functions.FloorDiv(Symbol('s0'), Integer(2))"), "s0//2");
  EXPECT_EQ(infix("Max(Integer(1), Symbol('u0', integer=True))"), "Max(1, u0)");
  EXPECT_EQ(infix("Pow(Symbol('s0'), Integer(2))"), "s0**2");
  EXPECT_EQ(infix("Mul(Rational(1, 2), Symbol('s0'))"), "1/2*s0");
  EXPECT_EQ(infix("Float('0.5', precision=53)"), "0.5");
  EXPECT_EQ(infix("ToFloat(Symbol('s0'))"), "ToFloat(s0)");
  EXPECT_EQ(infix("Equality(PythonMod(Symbol('s0'), Integer(4)), Integer(0))"), "s0 % 4 == 0");
  EXPECT_EQ(infix("And(true, Not(StrictLessThan(Symbol('a'), Integer(3))))"), "And(True, Not(a < 3))");
  EXPECT_EQ(infix("-oo"), "-1*oo");
  EXPECT_EQ(infix("int_oo"), "int_oo");
}

TEST(Srepr, ParenthesesKeepTheMeaning) {
  EXPECT_EQ(infix("Mul(Integer(2), Add(Symbol('a'), Symbol('b')))"), "2*(a + b)");
  EXPECT_EQ(infix("FloorDiv(Symbol('a'), FloorDiv(Symbol('b'), Symbol('c')))"), "a//(b//c)");
  EXPECT_EQ(infix("Pow(Add(Symbol('a'), Integer(1)), Integer(-1))"), "(a + 1)**(-1)");
  EXPECT_NE(infix("FloorDiv(FloorDiv(Symbol('a'), Symbol('b')), Symbol('c'))"),
            infix("FloorDiv(Symbol('a'), FloorDiv(Symbol('b'), Symbol('c')))"));
}

TEST(Srepr, AssumptionsDoNotChangeIdentity) {
  SymInt plain{std::nullopt, parseSrepr("Symbol('s0')")};
  SymInt positive{std::nullopt, parseSrepr("Symbol('s0', positive=True, integer=True)")};
  SymInt other{std::nullopt, parseSrepr("Symbol('s1')")};
  EXPECT_EQ(plain, positive);
  EXPECT_FALSE(plain == other);
  EXPECT_FALSE(plain == SymInt::of(3));
  EXPECT_EQ(SymInt::of(3), SymInt::of(3));
  EXPECT_EQ(toString(SymInt{}), "?");
}

TEST(Srepr, RefusesEverythingElse) {
  for (const char *text : {"",
                           " ",
                           "Integer",
                           "Integer(",
                           "Integer()",
                           "Integer(99999999999999999999)",
                           "Symbol()",
                           "Symbol('')",
                           "Symbol('s0",
                           "Symbol('s\\n')",
                           "Add(Integer(1)",
                           "Add(Integer(1),)",
                           "Integer(1) Integer(2)",
                           "Float('x')",
                           "Float('1', precision)",
                           "1.2.3",
                           "('a')",
                           "__import__('os').system('x')",
                           "Symbol('s0', a=)",
                           "-",
                           "--1"})
    EXPECT_THROW(parseSrepr(text), Error) << text;
}

TEST(Srepr, DepthAndLengthAreBounded) {
  std::string deep;
  for (int i = 0; i < 100000; ++i)
    deep += "Add(";
  EXPECT_THROW(parseSrepr(deep), Error);
  EXPECT_THROW(parseSrepr(std::string((1 << 20) + 1, 'a')), Error);
  std::string wide = "Add(Integer(0)";
  for (int i = 0; i < 1000; ++i)
    wide += ", Integer(1)";
  EXPECT_EQ(parseSrepr(wide + ")")->operands.size(), 1001u);
}
