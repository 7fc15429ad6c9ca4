// What a GraphBuilder holds.
#pragma once

#include "core/graph/error.hpp"
#include "core/ir/builder.hpp"
#include "core/ir/dialect.hpp"

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace sixrung::ir {

// Equality of pure ops: name, operands, attributes, properties and result types, but not location.
struct SameOperation : llvm::DenseMapInfo<mlir::Operation *> {
  static unsigned getHashValue(const mlir::Operation *op);
  static bool isEqual(const mlir::Operation *left, const mlir::Operation *right);
};

struct GraphBuilder::Impl {
  Impl(mlir::ModuleOp module, llvm::StringRef symbol, llvm::ArrayRef<Port> inputs, bool isPrivate);
  ~Impl();

  // A block that ops go into, and the pure ops found there, for sharing. The graph's body owns no
  // region; a nested one owns its region until it is closed.
  struct Scope {
    std::unique_ptr<mlir::Region> region;
    mlir::Block *block = nullptr;
    llvm::DenseSet<mlir::Operation *, SameOperation> known;
  };
  // A state argument: read once, where it is first needed, and written once, at the end. Nothing
  // else can see it meanwhile.
  struct State {
    mlir::Value current; // what a read gives now
    mlir::Value token;   // what a write waits for
    bool written = false;
  };

  mlir::MLIRContext *context() { return module.getContext(); }
  void checkOpen();
  void checkVisible(mlir::ValueRange values, llvm::StringRef user);
  mlir::RegisteredOperationName lookup(llvm::StringRef op);
  llvm::SmallVector<mlir::Type> inferTypes(mlir::RegisteredOperationName name, mlir::ValueRange operands,
                                           mlir::DictionaryAttr attributes,
                                           llvm::MutableArrayRef<std::unique_ptr<mlir::Region>> regions);
  // The types `given`, or the inferred ones where they are compatible but Core AI takes no others.
  llvm::SmallVector<mlir::Type> takenTypes(mlir::RegisteredOperationName name, mlir::ValueRange operands,
                                           mlir::DictionaryAttr attributes, llvm::ArrayRef<mlir::Type> given,
                                           llvm::MutableArrayRef<std::unique_ptr<mlir::Region>> regions);
  // An equal op that dominates the place where ops are built; null when there is none.
  mlir::Operation *find(mlir::Operation *op);
  // Takes ownership of a detached op: verified and placed, or destroyed.
  void place(mlir::Operation *op);
  mlir::Value constant(mlir::ElementsAttr value);
  mlir::Value token();
  State &state(unsigned argumentIndex);
  void eraseDead(mlir::Block &block);
  // Constants, and pure ops of nothing else.
  bool isKnown(mlir::Value value) const;

  mlir::ModuleOp module;
  coreai::GraphOp graph;
  mlir::Location location;
  bool finished = false;
  std::vector<Scope> scopes;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants;
  mlir::Operation *lastConstant = nullptr;   // constants stand before every other op
  llvm::DenseSet<mlir::Operation *> derived; // from constants alone
  mlir::Value firstToken;
  llvm::MapVector<unsigned, State> states;
  // Bytes of constants whose attribute keeps them in another form.
  mutable llvm::DenseMap<mlir::Attribute, std::vector<char>> unpacked;
};

// Whether equal ops may become one, and an unused one none.
bool sharable(mlir::Operation *op);

// Only unknown and file:line:col, and fused ones of these, can be saved: others are reduced to such.
mlir::Location savable(mlir::Location location);

// Ops over small constants have constants for results, and so has a constant under another shape.
struct Folded {
  mlir::Value value;           // an operand, when set
  mlir::RankedTensorType type; // else these bytes
  std::vector<char> bytes;
  mlir::ElementsAttr elements; // or this constant, when set
};
std::optional<Folded> fold(const GraphBuilder &builder, mlir::Operation *op);
// The part of it that is about constants which are the same everywhere.
std::optional<Folded> foldSplat(mlir::Operation *op);

// The operands of an op about to be built, where coreai-core's rewrite would merge it with the op before
// to another result: an op that changes no value stands between. nullopt where none is needed. `isKnown`
// tells what the rewrite can work out.
std::optional<std::vector<mlir::Value>> keptApart(GraphBuilder &builder, llvm::StringRef op,
                                                  llvm::ArrayRef<mlir::Value> operands,
                                                  llvm::ArrayRef<mlir::Type> results,
                                                  llvm::function_ref<bool(mlir::Value)> isKnown);

// Where the elements of a value came from, in the same order: reshapes of reshapes are one.
mlir::Value throughReshapes(mlir::Value value);

} // namespace sixrung::ir
