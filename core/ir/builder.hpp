// Building coreai IR: typed, verified op by op, with sharing. The only door to MLIR for core/lower.
#pragma once

#include "core/graph/dtype.hpp"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sixrung::ir {

// Loads the coreai and param dialects; diagnostics are captured, never printed.
std::unique_ptr<mlir::MLIRContext> makeContext();

// dtype <-> element type. kSI32 <-> si32 (signed), kBool <-> i1 (signless), kComplex64 <-> complex<f32>, ...
mlir::Type elementType(mlir::MLIRContext *context, graph::DType dtype);
std::optional<graph::DType> dtypeOf(mlir::Type elementType);

// Bytes a constant of this type takes: i1 one byte an element, sub-byte packed, low bits first.
// nullopt when dynamic or overflowing.
std::optional<uint64_t> byteSize(mlir::RankedTensorType type);

// One argument or result of an entry point or private graph.
struct Port {
  std::string name; // coreai.name
  mlir::Type type;
  mlir::Location location;
};

// Builds one coreai.graph at the end of a module. Failures throw Error(kUnsupported) for ops the
// dialect refuses (message of the verifier), Error(kInternal) for misuse.
class GraphBuilder {
public:
  GraphBuilder(mlir::ModuleOp module, llvm::StringRef symbol, llvm::ArrayRef<Port> inputs, bool isPrivate);
  ~GraphBuilder();
  GraphBuilder(const GraphBuilder &) = delete;

  mlir::Value argument(unsigned index) const;
  // The coreai.graph, for attributes such as composite_decl.
  mlir::Operation *graph() const;
  void setLocation(mlir::Location location); // of ops built from here on
  mlir::Location location() const;

  // Builds one op. Empty `results` infers them. Pure ops equal to an earlier one that dominates
  // (same name, operands, attributes, result types) give the earlier results; a cast to its own
  // type gives its operand. Regions are moved in. Verified before it returns; a refused op leaves
  // nothing behind.
  std::vector<mlir::Value> build(llvm::StringRef op, llvm::ArrayRef<mlir::Value> operands,
                                 llvm::ArrayRef<mlir::NamedAttribute> attributes = {},
                                 llvm::ArrayRef<mlir::Type> results = {},
                                 llvm::MutableArrayRef<std::unique_ptr<mlir::Region>> regions = {});
  // An attribute of `op` from text: an enumeration's case name, or MLIR attribute syntax after '#'.
  mlir::Attribute attributeFromText(llvm::StringRef op, llvm::StringRef name, llvm::StringRef text);

  // Constants stand at the head of the graph, each distinct one once.
  mlir::Value constant(mlir::RankedTensorType type, llvm::ArrayRef<char> bytes); // copied
  mlir::Value splat(mlir::RankedTensorType type, llvm::ArrayRef<char> element);
  // No copy: `owner` is held until the module is destroyed. The resource name derives from content.
  mlir::Value constantView(mlir::RankedTensorType type, llvm::ArrayRef<char> bytes,
                           std::shared_ptr<const void> owner);
  // A constant of another graph, in this one; null when `value` is none.
  mlir::Value copyConstant(mlir::Value value);
  // The bytes behind a constant value (one element's when splat); nullopt for anything else.
  struct ConstantBytes {
    mlir::RankedTensorType type;
    llvm::ArrayRef<char> bytes;
    bool splat;
  };
  std::optional<ConstantBytes> constantBytes(mlir::Value value) const;

  // Nested regions (if, while, scatter_nd): ops go into the innermost open one.
  std::vector<mlir::Value> openRegion(llvm::ArrayRef<mlir::Type> argumentTypes);
  std::unique_ptr<mlir::Region> closeRegion(llvm::StringRef terminator, llvm::ArrayRef<mlir::Value> operands);
  unsigned openRegions() const;

  // State: the graph argument holds a handle. Reads and writes thread the token.
  mlir::Value readState(unsigned argumentIndex);
  void writeState(unsigned argumentIndex, mlir::Value value);

  // Ends the graph: coreai.output, result names, dead pure ops erased, the whole verified.
  void finish(llvm::ArrayRef<mlir::Value> outputs, llvm::ArrayRef<std::string> names);

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Which known operation a private graph spells out.
struct CompositeDeclaration {
  std::string name;
  std::vector<std::string> inputs, outputs;
  std::vector<mlir::NamedAttribute> attributes; // `version` among them
  bool isTemplate = false;                      // template_op names it too
};
// Marks a graph as never inlined and, with a declaration, as a composite.
void describePrivateGraph(mlir::Operation *graph, const CompositeDeclaration *composite);
// Gives a finished private graph its final symbol and place, before `root`: `name` and a suffix made of
// its content, or with `exact` the bare name where that is free. A graph equal to one that is there,
// but for source locations, is erased. Returns the symbol.
std::string settlePrivateGraph(mlir::ModuleOp module, mlir::Operation *graph, llvm::StringRef name,
                               bool exact, mlir::Operation *root);
// The `callee` of coreai.invoke, and the types it gives.
mlir::NamedAttribute calleeAttribute(mlir::MLIRContext *context, llvm::StringRef symbol);
std::vector<mlir::Type> resultTypes(mlir::ModuleOp module, llvm::StringRef symbol);

// !coreai.handle<tensor>, the type of a state argument.
mlir::Type handleType(mlir::RankedTensorType tensor);

enum class Format { kText, kTextGeneric, kBytecode };
// Bytecode is version 4, which coreai-core reads; weights are written from where they lie.
// Text names constants of more than `largest` bytes and leaves them out, when it is given.
void serialize(mlir::ModuleOp module, Format format, llvm::raw_ostream &out,
               std::optional<size_t> largest = {});
// Parses and verifies text or bytecode; throws Error(kInvalidInput) with the first diagnostic. Damaged
// bytecode can end the process inside MLIR's reader (text cannot): read a stranger's in a child.
mlir::OwningOpRef<mlir::ModuleOp> parse(mlir::MLIRContext *context, llvm::StringRef bytes);
// Ops in the module but the module itself, graphs' terminators included.
size_t opCount(mlir::ModuleOp module);

// What the dialect knows of an op; for `explain`, Python op functions and error messages.
struct OpInfo {
  std::string name;
  std::vector<std::string> operands; // a trailing '*' marks a variadic one
  std::vector<std::string> attributes;
  std::vector<std::string> results;
  bool infersResults = false;
};
std::vector<OpInfo> dialectOps(mlir::MLIRContext *context);

} // namespace sixrung::ir
