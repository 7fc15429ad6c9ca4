// Resampling.
#ifndef SIXRUNG_COREAI_OPS_IMAGE_TD
#define SIXRUNG_COREAI_OPS_IMAGE_TD

include "ops/Inference.td"

def CoreAI_InterpolateOp : CoreAI_RuleOp<"interpolate", "interpolate"> {
  let arguments = (ins CoreAI_Real:$input, CoreAI_Axes:$output_shape, CoreAI_RankOf<[F32], 1>:$scale,
                       CoreAI_RankOf<[F32], 1>:$offset, CoreAI_InterpolationModeAttr:$interpolation_mode);
  let results = (outs CoreAI_Real:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
def CoreAI_InterpolateCoordinatesOp
    : CoreAI_RuleOp<"interpolate_coordinates", "interpolateCoordinates"> {
  let arguments = (ins CoreAI_Real:$input, CoreAI_RankOf<[F32], 2>:$coords,
                       CoreAI_InterpolationModeAttr:$interpolation_mode);
  let results = (outs CoreAI_RankOf<CoreAI_REAL, 1>:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

#endif
