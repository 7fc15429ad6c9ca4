// Parsing, printing and checking of graphs, calls and state.
#include "core/ir/dialect.hpp"

#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace sixrung::coreai {

//===-- graph -----------------------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kPrivate = "private", kExternalize = "externalize",
                                     kNoInline = "noinline";

ParseResult GraphOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  auto flag = [&](StringRef keyword, StringAttr attribute) {
    if (succeeded(parser.parseOptionalKeyword(keyword)))
      result.addAttribute(attribute, builder.getUnitAttr());
  };
  flag(kPrivate, getPrivAttrName(result.name));
  flag(kExternalize, getExternalizeAttrName(result.name));
  flag(kNoInline, getNoInlineAttrName(result.name));
  StringAttr symbol;
  if (parser.parseSymbolName(symbol, getSymNameAttrName(result.name), result.attributes))
    return failure();
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> resultTypes;
  SmallVector<DictionaryAttr> resultAttributes;
  bool variadic = false;
  if (function_interface_impl::parseFunctionSignature(parser, /*allowVariadic=*/false, arguments, variadic,
                                                      resultTypes, resultAttributes))
    return failure();
  SmallVector<Type> argumentTypes;
  for (const OpAsmParser::Argument &argument : arguments)
    argumentTypes.push_back(argument.type);
  result.addAttribute(getFunctionTypeAttrName(result.name),
                      TypeAttr::get(builder.getFunctionType(argumentTypes, resultTypes)));
  result.addAttribute(getParamDeclsAttrName(result.name), param::DeclArrayAttr::get(builder.getContext()));
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  function_interface_impl::addArgAndResultAttrs(builder, result, arguments, resultAttributes,
                                                getArgAttrsAttrName(result.name),
                                                getResAttrsAttrName(result.name));
  return parser.parseRegion(*result.addRegion(), arguments);
}

static DictionaryAttr portAttributes(std::optional<ArrayAttr> attributes, unsigned index) {
  if (!attributes || index >= attributes->size())
    return {};
  return dyn_cast<DictionaryAttr>((*attributes)[index]);
}

void GraphOp::print(OpAsmPrinter &printer) {
  for (auto [set, keyword] : {std::pair(getPriv(), StringRef(kPrivate)),
                              {getExternalize(), StringRef(kExternalize)},
                              {getNoInline(), StringRef(kNoInline)}})
    if (set)
      printer << " " << keyword;
  printer << " ";
  printer.printSymbolName(getSymName());
  printer << "(";
  llvm::interleaveComma(llvm::enumerate(getBodyRegion().getArguments()), printer, [&](auto it) {
    DictionaryAttr attributes = portAttributes(getArgAttrs(), it.index());
    printer.printRegionArgument(it.value(), attributes ? attributes.getValue() : ArrayRef<NamedAttribute>());
  });
  printer << ")";
  ArrayRef<Type> results = getFunctionType().getResults();
  if (!results.empty()) {
    // One bare result needs no parentheses, but it would then not be told from a function type.
    bool bare =
        results.size() == 1 && !isa<FunctionType>(results.front()) && !portAttributes(getResAttrs(), 0);
    printer << " -> " << (bare ? "" : "(");
    llvm::interleaveComma(llvm::enumerate(results), printer, [&](auto it) {
      printer << it.value();
      if (DictionaryAttr attributes = portAttributes(getResAttrs(), it.index()))
        printer.printOptionalAttrDict(attributes.getValue());
    });
    printer << (bare ? "" : ")");
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getSymNameAttrName(), getFunctionTypeAttrName(), getParamDeclsAttrName(), getPrivAttrName(),
       getExternalizeAttrName(), getNoInlineAttrName(), getArgAttrsAttrName(), getResAttrsAttrName()});
  printer << " ";
  printer.printRegion(getBodyRegion(), /*printEntryBlockArgs=*/false);
}

static StringRef portName(std::optional<ArrayAttr> attributes, unsigned index) {
  if (DictionaryAttr port = portAttributes(attributes, index))
    if (auto name = port.getAs<StringAttr>(kNameAttribute))
      return name.getValue();
  return {};
}

StringRef GraphOp::getArgumentName(unsigned index) { return portName(getArgAttrs(), index); }
StringRef GraphOp::getResultName(unsigned index) { return portName(getResAttrs(), index); }

// An unnamed input cannot be fed, an unnamed result ends the runtime, and equal names merge.
static LogicalResult verifyPorts(GraphOp graph, std::optional<ArrayAttr> attributes, size_t count,
                                 StringRef what) {
  if (attributes && attributes->size() != count)
    return graph.emitOpError() << "has attributes for " << attributes->size() << " " << what << "s but "
                               << count << " of them";
  llvm::StringSet<> seen;
  for (size_t i = 0; i < count; ++i) {
    StringRef name = portName(attributes, i);
    if (name.empty() && graph.getPriv())
      continue;
    if (name.empty())
      return graph.emitOpError() << "has no coreai.name for " << what << " " << i
                                 << ", which an entry point needs";
    if (!seen.insert(name).second)
      return graph.emitOpError() << "gives the name '" << name << "' to two " << what << "s";
  }
  return success();
}

LogicalResult GraphOp::verify() {
  Block &body = getBodyRegion().front();
  if (TypeRange(getFunctionType().getInputs()) != TypeRange(body.getArgumentTypes()))
    return emitOpError() << "has arguments unlike its type " << getFunctionType();
  if (body.empty() || !isa<OutputOp>(body.back()))
    return emitOpError() << "must end with coreai.output";
  auto count = [](TypeRange types, auto kind) {
    return llvm::count_if(types, [](Type type) { return isa<decltype(kind)>(type); });
  };
  if (count(getFunctionType().getInputs(), HandleType()) !=
      count(getFunctionType().getResults(), TokenType()))
    return emitOpError() << "must give one token for each handle it takes";
  if (failed(verifyPorts(*this, getArgAttrs(), getFunctionType().getNumInputs(), "argument")))
    return failure();
  return verifyPorts(*this, getResAttrs(), getFunctionType().getNumResults(), "result");
}

LogicalResult OutputOp::verify() {
  ArrayRef<Type> expected = cast<GraphOp>((*this)->getParentOp()).getFunctionType().getResults();
  if (expected.size() != getNumOperands())
    return emitOpError() << "has " << getNumOperands() << " values, but the graph has " << expected.size()
                         << " results";
  for (auto [index, wanted, given] : llvm::enumerate(expected, getOperandTypes()))
    if (wanted != given)
      return emitOpError() << "value " << index << " has type " << given << ", but the graph's result is "
                           << wanted;
  return success();
}

//===-- invoke ----------------------------------------------------------------------------------===//

LogicalResult verifyInvoke(InvokeOp invoke, GraphOp callee) {
  if (!callee)
    return invoke.emitOpError() << "names no graph: @" << invoke.getCallee().getSymbol().getValue();
  FunctionType type = callee.getFunctionType();
  if (TypeRange(type.getInputs()) == TypeRange(invoke.getOperandTypes()) &&
      TypeRange(type.getResults()) == TypeRange(invoke.getResultTypes()))
    return success();
  return invoke.emitOpError() << "does not fit @" << callee.getSymName() << ", which is " << type;
}

LogicalResult InvokeOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyInvoke(*this, symbols.lookupNearestSymbolFrom<GraphOp>(*this, getCallee().getSymbol()));
}

//===-- control flow ----------------------------------------------------------------------------===//

template <typename Terminator>
static LogicalResult verifyEnd(Operation *op, Region &region, StringRef which, TypeRange expected,
                               unsigned skipped = 0) {
  Block &block = region.front();
  if (block.empty() || !isa<Terminator>(block.back()))
    return op->emitOpError() << which << " region must end with " << Terminator::getOperationName();
  SmallVector<Type> given(llvm::drop_begin(block.back().getOperandTypes(), skipped));
  if (TypeRange(given) != expected)
    return op->emitOpError() << which << " region ends with types (" << given << "), expected (" << expected
                             << ")";
  return success();
}

LogicalResult IfOp::verify() {
  if (failed(verifyEnd<YieldOp>(*this, getThenRegion(), "then", getResultTypes())))
    return failure();
  return verifyEnd<YieldOp>(*this, getElseRegion(), "else", getResultTypes());
}

LogicalResult WhileOp::verify() {
  TypeRange carried = getInits().getTypes();
  if (carried != TypeRange(getResultTypes()))
    return emitOpError() << "carries (" << carried << ") but gives (" << getResultTypes() << ")";
  for (auto [region, which] : {std::pair(&getBefore(), "before"), {&getAfter(), "after"}})
    if (TypeRange(region->getArgumentTypes()) != carried)
      return emitOpError() << which << " region takes (" << region->getArgumentTypes() << "), expected ("
                           << carried << ")";
  if (failed(verifyEnd<ConditionOp>(*this, getBefore(), "before", carried, 1)))
    return failure();
  return verifyEnd<YieldOp>(*this, getAfter(), "after", carried);
}

//===-- state -----------------------------------------------------------------------------------===//

LogicalResult ReadHandleOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                             ValueRange operands, DictionaryAttr, OpaqueProperties,
                                             RegionRange, SmallVectorImpl<Type> &types) {
  auto handle = operands.empty() ? HandleType() : dyn_cast<HandleType>(operands[0].getType());
  if (!handle)
    return emitOptionalError(location, "reads a value that is no handle");
  types.assign({handle.getInner(), TokenType::get(context)});
  return success();
}

LogicalResult WriteHandleOp::verify() {
  if (getData().getType() == getHandle().getType().getInner())
    return success();
  return emitOpError() << "writes " << getData().getType() << " to state of type "
                       << getHandle().getType().getInner();
}

} // namespace sixrung::coreai
