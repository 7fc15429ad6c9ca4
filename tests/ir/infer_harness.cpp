#include "tests/ir/infer_harness.hpp"

#include "core/ir/builder.hpp"
#include "core/ir/dialect.hpp"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;

namespace sixrung::ir::test {
namespace {

// One op's surroundings: a block whose arguments and constants are its operands.
class Setting {
public:
  Setting(const std::string &op, const Operands &operands, const std::string &attributes)
      : context_(makeContext()), name_("coreai." + op, context_.get()),
        handler_(context_.get(), [this](Diagnostic &diagnostic) {
          if (error_.empty())
            error_ = diagnostic.str();
        }) {
    for (const std::string &operand : operands)
      values_.push_back(value(operand));
    if (!attributes.empty())
      attributes_ = cast<DictionaryAttr>(parseAttribute("{" + attributes + "}", context_.get()));
  }

  std::string infer() {
    auto registered = name_.getRegisteredInfo();
    auto *interface = registered ? registered->getInterface<InferTypeOpInterface>() : nullptr;
    if (!interface)
      return "has no inference";
    // Every op under test infers from operands alone.
    SmallVector<Type> types;
    if (failed(interface->inferReturnTypes(context_.get(), location(), values_, attributes_, nullptr, {},
                                           types)))
      return withoutName();
    return llvm::join(llvm::map_range(types, [](Type type) { return text(type); }), ", ");
  }

  std::string verify(const Operands &results) {
    OperationState state(location(), name_);
    state.addOperands(values_);
    for (const std::string &result : results)
      state.addTypes(type(result));
    if (attributes_)
      state.addAttributes(attributes_.getValue());
    Operation *op = Operation::create(state);
    block_.push_back(op);
    return succeeded(mlir::verify(op)) ? "" : withoutName();
  }

private:
  Location location() { return UnknownLoc::get(context_.get()); }

  Type type(const std::string &shaped) {
    Type parsed = parseType("tensor<" + shaped + ">", context_.get());
    EXPECT_TRUE(parsed) << shaped;
    return parsed;
  }

  Value value(const std::string &operand) {
    size_t colon = operand.find(':');
    if (colon == std::string::npos)
      return block_.addArgument(type(operand), location());
    std::string elements =
        "dense<" + operand.substr(0, colon) + "> : tensor<" + operand.substr(colon + 1) + ">";
    auto attribute = dyn_cast_or_null<ElementsAttr>(parseAttribute(elements, context_.get()));
    EXPECT_TRUE(attribute) << elements;
    OperationState state(location(), coreai::ConstantOp::getOperationName());
    state.addAttribute("value", attribute);
    state.addTypes(attribute.getType());
    Operation *op = Operation::create(state);
    block_.push_back(op);
    return op->getResult(0);
  }

  static std::string text(Type type) {
    std::string all = llvm::to_string(type);
    return StringRef(all).starts_with("tensor<") ? all.substr(7, all.size() - 8) : all;
  }

  std::string withoutName() const {
    StringRef rest(error_);
    rest.consume_front("'" + name_.getStringRef().str() + "' op ");
    return rest.str();
  }

  std::unique_ptr<MLIRContext> context_;
  OperationName name_;
  std::string error_;
  ScopedDiagnosticHandler handler_;
  Block block_;
  SmallVector<Value> values_;
  DictionaryAttr attributes_;
};

} // namespace

std::string inferred(const std::string &op, const Operands &operands, const std::string &attributes) {
  return Setting(op, operands, attributes).infer();
}

std::string verified(const std::string &op, const Operands &operands, const Operands &results,
                     const std::string &attributes) {
  return Setting(op, operands, attributes).verify(results);
}

static std::string name(const std::string &op, const Operands &operands) {
  return op + "(" + llvm::join(operands, ", ") + ")";
}

void expectTypes(const std::vector<Row> &rows) {
  for (const Row &row : rows)
    EXPECT_EQ(inferred(row.op, row.operands, row.attributes), row.want) << name(row.op, row.operands);
}

void expectErrors(const std::vector<Row> &rows) {
  for (const Row &row : rows) {
    std::string got = inferred(row.op, row.operands, row.attributes);
    EXPECT_NE(got.find(row.want), std::string::npos) << name(row.op, row.operands) << ": " << got;
  }
}

void expectAccepted(const std::vector<Given> &rows) {
  for (const Given &row : rows)
    EXPECT_EQ(verified(row.op, row.operands, row.results, row.attributes), "") << name(row.op, row.operands);
}

void expectRefused(const std::vector<Given> &rows) {
  for (const Given &row : rows) {
    EXPECT_NE(verified(row.op, row.operands, row.results, row.attributes), "")
        << name(row.op, row.operands) << " -> " << llvm::join(row.results, ", ");
    // One result, unless there are several to tell apart.
    std::string right = inferred(row.op, row.operands, row.attributes);
    llvm::SmallVector<llvm::StringRef> types{right};
    if (right.find('#') == std::string::npos)
      types.clear(), llvm::StringRef(right).split(types, ", ");
    Operands results(types.begin(), types.end());
    EXPECT_EQ(verified(row.op, row.operands, results, row.attributes), "") << name(row.op, row.operands);
  }
}

} // namespace sixrung::ir::test
