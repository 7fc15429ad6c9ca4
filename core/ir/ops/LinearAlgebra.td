// Matrix products over the last two dims.
#ifndef SIXRUNG_COREAI_OPS_LINEARALGEBRA_TD
#define SIXRUNG_COREAI_OPS_LINEARALGEBRA_TD

include "ops/Inference.td"

class CoreAI_MatmulOp<string mnemonic, string rule> : CoreAI_RuleOp<mnemonic, rule> {
  let arguments = (ins CoreAI_TensorOf<CoreAI_REAL_CPX>:$x, CoreAI_TensorOf<CoreAI_REAL_CPX>:$y);
  let results = (outs CoreAI_TensorOf<CoreAI_REAL_CPX>:$output);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
def CoreAI_BatchMatmulOp : CoreAI_MatmulOp<"batch_matmul", "batchMatmul">;
def CoreAI_BroadcastingBatchMatmulOp
    : CoreAI_MatmulOp<"decomposable.broadcasting_batch_matmul", "broadcastingBatchMatmul">;

#endif
