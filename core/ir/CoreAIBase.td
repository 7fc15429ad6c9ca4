// The coreai dialect: base classes, type constraints, enumerations, types and attributes.
#ifndef SIXRUNG_COREAI_BASE_TD
#define SIXRUNG_COREAI_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def CoreAI_Dialect : Dialect {
  let name = "coreai";
  let summary = "Core AI programs: graphs of tensor ops.";
  // Inside sixrung, so that no symbol clashes with another dialect of this name in one process.
  let cppNamespace = "::sixrung::coreai";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

class CoreAI_Op<string mnemonic, list<Trait> traits = []> : Op<CoreAI_Dialect, mnemonic, traits>;
// Without side effects: shared when equal, erased when unused.
class CoreAI_PureOp<string mnemonic, list<Trait> traits = []>
    : CoreAI_Op<mnemonic, !listconcat([Pure], traits)>;
// Result types follow from operands and attributes; inferReturnTypes is written in C++.
def CoreAI_Infers : DeclareOpInterfaceMethods<InferTypeOpInterface>;
class CoreAI_InferredOp<string mnemonic, list<Trait> traits = []>
    : CoreAI_PureOp<mnemonic, !listconcat([CoreAI_Infers], traits)>;

//===-- Element types ---------------------------------------------------------------------------===//
// Integers carry their sign; booleans are signless i1. f4E2M1FN and f8E8M0FNU are no types of MLIR 19.
defvar CoreAI_FLT = [BF16, F16, F32, F64];
defvar CoreAI_F8 = [F8E5M2, F8E4M3FN];
defvar CoreAI_INT = [SI8, SI16, SI32, SI64, UI8, UI16, UI32, UI64];
defvar CoreAI_SUB = [SI<2>, UI<2>, SI<4>, UI<4>];
defvar CoreAI_PACKED = [UI<1>, UI<2>, UI<3>, UI<4>, UI<6>]; // look-up table indices
defvar CoreAI_IDX = [SI16, SI32];                           // axes, bounds
defvar CoreAI_UIDX = [UI16, UI32];                          // shapes, permutations, window parameters
defvar CoreAI_BOOL = [I1];
defvar CoreAI_CPX = [Complex<F32>];
// Frequent unions.
defvar CoreAI_REAL = !listconcat(CoreAI_FLT, CoreAI_F8, CoreAI_INT);
defvar CoreAI_FLT_INT = !listconcat(CoreAI_FLT, CoreAI_INT);
defvar CoreAI_FLT_F8 = !listconcat(CoreAI_FLT, CoreAI_F8);
defvar CoreAI_FLT_CPX = !listconcat(CoreAI_FLT, CoreAI_CPX);
defvar CoreAI_FLT_F8_CPX = !listconcat(CoreAI_FLT_F8, CoreAI_CPX);
defvar CoreAI_REAL_CPX = !listconcat(CoreAI_REAL, CoreAI_CPX);
defvar CoreAI_REAL_CPX_BOOL = !listconcat(CoreAI_REAL_CPX, CoreAI_BOOL);
defvar CoreAI_FLT_INT_BOOL = !listconcat(CoreAI_FLT_INT, CoreAI_BOOL);
defvar CoreAI_FLT_INT_CPX = !listconcat(CoreAI_FLT_INT, CoreAI_CPX);
defvar CoreAI_FLT_INT_CPX_BOOL = !listconcat(CoreAI_FLT_INT_CPX, CoreAI_BOOL);
defvar CoreAI_INT_BOOL = !listconcat(CoreAI_INT, CoreAI_BOOL);
defvar CoreAI_ALL = !listconcat(CoreAI_REAL, CoreAI_SUB, CoreAI_CPX, CoreAI_BOOL);

//===-- Tensors ---------------------------------------------------------------------------------===//
class CoreAI_TensorOf<list<Type> elements> : RankedTensorOf<elements>;
class CoreAI_RankOf<list<Type> elements, int rank> : TensorRankOf<elements, [rank]>;
// Rank 0 or 1: parameters given per tensor or per channel.
class CoreAI_ScalarOrVectorOf<list<Type> elements> : TensorRankOf<elements, [0, 1]>;
// A vector of exactly `size` elements, where that is static.
class CoreAI_VectorOf<list<Type> elements, int size>
    : RankedTensorOf<elements,
                     [HasAnyRankOfPred<[1]>,
                      CPred<"::llvm::is_contained({int64_t(" # size # "), ::mlir::ShapedType::kDynamic}, "
                            "::llvm::cast<::mlir::ShapedType>($_self).getDimSize(0))">],
                     "1D tensor of size " # size>;

def CoreAI_Any : CoreAI_TensorOf<CoreAI_ALL>;                       // FLT+F8+INT+SUB+complex+i1
def CoreAI_Real : CoreAI_TensorOf<CoreAI_REAL>;                     // FLT+F8+INT
def CoreAI_Flt : CoreAI_TensorOf<CoreAI_FLT>;
def CoreAI_FltF8 : CoreAI_TensorOf<CoreAI_FLT_F8>;
def CoreAI_FltInt : CoreAI_TensorOf<CoreAI_FLT_INT>;
def CoreAI_Int : CoreAI_TensorOf<CoreAI_INT>;
def CoreAI_Bool : CoreAI_TensorOf<CoreAI_BOOL>;
def CoreAI_IndexTensor : CoreAI_TensorOf<CoreAI_IDX>;
def CoreAI_Axis : CoreAI_RankOf<CoreAI_IDX, 0>;                     // one axis
def CoreAI_Axes : CoreAI_RankOf<CoreAI_IDX, 1>;                     // axes or slice bounds
def CoreAI_UAxis : CoreAI_RankOf<CoreAI_UIDX, 0>;
def CoreAI_Shape : CoreAI_RankOf<CoreAI_UIDX, 1>;                   // a shape, a permutation
def CoreAI_AnyIndices : CoreAI_RankOf<!listconcat(CoreAI_IDX, CoreAI_UIDX), 1>; // reshape takes either
def CoreAI_Flag : CoreAI_RankOf<CoreAI_BOOL, 0>;

//===-- Types -----------------------------------------------------------------------------------===//
class CoreAI_Type<string name, string typeMnemonic> : TypeDef<CoreAI_Dialect, name> {
  let mnemonic = typeMnemonic;
}
def CoreAI_Token : CoreAI_Type<"Token", "token"> {
  let summary = "Orders the reads and writes of state.";
}
def CoreAI_Handle : CoreAI_Type<"Handle", "handle"> {
  let summary = "State held by the caller.";
  let parameters = (ins "::mlir::Type":$inner);
  let assemblyFormat = "`<` $inner `>`";
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$inner), [{
    return $_get(inner.getContext(), inner);
  }]>];
}

//===-- Enumerations ----------------------------------------------------------------------------===//
class CoreAI_Enum<string name, string description, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, description, cases> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::sixrung::coreai";
}
class CoreAI_EnumAttr<EnumAttrInfo info, string attrMnemonic> : EnumAttr<CoreAI_Dialect, info, attrMnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def CoreAI_Approximate : CoreAI_Enum<"Approximate", "form of gelu", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Tanh", 1, "tanh">,
  I32EnumAttrCase<"Sigmoid", 2, "sigmoid">]>;
def CoreAI_ApproximateAttr : CoreAI_EnumAttr<CoreAI_Approximate, "approximate">;

def CoreAI_PaddingMode : CoreAI_Enum<"PaddingMode", "what the margin holds", [
  I32EnumAttrCase<"Constant", 0, "constant">, I32EnumAttrCase<"Reflect", 1, "reflect">,
  I32EnumAttrCase<"Replicate", 2, "replicate">, I32EnumAttrCase<"Symmetric", 3, "symmetric">,
  I32EnumAttrCase<"Circular", 4, "circular">]>;
def CoreAI_PaddingModeAttr : CoreAI_EnumAttr<CoreAI_PaddingMode, "padding_mode">;

def CoreAI_InterpolationMode : CoreAI_Enum<"InterpolationMode", "how samples are drawn", [
  I32EnumAttrCase<"Linear", 0, "linear">, I32EnumAttrCase<"NearestNeighbor", 1, "nearest_neighbor">]>;
def CoreAI_InterpolationModeAttr : CoreAI_EnumAttr<CoreAI_InterpolationMode, "interpolation_mode">;

def CoreAI_ScatterMode : CoreAI_Enum<"ScatterMode", "how an update meets the old value", [
  I32EnumAttrCase<"Update", 0, "update">, I32EnumAttrCase<"Add", 1, "add">, I32EnumAttrCase<"Sub", 2, "sub">,
  I32EnumAttrCase<"Mul", 3, "mul">, I32EnumAttrCase<"Div", 4, "div">, I32EnumAttrCase<"Max", 5, "max">,
  I32EnumAttrCase<"Min", 6, "min">]>;
def CoreAI_ScatterModeAttr : CoreAI_EnumAttr<CoreAI_ScatterMode, "scatter_mode">;

//===-- Attributes ------------------------------------------------------------------------------===//
def CoreAI_CompositeDeclarationAttr : AttrDef<CoreAI_Dialect, "CompositeDeclaration"> {
  let mnemonic = "composite_declaration";
  let summary = "Which known operation a private graph spells out.";
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::DictionaryAttr":$declaration);
  let assemblyFormat = "`<` $name `=` $declaration `>`";
}

#endif
