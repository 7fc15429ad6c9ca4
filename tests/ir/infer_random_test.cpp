// Inference runs before verification, and plugins may hand it anything: no operands may crash it, and
// what it infers must be types that verify or are refused with words.
#include "core/ir/builder.hpp"
#include "core/ir/dialect.hpp"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

#include "gtest/gtest.h"

#include <random>

using namespace mlir;

namespace sixrung::ir::test {
namespace {

class Operands {
public:
  explicit Operands(MLIRContext *context) : location_(UnknownLoc::get(context)) {
    const char *elements[] = {"f32", "f16", "si32", "ui32",   "si16",        "si64",
                              "ui2", "ui8", "i1",   "f8E5M2", "complex<f32>"};
    const char *dims[] = {"",
                          "1x",
                          "3x",
                          "?x",
                          "0x",
                          "2x3x",
                          "?x3x",
                          "2x?x",
                          "2x2x3x",
                          "1x3x8x8x",
                          "4x3x3x3x",
                          "1x3x8x8x8x",
                          "4x3x3x3x3x",
                          "?x?x?x?x",
                          "9223372036854775807x",
                          "4611686018427387904x3x8x9223372036854775806x"};
    for (const char *element : elements)
      for (const char *shape : dims)
        values_.push_back(block_.addArgument(
            parseType("tensor<" + std::string(shape) + element + ">", context), location_));
    values_.push_back(block_.addArgument(parseType("tensor<*xf32>", context), location_));
    values_.push_back(block_.addArgument(parseType("!coreai.token", context), location_));
    values_.push_back(block_.addArgument(parseType("f32", context), location_));
    const char *types[] = {"si32", "1xsi32", "2xsi32", "3xsi32", "4xsi32", "si16",
                           "ui32", "1xui32", "2xui32", "3xui32", "4xui32", "0xsi32"};
    for (const char *type : types)
      for (const char *value : {"0", "1", "2", "-1", "-2147483648", "2147483647"})
        constant(std::string(type[0] == '0' ? "" : value), type, context);
    for (const char *value : {"[0, 1]", "[1, 0]", "[-1, 3]"})
      constant(value, "2xsi32", context);
    for (const char *value : {"true", "false"})
      constant(value, "i1", context);
    for (const char *value : {"0.0", "1.0", "-1.5e30", "0x7F800000", "0x7FC00000"})
      constant(value, "f32", context);
  }

  template <typename Random> Value pick(Random &random) {
    return values_[std::uniform_int_distribution<size_t>(0, values_.size() - 1)(random)];
  }
  Block &block() { return block_; }

private:
  void constant(const std::string &value, const std::string &type, MLIRContext *context) {
    if (value[0] == '-' && type.find("ui") != std::string::npos)
      return;
    if (value.size() > 6 && type.find("16") != std::string::npos)
      return;
    auto attribute = dyn_cast_or_null<ElementsAttr>(
        parseAttribute("dense<" + value + "> : tensor<" + type + ">", context));
    ASSERT_TRUE(attribute) << value << " : " << type;
    OperationState state(location_, coreai::ConstantOp::getOperationName());
    state.addAttribute("value", attribute);
    state.addTypes(attribute.getType());
    Operation *op = Operation::create(state);
    block_.push_back(op);
    values_.push_back(op->getResult(0));
  }

  Location location_;
  Block block_;
  SmallVector<Value> values_;
};

TEST(InferRandom, NeverCrashes) {
  auto context = makeContext();
  std::string errors;
  ScopedDiagnosticHandler quiet(context.get(), [](Diagnostic &) {});
  Operands operands(context.get());
  Location location = UnknownLoc::get(context.get());
  std::mt19937 random(20240229);
  size_t inferred = 0, verified = 0;
  for (RegisteredOperationName name : context->getRegisteredOperations()) {
    auto *interface = name.getInterface<InferTypeOpInterface>();
    if (!interface || name.getDialectNamespace() != "coreai" || name.getStringRef() == "coreai.constant")
      continue;
    for (int trial = 0; trial < 4000; ++trial) {
      SmallVector<Value> values;
      for (int count = std::uniform_int_distribution<int>(0, 7)(random); count > 0; --count)
        values.push_back(operands.pick(random));
      SmallVector<Type> types;
      if (failed(interface->inferReturnTypes(context.get(), location, values, {}, nullptr, {}, types)))
        continue;
      ++inferred;
      OperationState state(location, name.getStringRef());
      state.addOperands(values);
      state.addTypes(types);
      Operation *op = Operation::create(state);
      operands.block().push_back(op);
      verified += succeeded(verify(op));
      op->erase();
    }
  }
  EXPECT_GT(inferred, 1000u); // the trials reach the rules
  EXPECT_GT(verified, 100u);
}

} // namespace
} // namespace sixrung::ir::test
