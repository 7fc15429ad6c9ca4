// Quantization, look-up tables and their statistics.
#ifndef SIXRUNG_COREAI_OPS_QUANTIZATION_TD
#define SIXRUNG_COREAI_OPS_QUANTIZATION_TD

include "ops/Inference.td"

defvar CoreAI_Q_WIDE = [BF16, F16, F32];
defvar CoreAI_Q_NARROW = !listconcat(CoreAI_F8, [SI<4>, UI<4>, SI8, UI8]);
defvar CoreAI_Q_INPUT = !listconcat(CoreAI_Q_WIDE, CoreAI_SUB, [SI16, UI16]);

def CoreAI_QuantizeOp : CoreAI_RuleOp<"quantize", "quantize"> {
  let arguments = (ins CoreAI_TensorOf<CoreAI_Q_INPUT>:$input,
                       CoreAI_ScalarOrVectorOf<!listconcat(CoreAI_F8, CoreAI_Q_WIDE)>:$scale,
                       CoreAI_ScalarOrVectorOf<CoreAI_Q_NARROW>:$offset1,
                       CoreAI_ScalarOrVectorOf<CoreAI_Q_INPUT>:$offset2,
                       CoreAI_ScalarOrVectorOf<CoreAI_IDX>:$axis);
  let results = (outs CoreAI_TensorOf<CoreAI_Q_NARROW>:$output);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
def CoreAI_DequantizeOp : CoreAI_RuleOp<"dequantize", "dequantize"> {
  let arguments = (ins CoreAI_TensorOf<CoreAI_Q_NARROW>:$input,
                       CoreAI_ScalarOrVectorOf<CoreAI_Q_WIDE>:$scale,
                       CoreAI_ScalarOrVectorOf<CoreAI_Q_NARROW>:$offset1,
                       CoreAI_ScalarOrVectorOf<CoreAI_Q_WIDE>:$offset2,
                       CoreAI_ScalarOrVectorOf<CoreAI_IDX>:$axis);
  let results = (outs CoreAI_TensorOf<CoreAI_Q_WIDE>:$output);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def CoreAI_BlockwiseShiftScaleOp : CoreAI_RuleOp<"blockwise_shift_scale", "blockwiseShiftScale"> {
  let arguments = (ins
    CoreAI_TensorOf<!listconcat(CoreAI_F8, CoreAI_SUB, [SI8, SI16, UI8, UI16], CoreAI_Q_WIDE)>:$data,
    CoreAI_FltF8:$scale,
    CoreAI_TensorOf<!listconcat(CoreAI_REAL, CoreAI_SUB)>:$offset1,
    CoreAI_TensorOf<CoreAI_Q_WIDE>:$offset2);
  let results = (outs CoreAI_TensorOf<CoreAI_Q_WIDE>:$output);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def CoreAI_LutToDenseOp : CoreAI_RuleOp<"lut_to_dense", "lutToDense", [], "exactResults"> {
  let arguments = (ins CoreAI_TensorOf<!listconcat(CoreAI_PACKED, [UI8])>:$indices, CoreAI_Real:$lut,
                       CoreAI_RankOf<[SI16], 0>:$axis);
  let results = (outs CoreAI_Real:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

class CoreAI_StatisticsOp<string mnemonic, string rule, list<Type> elements>
    : CoreAI_RuleOp<mnemonic, rule> {
  let arguments = (ins CoreAI_TensorOf<elements>:$input,
                       CoreAI_RankOf<!listconcat(elements, [SI<4>, UI<4>]), 1>:$range, CoreAI_Axis:$axis);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
def CoreAI_SymmetricQuantizationStatisticsOp
    : CoreAI_StatisticsOp<"symmetric_quantization_statistics", "symmetricStatistics", CoreAI_FLT_INT> {
  let results = (outs CoreAI_RankOf<CoreAI_FLT_INT, 1>:$scale);
}
def CoreAI_AsymmetricQuantizationStatisticsOp
    : CoreAI_StatisticsOp<"asymmetric_quantization_statistics", "asymmetricStatistics", CoreAI_REAL> {
  let results = (outs CoreAI_RankOf<CoreAI_REAL, 1>:$scale,
                      CoreAI_RankOf<!listconcat(CoreAI_REAL, [SI<4>, UI<4>]), 1>:$zero_point);
}

#endif
