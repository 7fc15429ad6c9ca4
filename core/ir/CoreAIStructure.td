// Graphs, constants, calls, control flow and state.
#ifndef SIXRUNG_COREAI_STRUCTURE_TD
#define SIXRUNG_COREAI_STRUCTURE_TD

include "CoreAIBase.td"

def CoreAI_ParamDecls : Attr<CPred<"::llvm::isa<::sixrung::param::DeclArrayAttr>($_self)">,
                             "declarations of parameters"> {
  let storageType = "::sixrung::param::DeclArrayAttr";
  let returnType = "::sixrung::param::DeclArrayAttr";
  let convertFromStorage = "$_self";
}
def CoreAI_Callee : Attr<CPred<"::llvm::isa<::sixrung::param::ConstantAttr>($_self)">, "name of a graph"> {
  let storageType = "::sixrung::param::ConstantAttr";
  let returnType = "::sixrung::param::ConstantAttr";
  let convertFromStorage = "$_self";
}

def CoreAI_GraphOp
    : CoreAI_Op<"graph", [IsolatedFromAbove, Symbol, SingleBlock, HasParent<"::mlir::ModuleOp">]> {
  let summary = "An entry point, or a private graph that others invoke.";
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
    CoreAI_ParamDecls:$param_decls, UnitAttr:$priv, UnitAttr:$externalize, UnitAttr:$no_inline,
    OptionalAttr<CoreAI_CompositeDeclarationAttr>:$composite_decl, OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$bodyRegion);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    // The coreai.name of argument or result `index`; empty when it has none.
    ::llvm::StringRef getArgumentName(unsigned index);
    ::llvm::StringRef getResultName(unsigned index);
  }];
}

def CoreAI_OutputOp : CoreAI_Op<"output", [Terminator, HasParent<"GraphOp">]> {
  let arguments = (ins Variadic<AnyType>:$operands_);
  let assemblyFormat = "attr-dict ($operands_^ `:` type($operands_))?";
  let hasVerifier = 1;
}

def CoreAI_ConstantOp : CoreAI_InferredOp<"constant", [ConstantLike]> {
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def CoreAI_InvokeOp : CoreAI_Op<"invoke", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Calls a graph of the module.";
  let arguments = (ins Variadic<AnyType>:$operands_, CoreAI_Callee:$callee,
    OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>:$result);
  let assemblyFormat = [{
    custom<Callee>($callee) `(` $operands_ `)` attr-dict `:` functional-type($operands_, results)
  }];
}

def CoreAI_IfOp : CoreAI_Op<"if", [RecursiveMemoryEffects, SingleBlock, NoRegionArguments]> {
  let arguments = (ins CoreAI_Flag:$condition);
  let results = (outs Variadic<AnyType>:$results_);
  let regions = (region SizedRegion<1>:$thenRegion, SizedRegion<1>:$elseRegion);
  let assemblyFormat = [{
    $condition $thenRegion `else` $elseRegion attr-dict `:` type($condition) `->`
    custom<Types>(type($results_))
  }];
  let hasVerifier = 1;
}

def CoreAI_WhileOp : CoreAI_Op<"while", [RecursiveMemoryEffects, SingleBlock]> {
  let summary = "Runs `before`, and while its condition holds, `after`.";
  let arguments = (ins Variadic<AnyType>:$inits);
  let results = (outs Variadic<AnyType>:$results_);
  let regions = (region SizedRegion<1>:$before, SizedRegion<1>:$after);
  let assemblyFormat = [{
    ($inits^)? $before `do` $after attr-dict `:` functional-type($inits, results)
  }];
  let hasVerifier = 1;
}

def CoreAI_ConditionOp : CoreAI_Op<"condition", [Terminator, Pure, HasParent<"WhileOp">]> {
  let arguments = (ins CoreAI_Flag:$condition, Variadic<AnyType>:$args);
  let assemblyFormat = [{
    $condition (`,` $args^)? attr-dict `:` `(` type($condition) (`,` type($args)^)? `)`
  }];
}

def CoreAI_YieldOp : CoreAI_Op<"yield", [Terminator, Pure]> {
  let arguments = (ins Variadic<AnyType>:$args);
  let assemblyFormat = "attr-dict ($args^ `:` type($args))?";
}

def CoreAI_CreateTokenOp : CoreAI_Op<"create_token"> {
  let results = (outs CoreAI_Token:$token);
  let assemblyFormat = "attr-dict `:` qualified(type($token))";
}

def CoreAI_ReadHandleOp : CoreAI_Op<"read_handle", [CoreAI_Infers]> {
  let summary = "The state's value after what the token stands for.";
  let arguments = (ins CoreAI_Handle:$handle, CoreAI_Token:$in_token);
  let results = (outs AnyRankedTensor:$output, CoreAI_Token:$out_token);
  let assemblyFormat = [{
    $handle `,` $in_token attr-dict `:` `(` type($handle) `,` qualified(type($in_token)) `)` `->`
    `(` type($output) `,` qualified(type($out_token)) `)`
  }];
}

def CoreAI_WriteHandleOp : CoreAI_Op<"write_handle"> {
  let arguments = (ins CoreAI_Handle:$handle, AnyRankedTensor:$data, CoreAI_Token:$in_token);
  let results = (outs CoreAI_Token:$out_token);
  let assemblyFormat = [{
    $handle `,` $data `,` $in_token attr-dict `:` `(` type($handle) `,` type($data) `,`
    qualified(type($in_token)) `)` `->` qualified(type($out_token))
  }];
  let hasVerifier = 1;
}

#endif
