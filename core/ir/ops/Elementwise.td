// One element out of one element each: arithmetic, comparison, logic, activations, cast, where, complex.
#ifndef SIXRUNG_COREAI_OPS_ELEMENTWISE_TD
#define SIXRUNG_COREAI_OPS_ELEMENTWISE_TD

include "ops/Inference.td"

//===-- Unary -----------------------------------------------------------------------------------===//
class CoreAI_UnaryOp<string mnemonic, list<Type> elements>
    : CoreAI_RuleOp<mnemonic, "sameAsFirst", [], "exactResults"> {
  let arguments = (ins CoreAI_TensorOf<elements>:$x);
  let results = (outs CoreAI_TensorOf<elements>:$output);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($output)";
}
def CoreAI_AbsOp : CoreAI_UnaryOp<"abs", CoreAI_FLT_INT>;
def CoreAI_AcosOp : CoreAI_UnaryOp<"acos", CoreAI_FLT>;
def CoreAI_AcoshOp : CoreAI_UnaryOp<"acosh", CoreAI_FLT>;
def CoreAI_AsinOp : CoreAI_UnaryOp<"asin", CoreAI_FLT>;
def CoreAI_AsinhOp : CoreAI_UnaryOp<"asinh", CoreAI_FLT>;
def CoreAI_AtanOp : CoreAI_UnaryOp<"atan", CoreAI_FLT>;
def CoreAI_AtanhOp : CoreAI_UnaryOp<"atanh", CoreAI_FLT>;
def CoreAI_CosOp : CoreAI_UnaryOp<"cos", CoreAI_FLT_CPX>;
def CoreAI_CoshOp : CoreAI_UnaryOp<"cosh", CoreAI_FLT_CPX>;
def CoreAI_ErfOp : CoreAI_UnaryOp<"erf", CoreAI_FLT>;
def CoreAI_ExpOp : CoreAI_UnaryOp<"exp", CoreAI_FLT_F8_CPX>;
def CoreAI_LogOp : CoreAI_UnaryOp<"log", CoreAI_FLT_CPX>;
def CoreAI_RoundOp : CoreAI_UnaryOp<"round", CoreAI_FLT_INT>;
def CoreAI_RsqrtOp : CoreAI_UnaryOp<"rsqrt", CoreAI_FLT>;
def CoreAI_SinOp : CoreAI_UnaryOp<"sin", CoreAI_FLT_CPX>;
def CoreAI_SinhOp : CoreAI_UnaryOp<"sinh", CoreAI_FLT_F8_CPX>;
def CoreAI_SqrtOp : CoreAI_UnaryOp<"sqrt", CoreAI_FLT>;
def CoreAI_TanOp : CoreAI_UnaryOp<"tan", CoreAI_FLT_CPX>;
def CoreAI_TanhOp : CoreAI_UnaryOp<"tanh", CoreAI_FLT>;

def CoreAI_NotOp : CoreAI_RuleOp<"not", "sameAsFirst", [], "exactResults"> {
  let arguments = (ins CoreAI_Bool:$x);
  let results = (outs CoreAI_Bool:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
}

//===-- Activations -----------------------------------------------------------------------------===//
class CoreAI_ActivationOp<string mnemonic, list<Type> elements, string compatible = "exactResults">
    : CoreAI_RuleOp<mnemonic, "sameAsFirst", [], compatible> {
  let arguments = (ins CoreAI_TensorOf<elements>:$input);
  let results = (outs CoreAI_TensorOf<elements>:$output);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
}
def CoreAI_ReluOp : CoreAI_ActivationOp<"relu", CoreAI_REAL>;
def CoreAI_SigmoidOp : CoreAI_ActivationOp<"sigmoid", CoreAI_FLT_F8_CPX, "compatibleResults">;
def CoreAI_SiluOp : CoreAI_ActivationOp<"silu", CoreAI_FLT_F8_CPX>;
def CoreAI_GeluOp : CoreAI_RuleOp<"gelu", "sameAsFirst"> {
  let arguments = (ins CoreAI_Flt:$input,
    DefaultValuedAttr<CoreAI_ApproximateAttr, "::sixrung::coreai::Approximate::None">:$approximate);
  let results = (outs CoreAI_Flt:$output);
  let assemblyFormat = [{
    $input (`approximate` `=` $approximate^)? attr-dict `:` type($input) `->` type($output)
  }];
}
def CoreAI_SoftmaxOp : CoreAI_RuleOp<"softmax", "alongAxis"> {
  let arguments = (ins CoreAI_FltF8:$input, CoreAI_Axis:$axis);
  let results = (outs CoreAI_FltF8:$output);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

//===-- Binary: operands of one type ------------------------------------------------------------===//
class CoreAI_BinaryOp<string mnemonic, list<Type> elements>
    : CoreAI_RuleOp<mnemonic, "sameType", [CoreAI_AlikeOperands], "exactResults"> {
  let arguments = (ins CoreAI_TensorOf<elements>:$x, CoreAI_TensorOf<elements>:$y);
  let results = (outs CoreAI_TensorOf<elements>:$output);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
def CoreAI_AddOp : CoreAI_BinaryOp<"add", CoreAI_REAL_CPX_BOOL>;
def CoreAI_AndOp : CoreAI_BinaryOp<"and", CoreAI_BOOL>;
def CoreAI_BitwiseAndOp : CoreAI_BinaryOp<"bitwise_and", CoreAI_INT_BOOL>;
def CoreAI_BitwiseOrOp : CoreAI_BinaryOp<"bitwise_or", CoreAI_INT_BOOL>;
def CoreAI_BitwiseXorOp : CoreAI_BinaryOp<"bitwise_xor", CoreAI_INT_BOOL>;
def CoreAI_DivideOp : CoreAI_BinaryOp<"divide", CoreAI_REAL_CPX>;
def CoreAI_FloorDivideOp : CoreAI_BinaryOp<"floor_divide", CoreAI_FLT_INT>;
def CoreAI_MaximumOp : CoreAI_BinaryOp<"maximum", CoreAI_REAL>;
def CoreAI_MinimumOp : CoreAI_BinaryOp<"minimum", CoreAI_REAL>;
def CoreAI_ModuloOp : CoreAI_BinaryOp<"modulo", CoreAI_FLT_INT>;
def CoreAI_MulOp : CoreAI_BinaryOp<"mul", CoreAI_REAL_CPX_BOOL>;
def CoreAI_OrOp : CoreAI_BinaryOp<"or", CoreAI_BOOL>;
def CoreAI_PowOp : CoreAI_BinaryOp<"pow", CoreAI_FLT_INT_CPX>;
def CoreAI_SubOp : CoreAI_BinaryOp<"sub", CoreAI_REAL_CPX>;
def CoreAI_XorOp : CoreAI_BinaryOp<"xor", CoreAI_BOOL>;

class CoreAI_CompareOp<string mnemonic, list<Type> elements>
    : CoreAI_RuleOp<mnemonic, "compareSameShape"> {
  let arguments = (ins CoreAI_TensorOf<elements>:$input, CoreAI_TensorOf<elements>:$other);
  let results = (outs CoreAI_Bool:$output);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
def CoreAI_EqualOp : CoreAI_CompareOp<"equal", CoreAI_FLT_INT_CPX_BOOL>;
def CoreAI_GreaterOp : CoreAI_CompareOp<"greater", CoreAI_REAL>;
def CoreAI_NotEqualOp : CoreAI_CompareOp<"not_equal", CoreAI_FLT_INT_CPX_BOOL>;

def CoreAI_WhereOp : CoreAI_RuleOp<"where", "whereSameShape", [CoreAI_AlikeOperands]> {
  let arguments = (ins CoreAI_Bool:$condition, CoreAI_Any:$a, CoreAI_Any:$b);
  let results = (outs CoreAI_Any:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

//===-- Cast and complex ------------------------------------------------------------------------===//
// The element type of the result is the whole point: whoever builds a cast names it.
def CoreAI_CastOp : CoreAI_PureOp<"cast"> {
  let arguments = (ins CoreAI_Any:$input);
  let results = (outs CoreAI_Any:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `to` type($output)";
  let hasVerifier = 1;
}

def CoreAI_CreateComplexOp : CoreAI_RuleOp<"create_complex", "createComplex", [], "exactResults"> {
  let arguments = (ins CoreAI_TensorOf<[F32]>:$real, CoreAI_TensorOf<[F32]>:$imaginary);
  let results = (outs CoreAI_TensorOf<CoreAI_CPX>:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
class CoreAI_ComplexPartOp<string mnemonic> : CoreAI_RuleOp<mnemonic, "complexPart", [], "exactResults"> {
  let arguments = (ins CoreAI_TensorOf<CoreAI_CPX>:$input);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
}
def CoreAI_RealPartOp : CoreAI_ComplexPartOp<"real_part"> {
  let results = (outs CoreAI_FltF8:$real);
}
def CoreAI_ImaginaryPartOp : CoreAI_ComplexPartOp<"imaginary_part"> {
  let results = (outs CoreAI_FltF8:$result);
}

#endif
