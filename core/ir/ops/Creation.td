// Tensors from scalars.
#ifndef SIXRUNG_COREAI_OPS_CREATION_TD
#define SIXRUNG_COREAI_OPS_CREATION_TD

include "ops/Inference.td"

def CoreAI_RangeOp : CoreAI_RuleOp<"range", "range"> {
  let arguments = (ins CoreAI_RankOf<CoreAI_FLT_INT, 0>:$start, CoreAI_RankOf<CoreAI_FLT_INT, 0>:$stop,
                       CoreAI_RankOf<CoreAI_FLT_INT, 0>:$step);
  let results = (outs CoreAI_RankOf<CoreAI_FLT_INT, 1>:$output);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

#endif
