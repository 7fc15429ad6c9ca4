// Sparse weights: the values that are not zero, and a bit for each element.
#ifndef SIXRUNG_COREAI_OPS_SPARSE_TD
#define SIXRUNG_COREAI_OPS_SPARSE_TD

include "ops/Inference.td"

def CoreAI_SparseScheme : CoreAI_Enum<"SparseScheme", "how a sparse tensor is stored", [
  I32EnumAttrCase<"Bitmask", 0, "bitmask">, I32EnumAttrCase<"Coo", 1, "coo">, I32EnumAttrCase<"Csr", 2, "csr">,
  I32EnumAttrCase<"Csc", 3, "csc">, I32EnumAttrCase<"Bsr", 4, "bsr">]>;

// The encoding of a tensor type.
def CoreAI_SparseTensorEncodingAttr : AttrDef<CoreAI_Dialect, "SparseTensorEncoding"> {
  let mnemonic = "sparse_tensor_encoding";
  let parameters = (ins EnumParameter<CoreAI_SparseScheme>:$scheme, "int64_t":$numNonZero,
                        "int64_t":$posWidth, "int64_t":$crdWidth);
  let assemblyFormat = "`<` $scheme `,` struct($numNonZero, $posWidth, $crdWidth) `>`";
  let genVerifyDecl = 1;
}

class CoreAI_SparseRuleOp<string mnemonic, string rule>
    : CoreAI_RuleOp<mnemonic, rule, [], "exactResults", "inferSparse">;

def CoreAI_BuildSparseWithBitmaskOp : CoreAI_SparseRuleOp<"build_sparse_with_bitmask", "buildSparse"> {
  let arguments = (ins CoreAI_RankOf<!listconcat(CoreAI_REAL, CoreAI_PACKED, CoreAI_BOOL), 1>:$values,
                       CoreAI_TensorOf<[UI<1>]>:$bitmask);
  let results = (outs CoreAI_TensorOf<!listconcat(CoreAI_REAL, CoreAI_PACKED, CoreAI_BOOL)>:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def CoreAI_SparseWithBitmaskToDenseOp
    : CoreAI_SparseRuleOp<"sparse_with_bitmask_to_dense", "sparseToDense"> {
  let arguments = (ins
    CoreAI_TensorOf<!listconcat(CoreAI_REAL, CoreAI_SUB, [UI<1>, UI<3>, UI<6>], CoreAI_BOOL)>:$input);
  let results = (outs
    CoreAI_TensorOf<!listconcat(CoreAI_REAL, CoreAI_SUB, [UI<1>, UI<3>, UI<6>], CoreAI_BOOL)>:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
}
def CoreAI_LutToSparseWithBitmaskOp
    : CoreAI_SparseRuleOp<"lut_to_sparse_with_bitmask", "lutToSparse"> {
  let arguments = (ins CoreAI_TensorOf<!listconcat(CoreAI_PACKED, [UI8])>:$indices, CoreAI_Real:$lut,
                       CoreAI_RankOf<[SI16], 0>:$axis);
  let results = (outs CoreAI_Real:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

#endif
