// Convolutions, channels first; padding is an op of its own except for the transposed ones.
#ifndef SIXRUNG_COREAI_OPS_CONVOLUTION_TD
#define SIXRUNG_COREAI_OPS_CONVOLUTION_TD

include "ops/Inference.td"

class CoreAI_ConvOp<string mnemonic, int spatial>
    : CoreAI_RuleOp<mnemonic, "conv" # spatial # "d"> {
  let arguments = (ins CoreAI_RankOf<CoreAI_FLT_F8_CPX, !add(spatial, 2)>:$input,
                       CoreAI_RankOf<CoreAI_FLT_F8_CPX, !add(spatial, 2)>:$weight,
                       CoreAI_VectorOf<CoreAI_UIDX, spatial>:$stride,
                       CoreAI_VectorOf<CoreAI_UIDX, spatial>:$dilation, CoreAI_UAxis:$groups);
  let results = (outs CoreAI_RankOf<CoreAI_FLT_F8_CPX, !add(spatial, 2)>:$output);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
def CoreAI_Conv2dOp : CoreAI_ConvOp<"conv2d", 2>;
def CoreAI_Conv3dOp : CoreAI_ConvOp<"conv3d", 3>;

class CoreAI_ConvTransposeOp<string mnemonic, int spatial>
    : CoreAI_RuleOp<mnemonic, "convTranspose" # spatial # "d"> {
  let arguments = (ins CoreAI_RankOf<CoreAI_FLT_F8_CPX, !add(spatial, 2)>:$input,
                       CoreAI_RankOf<CoreAI_FLT_F8_CPX, !add(spatial, 2)>:$weight,
                       CoreAI_VectorOf<CoreAI_UIDX, spatial>:$stride,
                       CoreAI_VectorOf<CoreAI_UIDX, spatial>:$padding,
                       CoreAI_VectorOf<CoreAI_UIDX, spatial>:$dilation,
                       CoreAI_VectorOf<CoreAI_UIDX, spatial>:$output_pad, CoreAI_UAxis:$groups);
  let results = (outs CoreAI_RankOf<CoreAI_FLT_F8_CPX, !add(spatial, 2)>:$output);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
def CoreAI_ConvTranspose2dOp : CoreAI_ConvTransposeOp<"conv_transpose2d", 2>;
def CoreAI_ConvTranspose3dOp : CoreAI_ConvTransposeOp<"conv_transpose3d", 3>;

#endif
