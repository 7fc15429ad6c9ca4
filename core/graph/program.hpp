// The one graph model between both doors and everything behind them. Plain C++:
// no torch, no MLIR. A .pt2 archive and a live ExportedProgram give equal Programs.
#pragma once

#include "core/graph/dtype.hpp"
#include "core/graph/symbolic.hpp"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sixrung::graph {

struct TensorMeta {
  DType dtype = DType::kNone;
  std::vector<SymInt> sizes;
  std::vector<SymInt> strides; // in elements; may be empty when unknown
  int64_t storageOffset = 0;   // in elements
  std::string layout = "strided";
  std::string device = "cpu";
  bool requiresGrad = false;
};
bool operator==(const TensorMeta &a, const TensorMeta &b);

// What one named value of a graph is. A value that is symbolic in kind but known (an int result of an
// op) has a constant expression. Custom objects and constant inputs are kNone.
struct ValueMeta {
  enum class Kind { kTensor, kSymInt, kSymFloat, kSymBool, kToken, kNone };
  Kind kind = Kind::kNone;
  TensorMeta tensor;                   // kTensor
  std::shared_ptr<const SymExpr> expr; // symbolic kinds, when known
};
bool operator==(const ValueMeta &a, const ValueMeta &b);

struct Graph;

// Argument alternatives. Names refer to values of the enclosing graph.
struct ValueRef {
  std::string name;
}; // a tensor (or token) value
struct SymIntRef {
  std::string name;
}; // a symbolic int computed by a node
struct SymFloatRef {
  std::string name;
};
struct SymBoolRef {
  std::string name;
};
struct DTypeArg {
  DType dtype;
};
struct DeviceArg {
  std::string device;
}; // "cpu", "cuda:0"
struct LayoutArg {
  std::string layout;
}; // "strided"
struct MemoryFormatArg {
  std::string format;
}; // "contiguous_format"
struct OperatorArg {
  std::string key;
};
struct SubgraphArg {
  std::string name;
  std::shared_ptr<Graph> graph;
};
struct NoneArg {};
struct Argument;
using ArgumentList = std::vector<Argument>; // holes are NoneArg

// Lists are one alternative; the ABI layer packs homogeneous ones.
struct Argument {
  std::variant<NoneArg, bool, int64_t, double, std::complex<double>, std::string, DTypeArg, DeviceArg,
               LayoutArg, MemoryFormatArg, ValueRef, SymIntRef, SymFloatRef, SymBoolRef, OperatorArg,
               SubgraphArg, ArgumentList>
      value;
};

struct NamedArgument {
  std::string name; // the schema's name; empty for arguments of higher-order ops
  Argument value;
  bool keyword = false; // given by keyword
};

// One frame of the recorded stack trace.
struct SourceFrame {
  std::string file; // as recorded
  uint32_t line = 0;
  std::string function;
};

struct ModuleFrame { // nn_module_stack, outermost first
  std::string path;  // "layers.0.attn"
  std::string type;  // "transformers.models.gpt2.modeling_gpt2.GPT2Attention"
};

struct Node {
  std::string name;   // FX name of the node: the first result's name for single results
  std::string target; // canonical key (LADDER-0): "aten::add.Tensor", "truediv", "higher_order::cond"
  std::vector<NamedArgument> inputs; // schema order
  // Results in order, list results flattened. Multiple results carry the names of their getitem nodes
  // (the first one, when an index is taken twice), which are no nodes here. A result nothing takes, and
  // one that is None, has an empty name. Each name has an entry in Graph::values.
  std::vector<std::string> outputs;
  std::vector<SourceFrame> stack; // outermost first, as torch prints it
  std::vector<ModuleFrame> modules;
};

struct Graph {
  // Value names in order. A subgraph may have an input that is a baked-in Python constant: its name is
  // empty, and nothing reads it.
  std::vector<std::string> inputs;
  std::vector<Argument> outputs; // ValueRef, SymIntRef, constants, None
  std::vector<Node> nodes;       // topological order
  std::map<std::string, ValueMeta> values;
};

// Bytes of a constant. Never owned by copy: `keepAlive` holds the mapping or tensor.
struct TensorData {
  DType dtype = DType::kNone;
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;    // in elements
  const std::byte *data = nullptr; // first element (storage offset applied); may be null when empty
  size_t extent = 0;               // readable bytes from `data`
  std::shared_ptr<const void> keepAlive;

  bool isContiguous() const; // dense row-major
  int64_t elementCount() const;
};
// Row-major bytes of any strided, expanded or offset tensor, i1 as one byte an element.
std::vector<std::byte> pack(const TensorData &tensor);
// Whether sizes and strides are sane and every element lies within `extent` bytes.
bool isInside(const TensorData &tensor);

struct InputSpec {
  enum class Kind { kUserInput, kParameter, kBuffer, kTensorConstant, kCustomObject, kToken, kConstant };
  Kind kind = Kind::kUserInput;
  std::string value;      // the placeholder's value name; kConstant: its name
  std::string target;     // FQN of the parameter, buffer or constant
  bool persistent = true; // kBuffer
  Argument constant;      // kConstant: a Python scalar baked in
};

struct OutputSpec {
  enum class Kind {
    kUserOutput,
    kBufferMutation,
    kUserInputMutation,
    kParameterMutation,
    kLoss,
    kGradient,
    kToken
  };
  Kind kind = Kind::kUserOutput;
  Argument value;
  std::string target; // mutated buffer's FQN, or mutated user input's placeholder name
};

struct ModuleCall { // module_call_graph: only what naming of inputs and outputs needs
  std::string fqn;
};

struct Program {
  Graph graph;
  std::vector<InputSpec> inputs;   // one per graph input, same order
  std::vector<OutputSpec> outputs; // one per graph output, same order
  // FQN -> bytes of the parameters, buffers and constants `inputs` names, and of no others.
  std::map<std::string, TensorData> constants;
  std::map<std::string, SymRange> ranges; // symbol -> range
  std::map<std::string, int64_t> opsetVersions;
  std::vector<ModuleCall> moduleCalls;
  std::string torchVersion; // that exported it: "2.13.0"
  std::string archive;      // the file it was read from, for messages; empty for a live one
};

// LADDER-0: any spelling of an op name to its canonical key. "torch.ops.aten.add.Tensor",
// "aten.add.Tensor" and "aten::add.Tensor" are one; "_operator.truediv", "math.trunc" and
// "torch.sym_float" lose their module; "aten::truediv" is "truediv".
std::string canonicalKey(std::string_view spelling);
// "aten" of "aten::add.Tensor"; empty for bare operators.
std::string_view keyNamespace(std::string_view key);
// "aten::add" of "aten::add.Tensor".
std::string_view keyWithoutOverload(std::string_view key);

// The source line worth showing: the innermost frame outside torch itself, or nullptr.
const SourceFrame *userFrame(const Node &node);
// A recorded path without the machine in it: relative to site-packages, or to `root` when under it,
// else its last two components.
std::string portablePath(std::string_view recorded, std::string_view root);

// "%x", "3", "[1, %s, None]": one argument for people and for dump(); equal text, equal argument, but for
// the bodies of subgraphs.
std::string toString(const Argument &argument);

// Throws Error(kInvalidInput) unless names resolve, specs match the graph, and metadata is sane.
void check(const Program &program);
// A line-by-line text of everything in the program but weight bytes; equal programs, equal text.
std::string dump(const Program &program);

} // namespace sixrung::graph
