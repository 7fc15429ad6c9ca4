// Pools over the spatial dims of [N, C, spatial...]; padding is an op of its own.
#ifndef SIXRUNG_COREAI_OPS_POOLING_TD
#define SIXRUNG_COREAI_OPS_POOLING_TD

include "ops/Inference.td"

class CoreAI_MaxPoolOp<string mnemonic, int spatial>
    : CoreAI_RuleOp<mnemonic, "maxPool" # spatial # "d"> {
  let arguments = (ins CoreAI_RankOf<CoreAI_REAL, !add(spatial, 2)>:$input,
                       CoreAI_VectorOf<CoreAI_UIDX, spatial>:$kernel_size,
                       CoreAI_VectorOf<CoreAI_UIDX, spatial>:$stride,
                       CoreAI_VectorOf<CoreAI_UIDX, spatial>:$dilation, CoreAI_Flag:$ceil_mode);
  let results = (outs CoreAI_RankOf<CoreAI_REAL, !add(spatial, 2)>:$output);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
def CoreAI_MaxPool2dOp : CoreAI_MaxPoolOp<"max_pool_2d", 2>;
def CoreAI_MaxPool3dOp : CoreAI_MaxPoolOp<"max_pool_3d", 3>;

class CoreAI_SumPoolOp<string mnemonic, int spatial>
    : CoreAI_RuleOp<mnemonic, "sumPool" # spatial # "d"> {
  let arguments = (ins CoreAI_RankOf<CoreAI_REAL, !add(spatial, 2)>:$input,
                       CoreAI_VectorOf<CoreAI_UIDX, spatial>:$kernel_size,
                       CoreAI_VectorOf<CoreAI_UIDX, spatial>:$strides,
                       CoreAI_VectorOf<CoreAI_UIDX, spatial>:$dilation);
  let results = (outs CoreAI_RankOf<CoreAI_REAL, !add(spatial, 2)>:$output);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
def CoreAI_SumPool2dOp : CoreAI_SumPoolOp<"sum_pool_2d", 2>;
def CoreAI_SumPool3dOp : CoreAI_SumPoolOp<"sum_pool_3d", 3>;

#endif
