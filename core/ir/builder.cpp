// Building ops: inference, sharing, verification.
#include "core/ir/builder_impl.hpp"
#include "core/ir/diagnostics.hpp"
#include "core/ir/infer.hpp"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "fmt/format.h"

using namespace mlir;

namespace sixrung::ir {

unsigned SameOperation::getHashValue(const Operation *op) {
  return OperationEquivalence::computeHash(const_cast<Operation *>(op), OperationEquivalence::directHashValue,
                                           OperationEquivalence::ignoreHashValue,
                                           OperationEquivalence::IgnoreLocations);
}

bool SameOperation::isEqual(const Operation *left, const Operation *right) {
  if (left == right)
    return true;
  if (left == getEmptyKey() || left == getTombstoneKey() || right == getEmptyKey() ||
      right == getTombstoneKey())
    return false;
  return OperationEquivalence::isEquivalentTo(const_cast<Operation *>(left), const_cast<Operation *>(right),
                                              OperationEquivalence::IgnoreLocations);
}

static Error internal(const std::string &message) { return Error(ErrorKind::kInternal, message); }

void GraphBuilder::Impl::checkOpen() {
  if (finished)
    throw internal(fmt::format("the graph @{} is finished: nothing can be added", graph.getSymName().str()));
}

void GraphBuilder::Impl::checkVisible(ValueRange values, StringRef user) {
  for (auto [index, value] : llvm::enumerate(values)) {
    if (!value)
      throw internal(fmt::format("operand {} of {} is missing", index, user.str()));
    Block *block = value.getParentBlock();
    if (llvm::none_of(scopes, [&](const Scope &scope) { return scope.block == block; }))
      throw internal(fmt::format("operand {} of {} comes from another graph or from a region that is closed",
                                 index, user.str()));
  }
}

RegisteredOperationName GraphBuilder::Impl::lookup(StringRef op) {
  std::optional<RegisteredOperationName> name = RegisteredOperationName::lookup(op, context());
  if (!name || name->getDialectNamespace() != coreai::CoreAIDialect::getDialectNamespace())
    throw Error(ErrorKind::kUnsupported, fmt::format("the coreai dialect has no op {}", op.str()))
        .with("op", op.str());
  return *name;
}

namespace {
// Storage for the properties of an op that does not exist yet, as inference wants them.
class Properties {
public:
  explicit Properties(RegisteredOperationName name) : name_(name) {
    if (size_t size = name.getOpPropertyByteSize()) {
      bytes_ = std::make_unique<std::max_align_t[]>(size / sizeof(std::max_align_t) + 1);
      name_.initOpProperties(get(), OpaqueProperties(nullptr));
    }
  }
  ~Properties() {
    if (bytes_)
      name_.destroyOpProperties(get());
  }
  Properties(const Properties &) = delete;
  OpaqueProperties get() const { return OpaqueProperties(bytes_.get()); }

private:
  RegisteredOperationName name_;
  std::unique_ptr<std::max_align_t[]> bytes_;
};
} // namespace

SmallVector<Type> GraphBuilder::Impl::inferTypes(RegisteredOperationName name, ValueRange operands,
                                                 DictionaryAttr attributes,
                                                 MutableArrayRef<std::unique_ptr<Region>> regions) {
  auto *interface = name.getInterface<InferTypeOpInterface>();
  if (!interface)
    return {};
  std::string op = name.getStringRef().str();
  Capture capture(context());
  Properties properties(name);
  auto refuse = [&]() -> InFlightDiagnostic { return emitError(location); };
  SmallVector<Type> types;
  SmallVector<Region *> bodies;
  for (std::unique_ptr<Region> &region : regions)
    bodies.push_back(region.get());
  bool converted = !properties.get() || attributes.empty() ||
                   succeeded(name.setOpPropertiesFromAttribute(name, properties.get(), attributes, refuse));
  if (converted && succeeded(interface->inferReturnTypes(context(), location, operands, attributes,
                                                         properties.get(), RegionRange(bodies), types)))
    return types;
  std::string why = capture.message("the types of its results cannot be inferred");
  throw Error(ErrorKind::kUnsupported,
              why.find(op) == std::string::npos ? fmt::format("'{}' op {}", op, why) : why)
      .with("op", op);
}

SmallVector<Type> GraphBuilder::Impl::takenTypes(RegisteredOperationName name, ValueRange operands,
                                                 DictionaryAttr attributes, ArrayRef<Type> given,
                                                 MutableArrayRef<std::unique_ptr<Region>> regions) {
  SmallVector<Type> types(given);
  auto *interface = name.getInterface<InferTypeOpInterface>();
  if (!interface)
    return types;
  try {
    SmallVector<Type> inferred = inferTypes(name, operands, attributes, regions);
    if (!interface->isCompatibleReturnTypes(inferred, types) && compatibleResults(inferred, types))
      return inferred;
  } catch (const Error &) { // said by verification, or the op needs its types named
  }
  return types;
}

// Attributes the op does not know are refused: a misspelt one would be dropped silently.
static void checkAttributes(RegisteredOperationName name, ArrayRef<NamedAttribute> attributes) {
  for (NamedAttribute attribute : attributes)
    if (!attribute.getName().strref().contains('.') &&
        !llvm::is_contained(name.getAttributeNames(), attribute.getName()))
      throw Error(ErrorKind::kUnsupported, fmt::format("'{}' op has no attribute '{}'",
                                                       name.getStringRef().str(), attribute.getName().str()))
          .with("op", name.getStringRef().str());
}

// Graphs write no state of their caller: a call is pure unless a handle or token goes through it.
bool sharable(Operation *op) {
  auto plain = [](Type type) { return !isa<coreai::HandleType, coreai::TokenType>(type); };
  if (isa<coreai::InvokeOp>(op))
    return llvm::all_of(op->getOperandTypes(), plain) && llvm::all_of(op->getResultTypes(), plain);
  return isMemoryEffectFree(op);
}

Operation *GraphBuilder::Impl::find(Operation *op) {
  for (const Scope &scope : llvm::reverse(scopes))
    if (auto found = scope.known.find(op); found != scope.known.end())
      return *found;
  return nullptr;
}

bool GraphBuilder::Impl::isKnown(Value value) const {
  Operation *op = value.getDefiningOp();
  return op && (isa<coreai::ConstantOp>(op) || derived.contains(op));
}

void GraphBuilder::Impl::place(Operation *op) {
  Scope &scope = scopes.back();
  scope.block->push_back(op);
  Capture capture(context());
  // verify() checks dominance inside the op's regions too, which needs the regions around it to hang
  // together up to the graph: within an open one it waits until the outermost op stands.
  bool inner = scopes.size() > 1 && op->getNumRegions() > 0;
  LogicalResult verified = inner ? success(succeeded(op->getName().verifyInvariants(op)) &&
                                           succeeded(op->getName().verifyRegionInvariants(op)))
                                 : verify(op, /*verifyRecursively=*/false);
  for (Region &region : op->getRegions())
    if (succeeded(verified) && !region.empty() && !region.front().empty())
      verified = verify(&region.front().back(), /*verifyRecursively=*/false);
  // The symbol table, which would check a call, is asked only when the module is whole.
  if (auto invoke = dyn_cast<coreai::InvokeOp>(op); invoke && succeeded(verified))
    verified =
        coreai::verifyInvoke(invoke, module.lookupSymbol<coreai::GraphOp>(invoke.getCallee().getSymbol()));
  if (succeeded(verified))
    return;
  std::string name = op->getName().getStringRef().str();
  op->erase();
  throw Error(ErrorKind::kUnsupported, capture.message(fmt::format("'{}' op does not verify", name)))
      .with("op", name);
}

std::vector<Value> GraphBuilder::build(StringRef op, ArrayRef<Value> operands,
                                       ArrayRef<NamedAttribute> attributes, ArrayRef<Type> results,
                                       MutableArrayRef<std::unique_ptr<Region>> regions) {
  impl_->checkOpen();
  RegisteredOperationName name = impl_->lookup(op);
  impl_->checkVisible(operands, op);
  checkAttributes(name, attributes);
  if (SmallVector<Type> alike = alikeOperands(name, operands); !alike.empty()) {
    std::vector<Value> cast(operands.begin(), operands.end());
    for (auto [value, type] : llvm::zip_equal(cast, alike))
      value = build(coreai::CastOp::getOperationName(), {value}, {}, {type}).front();
    return build(op, cast, attributes, results, regions);
  }
  if (name.hasTrait<OpTrait::IsTerminator>() || op == coreai::GraphOp::getOperationName())
    throw internal(fmt::format("{} is built by closing a region or finishing a graph", op.str()));
  if (op == coreai::CastOp::getOperationName() && operands.size() == 1 && results.size() == 1 &&
      operands[0].getType() == results[0])
    return {operands[0]};

  auto isKnown = [this](Value value) { return impl_->isKnown(value); };
  if (std::optional<std::vector<Value>> apart = keptApart(*this, op, operands, results, isKnown))
    return build(op, *apart, attributes, results, regions);

  // With its result stated, a reshape needs only the elements, which earlier reshapes left in order.
  if (op == coreai::ReshapeOp::getOperationName() && operands.size() == 2 && results.size() == 1)
    if (Value source = throughReshapes(operands[0]); source != operands[0])
      return build(op, {source, operands[1]}, attributes, results, regions);

  DictionaryAttr dictionary = DictionaryAttr::get(impl_->context(), attributes);
  SmallVector<Type> types = results.empty() ? impl_->inferTypes(name, operands, dictionary, regions)
                                            : impl_->takenTypes(name, operands, dictionary, results, regions);
  if (!results.empty() && ArrayRef<Type>(types) != results) { // casts add what the op may not say
    std::vector<Value> values = build(op, operands, attributes, types, regions);
    for (auto [value, type] : llvm::zip_equal(values, results))
      value = build(coreai::CastOp::getOperationName(), {value}, {}, {type}).front();
    return values;
  }
  OperationState state(impl_->location, name);
  state.addOperands(operands);
  state.addAttributes(dictionary.getValue());
  state.addTypes(types);
  for (std::unique_ptr<Region> &region : regions)
    state.addRegion(std::move(region));
  Operation *built = Operation::create(state);

  bool shared = built->getNumRegions() == 0 && sharable(built);
  if (Operation *earlier = shared ? impl_->find(built) : nullptr) {
    built->destroy();
    return {earlier->result_begin(), earlier->result_end()};
  }
  impl_->place(built);
  if (auto value = dyn_cast<coreai::ConstantOp>(built)) {
    ElementsAttr elements = value.getValue();
    built->erase();
    return {impl_->constant(elements)};
  }
  if (std::optional<Folded> folded = shared ? fold(*this, built) : std::nullopt) {
    built->erase();
    if (folded->elements)
      return {impl_->constant(folded->elements)};
    return {folded->value ? folded->value : constant(folded->type, folded->bytes)};
  }
  if (shared)
    impl_->scopes.back().known.insert(built);
  if (shared && !operands.empty() && llvm::all_of(operands, isKnown))
    impl_->derived.insert(built);
  return {built->result_begin(), built->result_end()};
}

std::vector<Value> GraphBuilder::openRegion(ArrayRef<Type> argumentTypes) {
  impl_->checkOpen();
  Impl::Scope scope;
  scope.region = std::make_unique<Region>();
  scope.block = &scope.region->emplaceBlock();
  SmallVector<Location> locations(argumentTypes.size(), impl_->location);
  scope.block->addArguments(argumentTypes, locations);
  std::vector<Value> arguments(scope.block->args_begin(), scope.block->args_end());
  impl_->scopes.push_back(std::move(scope));
  return arguments;
}

std::unique_ptr<Region> GraphBuilder::closeRegion(StringRef terminator, ArrayRef<Value> operands) {
  impl_->checkOpen();
  if (openRegions() == 0)
    throw internal("no region is open");
  RegisteredOperationName name = impl_->lookup(terminator);
  if (!name.hasTrait<OpTrait::IsTerminator>() || terminator == coreai::OutputOp::getOperationName())
    throw internal(fmt::format("{} cannot end a region", terminator.str()));
  impl_->checkVisible(operands, terminator);
  // Verified together with the op that gets the region: a terminator looks at its parent.
  OperationState state(impl_->location, name);
  state.addOperands(operands);
  impl_->scopes.back().block->push_back(Operation::create(state));
  std::unique_ptr<Region> region = std::move(impl_->scopes.back().region);
  impl_->scopes.pop_back();
  return region;
}

unsigned GraphBuilder::openRegions() const { return impl_->scopes.size() - 1; }

Value GraphBuilder::argument(unsigned index) const {
  Block &body = impl_->graph.getBodyRegion().front();
  if (index >= body.getNumArguments())
    throw internal(fmt::format("the graph @{} has no argument {}", impl_->graph.getSymName().str(), index));
  return body.getArgument(index);
}

void GraphBuilder::setLocation(Location location) { impl_->location = savable(location); }
Location GraphBuilder::location() const { return impl_->location; }

} // namespace sixrung::ir
