// Results against the program's metadata, and the 64-bit rule.
#include "support.hpp"

#include <gtest/gtest.h>

using namespace sixrung;
using namespace sixrung::test;

namespace {

bool has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

// Converts x -> y where the lowering gives a value of `actual` type, through a typed cast and reshape.
std::string outcome(graph::ValueMeta expected, DType actual, std::vector<int64_t> dims,
                    graph::ValueMeta input = tensor({2, 3})) {
  Lab lab;
  lab.lowering("acme::make.default", [&](const Call &c) -> sixrung_status * {
    std::vector<char> zeros(4096, 0);
    int64_t count = 1;
    for (int64_t dim : dims)
      count *= dim;
    size_t bytes = static_cast<size_t>(count) * (actual == DType::kBool ? 1 : graph::bitWidth(actual) / 8);
    sixrung_value out{};
    if (auto *status = c.constant(actual, dims, zeros.data(), bytes, &out))
      return status;
    return c.set(out);
  });
  try {
    lab.convert(oneNode("acme::make.default", std::move(input), std::move(expected)));
    return "";
  } catch (const Error &error) {
    return error.what();
  }
}

TEST(ResultCheck, TheSixtyFourBitRule) {
  EXPECT_EQ(outcome(tensor({2}, DType::kSI64), DType::kSI64, {2}), "");
  EXPECT_EQ(outcome(tensor({2}, DType::kSI64), DType::kSI32, {2}), "");
  EXPECT_EQ(outcome(tensor({2}, DType::kF64), DType::kF64, {2}), "");
  EXPECT_EQ(outcome(tensor({2}, DType::kF64), DType::kF32, {2}), "");
  EXPECT_EQ(outcome(tensor({2}, DType::kComplex128), DType::kComplex64, {2}), "");
  EXPECT_EQ(outcome(tensor({2}, DType::kBool), DType::kBool, {2}), "");
}

TEST(ResultCheck, OtherElementTypesMustBeEqual) {
  std::string error = outcome(tensor({2}, DType::kSI64), DType::kUI32, {2});
  EXPECT_TRUE(has(error, "elements must be int64 or int32")) << error;
  EXPECT_NE(outcome(tensor({2}, DType::kSI64), DType::kSI16, {2}), "");
  EXPECT_NE(outcome(tensor({2}, DType::kSI32), DType::kSI64, {2}), "");
  EXPECT_NE(outcome(tensor({2}, DType::kF32), DType::kF16, {2}), "");
  EXPECT_NE(outcome(tensor({2}, DType::kF64), DType::kF16, {2}), "");
  EXPECT_NE(outcome(tensor({2}, DType::kBool), DType::kUI8, {2}), "");
}

TEST(ResultCheck, RankAndSizes) {
  std::string error = outcome(tensor({2, 3}), DType::kF32, {2, 4});
  EXPECT_TRUE(has(error, "result 0: the program says float32[2, 3]")) << error;
  EXPECT_TRUE(has(error, "dimension 1 must be 3")) << error;
  EXPECT_TRUE(has(outcome(tensor({2, 3}), DType::kF32, {6}), "the rank must be 2"));
  EXPECT_EQ(outcome(tensor({0}), DType::kF32, {0}), "");
  EXPECT_EQ(outcome(tensor({}), DType::kF32, {}), "");
}

TEST(ResultCheck, AFixedSizeWhereTheProgramHasASymbolIsWrongForOtherSizes) {
  std::string error = outcome(tensor({-1, 3}), DType::kF32, {2, 3}, tensor({-1, 3}));
  EXPECT_TRUE(has(error, "dimension 0 depends on the input")) << error;
}

TEST(ResultCheck, ALessExactShapeIsReshapedToTheProgramS) {
  Lab lab;
  lab.lowering("acme::vague.default", [](const Call &c) -> sixrung_status * {
    sixrung_value out{};
    if (auto *status = c.typedOp("coreai.relu", {c.value(0)}, DType::kF32, {SIXRUNG_DYNAMIC, 3}, &out))
      return status;
    return c.set(out);
  });
  lab.elementwise("aten::exp.default", "coreai.exp");
  ProgramMaker m;
  m.input("x", tensor({-1, 3}));
  m.node("y", "acme::vague.default", {use("x")}, tensor({2, 3}));
  m.node("z", "aten::exp.default", {use("y")}, tensor({2, 3}));
  m.output(use("z"));
  lower::Converted program = lab.convert(m.program());
  EXPECT_EQ(countOf(program.text(), "coreai.reshape"), 1u) << program.text();
  EXPECT_EQ(program.entries()[0].outputs[0].dims, (std::vector<int64_t>{2, 3}));
}

TEST(ResultCheck, SymbolicResultsAreOneElementOfRankOne) {
  auto sym = symbolic(graph::ValueMeta::Kind::kSymInt);
  auto convert = [&](DType dtype, std::vector<int64_t> dims) {
    Lab lab;
    lab.lowering("aten::sym_size.int", [&](const Call &c) -> sixrung_status * {
      EXPECT_EQ(c.result().kind, SIXRUNG_RESULT_SYM_INT);
      EXPECT_EQ(c.result().value_dtype, SIXRUNG_SI32);
      int64_t zero[4] = {};
      int64_t count = 1;
      for (int64_t dim : dims)
        count *= dim;
      sixrung_value out{};
      if (auto *status =
              c.constant(dtype, dims, zero, static_cast<size_t>(count) * graph::bitWidth(dtype) / 8, &out))
        return status;
      return c.set(out);
    });
    ProgramMaker m;
    m.input("x", tensor({-1}));
    m.node("size", "aten::sym_size.int", {use("x"), arg(int64_t{0})}, sym);
    m.output(symInt("size"));
    try {
      return lab.convert(m.program()).entries()[0].outputs[0].dims.empty() ? std::string()
                                                                           : "the output is not 0-D";
    } catch (const Error &error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(convert(DType::kSI32, {1}), "");
  EXPECT_EQ(convert(DType::kSI64, {1}), "");
  EXPECT_TRUE(has(convert(DType::kSI32, {}), "the rank must be 1"));
  EXPECT_NE(convert(DType::kF32, {1}), "");
}

TEST(ResultCheck, WideIoTellsLoweringsTheWideType) {
  Lab lab;
  uint32_t told = 0;
  lab.lowering("acme::same.default", [&](const Call &c) {
    told = c.result().value_dtype;
    return c.set(c.value(0));
  });
  auto program = oneNode("acme::same.default", tensor({2}, DType::kSI64), tensor({2}, DType::kSI64));
  EXPECT_EQ(lab.convert(program).entries()[0].inputs[0].dtype, DType::kSI32);
  EXPECT_EQ(told, SIXRUNG_SI32);
  lower::ConvertOptions wide;
  wide.wideIo = true;
  lower::Converted kept = lab.convert(program, wide);
  EXPECT_EQ(kept.entries()[0].inputs[0].dtype, DType::kSI64);
  EXPECT_EQ(kept.entries()[0].outputs[0].dtype, DType::kSI64);
  EXPECT_EQ(told, SIXRUNG_SI64);
}

} // namespace
