// NumPy-style broadcasting: the decomposable ops, which broadcast by themselves, and the explicit ones.
#ifndef SIXRUNG_COREAI_OPS_BROADCASTING_TD
#define SIXRUNG_COREAI_OPS_BROADCASTING_TD

include "ops/Inference.td"

class CoreAI_BroadcastingOp<string operation, string rule, list<Type> elements, list<Type> outElements>
    : CoreAI_RuleOp<"decomposable.broadcasting_" # operation, rule> {
  let arguments = (ins CoreAI_TensorOf<elements>:$input, CoreAI_TensorOf<elements>:$other);
  let results = (outs CoreAI_TensorOf<outElements>:$output);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
class CoreAI_BroadcastingBinaryOp<string operation, list<Type> elements>
    : CoreAI_BroadcastingOp<operation, "broadcasting", elements, elements>;
class CoreAI_BroadcastingCompareOp<string operation, list<Type> elements>
    : CoreAI_BroadcastingOp<operation, "compareBroadcasting", elements, CoreAI_BOOL>;

def CoreAI_BroadcastingAddOp : CoreAI_BroadcastingBinaryOp<"add", CoreAI_REAL_CPX_BOOL>;
def CoreAI_BroadcastingAndOp : CoreAI_BroadcastingBinaryOp<"and", CoreAI_BOOL>;
def CoreAI_BroadcastingBitwiseAndOp : CoreAI_BroadcastingBinaryOp<"bitwise_and", CoreAI_INT_BOOL>;
def CoreAI_BroadcastingBitwiseOrOp : CoreAI_BroadcastingBinaryOp<"bitwise_or", CoreAI_INT_BOOL>;
def CoreAI_BroadcastingBitwiseXorOp : CoreAI_BroadcastingBinaryOp<"bitwise_xor", CoreAI_INT_BOOL>;
def CoreAI_BroadcastingDivideOp : CoreAI_BroadcastingBinaryOp<"divide", CoreAI_REAL_CPX>;
def CoreAI_BroadcastingEqualOp : CoreAI_BroadcastingCompareOp<"equal", CoreAI_FLT_INT_CPX_BOOL>;
def CoreAI_BroadcastingFloorDivideOp : CoreAI_BroadcastingBinaryOp<"floor_divide", CoreAI_FLT_INT>;
def CoreAI_BroadcastingGreaterOp : CoreAI_BroadcastingCompareOp<"greater", CoreAI_FLT_INT>;
def CoreAI_BroadcastingMaximumOp : CoreAI_BroadcastingBinaryOp<"maximum", CoreAI_REAL>;
def CoreAI_BroadcastingMinimumOp : CoreAI_BroadcastingBinaryOp<"minimum", CoreAI_REAL>;
def CoreAI_BroadcastingModuloOp : CoreAI_BroadcastingBinaryOp<"modulo", CoreAI_FLT_INT>;
def CoreAI_BroadcastingMulOp : CoreAI_BroadcastingBinaryOp<"mul", CoreAI_REAL_CPX_BOOL>;
def CoreAI_BroadcastingNotEqualOp : CoreAI_BroadcastingCompareOp<"not_equal", CoreAI_FLT_INT_CPX_BOOL>;
def CoreAI_BroadcastingOrOp : CoreAI_BroadcastingBinaryOp<"or", CoreAI_BOOL>;
def CoreAI_BroadcastingPowOp : CoreAI_BroadcastingBinaryOp<"pow", CoreAI_FLT_INT>;
def CoreAI_BroadcastingSubOp : CoreAI_BroadcastingBinaryOp<"sub", CoreAI_REAL_CPX>;
def CoreAI_BroadcastingXorOp : CoreAI_BroadcastingBinaryOp<"xor", CoreAI_BOOL>;

def CoreAI_BroadcastingWhereOp
    : CoreAI_RuleOp<"decomposable.broadcasting_where", "whereBroadcasting"> {
  let arguments = (ins CoreAI_Bool:$condition, CoreAI_Any:$a, CoreAI_Any:$b);
  let results = (outs CoreAI_Any:$results_);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def CoreAI_BroadcastToOp : CoreAI_RuleOp<"broadcast_to", "broadcastTo"> {
  let arguments = (ins CoreAI_Any:$input, CoreAI_Shape:$shape);
  let results = (outs CoreAI_Any:$output);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
def CoreAI_BroadcastInDimsOp : CoreAI_RuleOp<"broadcast_in_dims", "broadcastInDims"> {
  let arguments = (ins CoreAI_Any:$input, CoreAI_Shape:$dim_sizes, CoreAI_Axes:$axes);
  let results = (outs CoreAI_Any:$output);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
def CoreAI_BroadcastShapesOp : CoreAI_RuleOp<"broadcast_shapes", "broadcastShapes"> {
  let arguments = (ins CoreAI_Shape:$shape_1, CoreAI_Shape:$shape_2);
  let results = (outs CoreAI_Shape:$output);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

#endif
