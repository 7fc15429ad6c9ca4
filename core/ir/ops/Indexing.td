// Gathers and scatters.
#ifndef SIXRUNG_COREAI_OPS_INDEXING_TD
#define SIXRUNG_COREAI_OPS_INDEXING_TD

include "ops/Inference.td"

def CoreAI_Indexable : CoreAI_TensorOf<!listconcat(CoreAI_REAL, CoreAI_SUB, CoreAI_BOOL)>;

def CoreAI_GatherNdOp : CoreAI_RuleOp<"gather_nd", "gatherNd", [], "exactResults"> {
  let arguments = (ins CoreAI_Any:$input, CoreAI_IndexTensor:$indices);
  let results = (outs CoreAI_Any:$output);
  let assemblyFormat = [{
    $input `at` $indices attr-dict `:` `(` type($input) `,` type($indices) `)` `to` type($output)
  }];
}
def CoreAI_GatherAlongAxisOp : CoreAI_RuleOp<"gather_along_axis", "gatherAlongAxis"> {
  let arguments = (ins CoreAI_Indexable:$input, CoreAI_IndexTensor:$indices, CoreAI_Axis:$axis);
  let results = (outs CoreAI_Indexable:$output);
  let assemblyFormat = [{
    $input `at` $indices `along` $axis attr-dict `:`
    `(` type($input) `,` type($indices) `,` type($axis) `)` `to` type($output)
  }];
}
def CoreAI_ScatterAlongAxisOp : CoreAI_RuleOp<"scatter_along_axis", "scatterAlongAxis"> {
  let arguments = (ins CoreAI_Indexable:$input, CoreAI_IndexTensor:$indices, CoreAI_Indexable:$updates,
    CoreAI_Axis:$axis,
    DefaultValuedAttr<CoreAI_ScatterModeAttr, "::sixrung::coreai::ScatterMode::Update">:$scatter_mode);
  let results = (outs CoreAI_Indexable:$output);
  let assemblyFormat = [{
    $input `,` $indices `,` $updates `,` $axis (`scatter_mode` `=` $scatter_mode^)? attr-dict `:`
    functional-type(operands, results)
  }];
}
// The region joins the old and the new element; only one that yields the new one is legal.
def CoreAI_ScatterNdOp : CoreAI_RuleOp<"scatter_nd", "scatterNd", [SingleBlock]> {
  let arguments = (ins CoreAI_Any:$input, CoreAI_IndexTensor:$indices, CoreAI_Any:$updates);
  let regions = (region SizedRegion<1>:$update_fn);
  let results = (outs CoreAI_Any:$output);
  let assemblyFormat = [{
    $input `with` $updates `at` $indices $update_fn attr-dict `:`
    `(` type($input) `,` type($updates) `,` type($indices) `)` `to` type($output)
  }];
  let hasRegionVerifier = 1;
}

#endif
