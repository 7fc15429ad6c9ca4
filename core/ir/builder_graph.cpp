// The life of a graph: its signature, its state, its end.
#include "core/ir/builder_impl.hpp"
#include "core/ir/diagnostics.hpp"

#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "fmt/format.h"

using namespace mlir;

namespace sixrung::ir {

Location savable(Location location) {
  if (isa<UnknownLoc, FileLineColLoc>(location))
    return location;
  MLIRContext *context = location.getContext();
  if (auto name = dyn_cast<NameLoc>(location))
    return savable(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return FusedLoc::get(context, {savable(call.getCallee()), savable(call.getCaller())});
  if (auto fused = dyn_cast<FusedLoc>(location)) {
    SmallVector<Location> parts;
    for (Location part : fused.getLocations())
      parts.push_back(savable(part));
    return FusedLoc::get(context, parts);
  }
  return UnknownLoc::get(context);
}

// One dictionary a port; an unnamed port, in a private graph, has an empty one.
static ArrayAttr portNames(MLIRContext *context, ArrayRef<std::string> names) {
  Builder builder(context);
  SmallVector<Attribute> ports;
  for (const std::string &name : names)
    ports.push_back(name.empty() ? builder.getDictionaryAttr({})
                                 : builder.getDictionaryAttr(builder.getNamedAttr(
                                       coreai::kNameAttribute, builder.getStringAttr(name))));
  return builder.getArrayAttr(ports);
}

static bool anyNamed(ArrayRef<std::string> names) {
  return llvm::any_of(names, [](const std::string &name) { return !name.empty(); });
}

GraphBuilder::Impl::Impl(ModuleOp module, StringRef symbol, ArrayRef<Port> inputs, bool isPrivate)
    : module(module), location(UnknownLoc::get(module.getContext())) {
  if (module.lookupSymbol(symbol))
    throw Error(ErrorKind::kInternal, fmt::format("the module has a graph @{} already", symbol.str()));
  Builder builder(context());
  auto region = std::make_unique<Region>();
  Block &body = region->emplaceBlock();
  std::vector<std::string> names;
  for (const Port &input : inputs) {
    body.addArgument(input.type, savable(input.location));
    names.push_back(input.name);
  }
  OperationState state(location, coreai::GraphOp::getOperationName());
  state.addAttribute("sym_name", builder.getStringAttr(symbol));
  state.addAttribute("function_type", TypeAttr::get(builder.getFunctionType(body.getArgumentTypes(), {})));
  state.addAttribute("param_decls", param::DeclArrayAttr::get(context()));
  if (isPrivate)
    state.addAttribute("priv", builder.getUnitAttr());
  if (anyNamed(names))
    state.addAttribute("arg_attrs", portNames(context(), names));
  state.addRegion(std::move(region));
  graph = cast<coreai::GraphOp>(Operation::create(state));
  module.getBody()->push_back(graph);
  scopes.emplace_back().block = &body;
}

GraphBuilder::Impl::~Impl() {
  // Innermost first: inner ops use outer values.
  while (scopes.size() > 1)
    scopes.pop_back();
  if (!finished)
    graph->erase(); // a module never holds half a graph
}

GraphBuilder::GraphBuilder(ModuleOp module, StringRef symbol, ArrayRef<Port> inputs, bool isPrivate)
    : impl_(std::make_unique<Impl>(module, symbol, inputs, isPrivate)) {}
GraphBuilder::~GraphBuilder() = default;

Operation *GraphBuilder::graph() const { return impl_->graph; }

//===-- State -----------------------------------------------------------------------------------===//

Value GraphBuilder::Impl::token() {
  if (!firstToken) {
    OperationState state(UnknownLoc::get(context()), coreai::CreateTokenOp::getOperationName());
    state.addTypes(coreai::TokenType::get(context()));
    Operation *op = Operation::create(state);
    scopes.front().block->push_back(op);
    firstToken = op->getResult(0);
  }
  return firstToken;
}

GraphBuilder::Impl::State &GraphBuilder::Impl::state(unsigned argumentIndex) {
  checkOpen();
  Block &body = graph.getBodyRegion().front();
  if (argumentIndex >= body.getNumArguments() ||
      !isa<coreai::HandleType>(body.getArgument(argumentIndex).getType()))
    throw Error(ErrorKind::kInternal,
                fmt::format("argument {} of @{} is no state", argumentIndex, graph.getSymName().str()));
  return states[argumentIndex];
}

Value GraphBuilder::readState(unsigned argumentIndex) {
  Impl::State &state = impl_->state(argumentIndex);
  if (state.current)
    return state.current;
  if (openRegions() != 0)
    throw Error(ErrorKind::kInternal, "state is read before a region opens, not inside of it");
  Value token = impl_->token();
  OperationState read(impl_->location, coreai::ReadHandleOp::getOperationName());
  read.addOperands({argument(argumentIndex), token});
  read.addTypes({cast<coreai::HandleType>(argument(argumentIndex).getType()).getInner(), token.getType()});
  Operation *op = Operation::create(read);
  impl_->place(op);
  state.current = op->getResult(0);
  state.token = op->getResult(1);
  return state.current;
}

void GraphBuilder::writeState(unsigned argumentIndex, Value value) {
  Impl::State &state = impl_->state(argumentIndex);
  if (openRegions() != 0)
    throw Error(ErrorKind::kInternal, "state is written after a region closes, not inside of it");
  impl_->checkVisible(value, coreai::WriteHandleOp::getOperationName());
  Type expected = cast<coreai::HandleType>(argument(argumentIndex).getType()).getInner();
  if (value.getType() != expected) {
    std::string message;
    llvm::raw_string_ostream(message)
        << "state '" << impl_->graph.getArgumentName(argumentIndex) << "' has type " << expected << ", and "
        << value.getType() << " was written to it";
    throw Error(ErrorKind::kUnsupported, message);
  }
  state.current = value;
  state.written = true;
}

//===-- The end ---------------------------------------------------------------------------------===//

void GraphBuilder::Impl::eraseDead(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    bool pureCall = isa<coreai::InvokeOp>(op) && op.use_empty() && sharable(&op);
    if (pureCall || isOpTriviallyDead(&op)) {
      op.erase();
      continue;
    }
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        eraseDead(inner);
  }
}

void GraphBuilder::finish(ArrayRef<Value> outputs, ArrayRef<std::string> names) {
  impl_->checkOpen();
  if (openRegions() != 0)
    throw Error(ErrorKind::kInternal, "a region is still open");
  if (outputs.size() != names.size())
    throw Error(ErrorKind::kInternal, fmt::format("{} outputs, but {} names", outputs.size(), names.size()));
  impl_->checkVisible(outputs, coreai::OutputOp::getOperationName());

  // Every state comes out as a token of its name, before the other results: coreai-core refuses a
  // graph with more handles than tokens.
  SmallVector<Value> values;
  SmallVector<std::string> allNames;
  for (BlockArgument handle : impl_->graph.getBodyRegion().front().getArguments()) {
    if (!isa<coreai::HandleType>(handle.getType()))
      continue;
    readState(handle.getArgNumber()); // one that nothing touched is read, for its token
    Impl::State &state = impl_->states[handle.getArgNumber()];
    if (state.written) {
      OperationState write(impl_->location, coreai::WriteHandleOp::getOperationName());
      Value before = state.token ? state.token : impl_->token();
      write.addOperands({handle, state.current, before});
      write.addTypes(before.getType());
      Operation *op = Operation::create(write);
      impl_->place(op);
      state.token = op->getResult(0);
    }
    values.push_back(state.token);
    allNames.push_back(impl_->graph.getArgumentName(handle.getArgNumber()).str());
  }
  values.append(outputs.begin(), outputs.end());
  allNames.append(names.begin(), names.end());

  Block &body = impl_->graph.getBodyRegion().front();
  OperationState output(impl_->location, coreai::OutputOp::getOperationName());
  output.addOperands(values);
  body.push_back(Operation::create(output));
  impl_->graph.setFunctionType(
      FunctionType::get(impl_->context(), body.getArgumentTypes(), ValueRange(values).getTypes()));
  if (anyNamed(allNames))
    impl_->graph.setResAttrsAttr(portNames(impl_->context(), allNames));
  impl_->eraseDead(body);

  Capture capture(impl_->context());
  if (failed(verify(impl_->graph))) {
    body.back().erase();
    throw Error(ErrorKind::kUnsupported, fmt::format("the graph @{} does not verify: {}",
                                                     impl_->graph.getSymName().str(), capture.message("")));
  }
  impl_->finished = true;
}

} // namespace sixrung::ir
