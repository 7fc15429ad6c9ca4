// The corner of the param dialect that graphs and calls need: no ops, two attributes, one type.
#ifndef SIXRUNG_PARAM_TD
#define SIXRUNG_PARAM_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/DialectBase.td"

def Param_Dialect : Dialect {
  let name = "param";
  let summary = "Parameters of graphs; always empty here, and names of callees.";
  let cppNamespace = "::sixrung::param";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

def Param_SymbolType : TypeDef<Param_Dialect, "Symbol"> {
  let mnemonic = "symbol";
}

def Param_DeclArrayAttr : AttrDef<Param_Dialect, "DeclArray"> {
  let mnemonic = "decl.array";
  let summary = "The declarations of a graph: `#param.decl.array<[]>`.";
  let assemblyFormat = "`<` `[` `]` `>`";
}

def Param_ConstantAttr : AttrDef<Param_Dialect, "Constant", [TypedAttrInterface]> {
  let mnemonic = "constant";
  let summary = "A known parameter: `#param.constant<@callee> : !param.symbol`.";
  let parameters = (ins AttributeSelfTypeParameter<"">:$type, "::mlir::FlatSymbolRefAttr":$symbol);
  let builders = [AttrBuilderWithInferredContext<(ins "::mlir::FlatSymbolRefAttr":$symbol), [{
    return $_get(symbol.getContext(), SymbolType::get(symbol.getContext()), symbol);
  }]>];
  let assemblyFormat = "`<` $symbol `>`";
  let genVerifyDecl = 1;
}

#endif
