// Ops that move elements without computing on them.
#ifndef SIXRUNG_COREAI_OPS_SHAPE_TD
#define SIXRUNG_COREAI_OPS_SHAPE_TD

include "ops/Inference.td"

class CoreAI_ShapeOp<string mnemonic, string rule> : CoreAI_RuleOp<mnemonic, rule> {
  let results = (outs CoreAI_Any:$output);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
def CoreAI_ReshapeOp : CoreAI_ShapeOp<"reshape", "reshape"> {
  let arguments = (ins CoreAI_Any:$input, CoreAI_AnyIndices:$new_shape);
}
def CoreAI_TransposeOp : CoreAI_ShapeOp<"transpose", "transpose"> {
  let arguments = (ins CoreAI_Any:$input, CoreAI_Shape:$permutation);
}
def CoreAI_SliceOp : CoreAI_ShapeOp<"slice", "slice"> {
  let arguments = (ins CoreAI_Any:$input, CoreAI_Axes:$start_indices, CoreAI_Axes:$end_indices,
                       CoreAI_Axes:$strides);
}
def CoreAI_TileOp : CoreAI_RuleOp<"tile", "tile"> {
  let arguments = (ins CoreAI_TensorOf<CoreAI_REAL_CPX_BOOL>:$input, CoreAI_RankOf<[UI32], 1>:$dims);
  let results = (outs CoreAI_TensorOf<CoreAI_REAL_CPX_BOOL>:$output);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
def CoreAI_ReverseOp : CoreAI_RuleOp<"reverse", "reverse"> {
  let arguments = (ins CoreAI_Any:$input, CoreAI_Axes:$dims);
  let results = (outs CoreAI_Any:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

class CoreAI_DimsOp<string mnemonic, string rule, string compatible>
    : CoreAI_RuleOp<mnemonic, rule, [], compatible> {
  let arguments = (ins CoreAI_Any:$input, CoreAI_Axes:$axes);
  let results = (outs CoreAI_Any:$output);
  let assemblyFormat = [{
    operands attr-dict `:` `(` type($input) `,` type($axes) `)` `to` type($output)
  }];
}
def CoreAI_ExpandDimsOp : CoreAI_DimsOp<"expand_dims", "expandDims", "compatibleResults">;
def CoreAI_ShrinkDimsOp : CoreAI_DimsOp<"shrink_dims", "shrinkDims", "exactResults">;

def CoreAI_SliceUpdateOp : CoreAI_RuleOp<"slice_update", "sliceUpdate"> {
  let arguments = (ins CoreAI_Any:$input, CoreAI_Axes:$start_indices, CoreAI_Axes:$end_indices,
                       CoreAI_Axes:$strides, CoreAI_Any:$update);
  let results = (outs CoreAI_Any:$output);
  let assemblyFormat = [{
    $input `with` $update `at` ` ` `(` $start_indices `,` $end_indices `,` $strides `)` attr-dict `:`
    `(` type($input) `,` type($update) `,` type($start_indices) `,` type($end_indices) `,`
    type($strides) `)` `to` type($output)
  }];
}

def CoreAI_ConcatOp : CoreAI_RuleOp<"concat", "concat", [CoreAI_AlikeOperands], "exactResults"> {
  let arguments = (ins CoreAI_Axis:$dimension, Variadic<CoreAI_Any>:$inputs);
  let results = (outs CoreAI_Any:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
// How many results there are follows from constant sections; otherwise they are taken as given.
def CoreAI_SplitOp : CoreAI_PureOp<"split", [DeclareOpInterfaceMethods<InferTypeOpInterface,
                                                                       ["refineReturnTypes"]>]> {
  let arguments = (ins CoreAI_Any:$input, CoreAI_ScalarOrVectorOf<CoreAI_UIDX>:$split_size_or_sections,
                       CoreAI_Axis:$dim);
  let results = (outs Variadic<CoreAI_Any>:$results_);
  let extraClassDeclaration = [{
    static bool isCompatibleReturnTypes(::mlir::TypeRange inferred, ::mlir::TypeRange given);
  }];
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def CoreAI_PadOp : CoreAI_RuleOp<"pad", "pad"> {
  let arguments = (ins CoreAI_TensorOf<CoreAI_REAL_CPX_BOOL>:$input, CoreAI_Shape:$padding,
                       CoreAI_RankOf<CoreAI_REAL_CPX_BOOL, 0>:$padding_value,
                       CoreAI_PaddingModeAttr:$padding_mode);
  let results = (outs CoreAI_TensorOf<CoreAI_REAL_CPX_BOOL>:$result);
  let assemblyFormat = [{
    $input `,` $padding `,` $padding_value `mode` `=` $padding_mode attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def CoreAI_GetShapeOp : CoreAI_RuleOp<"get_shape", "getShape", [], "exactResults"> {
  let arguments = (ins CoreAI_Any:$input);
  let results = (outs CoreAI_Shape:$shape);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($shape)";
}

#endif
