// Reductions keep the reduced dims as 1; scans, sorts and searches keep the shape or count what they find.
#ifndef SIXRUNG_COREAI_OPS_REDUCTION_TD
#define SIXRUNG_COREAI_OPS_REDUCTION_TD

include "ops/Inference.td"

// Stored as a plain i32.
def CoreAI_ScanKind : I32EnumAttr<"ScanKind", "what a scan accumulates", [
  I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Product", 1, "product">,
  I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"Max", 3, "max">]> {
  let cppNamespace = "::sixrung::coreai";
}

class CoreAI_ReductionOp<string mnemonic, list<Type> elements> : CoreAI_RuleOp<mnemonic, "reduction"> {
  let arguments = (ins CoreAI_TensorOf<elements>:$input, CoreAI_Axes:$axes);
  let results = (outs CoreAI_TensorOf<elements>:$output);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
def CoreAI_ReduceMaxOp : CoreAI_ReductionOp<"reduce_max", CoreAI_REAL>;
def CoreAI_ReduceMeanOp : CoreAI_ReductionOp<"reduce_mean", CoreAI_FLT_F8>;
def CoreAI_ReduceMinOp : CoreAI_ReductionOp<"reduce_min", CoreAI_REAL>;
def CoreAI_ReduceProductOp : CoreAI_ReductionOp<"reduce_product", CoreAI_REAL>;
def CoreAI_ReduceSumOp : CoreAI_ReductionOp<"reduce_sum", CoreAI_REAL>;

class CoreAI_BoolReductionOp<string mnemonic> : CoreAI_RuleOp<mnemonic, "reduction"> {
  let arguments = (ins CoreAI_Bool:$input, CoreAI_Axes:$axes);
  let results = (outs CoreAI_Bool:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
def CoreAI_AllOp : CoreAI_BoolReductionOp<"all">;
def CoreAI_AnyOp : CoreAI_BoolReductionOp<"any">;

def CoreAI_ArgmaxOp : CoreAI_RuleOp<"argmax", "argmax", [], "compatibleIndexResults"> {
  let arguments = (ins CoreAI_Real:$input, CoreAI_RankOf<[SI32], 0>:$axis);
  let results = (outs CoreAI_TensorOf<CoreAI_UIDX>:$output); // ui32 unless given as ui16
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

class CoreAI_SortingOp<string mnemonic, string rule, list<Type> outElements, string compatible>
    : CoreAI_RuleOp<mnemonic, rule, [], compatible> {
  let arguments = (ins CoreAI_FltInt:$input, CoreAI_Axis:$dim, CoreAI_Flag:$descending,
                       CoreAI_Flag:$stable);
  let results = (outs CoreAI_TensorOf<outElements>:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
def CoreAI_SortOp : CoreAI_SortingOp<"sort", "alongAxis", CoreAI_FLT_INT, "compatibleResults">;
def CoreAI_ArgsortOp : CoreAI_SortingOp<"argsort", "argsort", [SI32], "exactResults">;

def CoreAI_ScanOp : CoreAI_RuleOp<"scan", "alongAxis"> {
  let arguments = (ins CoreAI_Real:$input, CoreAI_UAxis:$axis, CoreAI_Flag:$reverse,
                       CoreAI_ScanKind:$scan_op);
  let results = (outs CoreAI_Real:$result);
  let assemblyFormat = [{
    $input `,` $axis `,` $reverse `combiner` `=` ` ` `<` $scan_op `>` attr-dict `:`
    functional-type(operands, results)
  }];
}

def CoreAI_NonZeroOp : CoreAI_RuleOp<"non_zero", "nonZero", [], "countedIndexResults"> {
  let arguments = (ins CoreAI_TensorOf<!listconcat(CoreAI_REAL, CoreAI_BOOL)>:$input);
  let results = (outs CoreAI_RankOf<CoreAI_IDX, 2>:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
}

// A reduction spelled out by its region. Neither serialises nor runs: known so that it can be read.
def CoreAI_ReduceOp : CoreAI_RuleOp<"reduce", "reduction", [SingleBlock]> {
  let arguments = (ins CoreAI_Any:$input, CoreAI_Axes:$axes, CoreAI_Any:$init_value);
  let regions = (region SizedRegion<1>:$reduction);
  let results = (outs CoreAI_Any:$output);
  let assemblyFormat = [{
    $input `,` $axes `,` `init` $init_value $reduction attr-dict `:` functional-type(operands, results)
  }];
  let hasRegionVerifier = 1;
}
def CoreAI_ReduceIndexOp : CoreAI_RuleOp<"reduce_index", "reduceIndex", [SingleBlock]> {
  let arguments = (ins CoreAI_Any:$input, CoreAI_Axis:$axis, CoreAI_Any:$init_value,
                       CoreAI_Any:$init_index);
  let regions = (region SizedRegion<1>:$reduction);
  let results = (outs CoreAI_Any:$output);
  let assemblyFormat = [{
    $input `,` $axis `,` `init` $init_value `init_index` $init_index $reduction attr-dict `:`
    functional-type(operands, results)
  }];
  let hasRegionVerifier = 1;
}

#endif
