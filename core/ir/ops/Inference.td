// Ops whose result types follow from their operands: one rule of core/ir/infer.hpp each.
#ifndef SIXRUNG_COREAI_OPS_INFERENCE_TD
#define SIXRUNG_COREAI_OPS_INFERENCE_TD

include "CoreAIBase.td"

def CoreAI_AlikeOperands : NativeOpTrait<"AlikeOperands"> {
  let cppNamespace = "::sixrung::ir";
}

// The verifier of InferTypeOpInterface applies `rule` again and refuses results that disagree with
// it. A result may know more or fewer dims than inference proves: only a contradiction is an error
// (`compatibleResults`), except for the ops of which Core AI takes the inferred type and no other
// (`exactResults`). Element types are those Core AI saves: its parser takes a few more.
class CoreAI_RuleOp<string mnemonic, string rule, list<Trait> traits = [],
                    string compatible = "compatibleResults", string entry = "infer">
    : CoreAI_PureOp<mnemonic, !listconcat([CoreAI_Infers], traits)> {
  let extraClassDeclaration = [{
    static bool isCompatibleReturnTypes(::mlir::TypeRange inferred, ::mlir::TypeRange given);
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, ::std::optional<::mlir::Location> location, ::mlir::ValueRange operands,
        ::mlir::DictionaryAttr, ::mlir::OpaqueProperties, ::mlir::RegionRange,
        ::llvm::SmallVectorImpl<::mlir::Type> &results) {
      return ::sixrung::ir::}] # entry # [{(getOperationName(), ::sixrung::ir::operandCountOf<$cppClass>(), location,
                                  operands, ::sixrung::ir::rules::}] # rule # [{, results);
    }
    bool $cppClass::isCompatibleReturnTypes(::mlir::TypeRange inferred, ::mlir::TypeRange given) {
      return ::sixrung::ir::}] # compatible # [{(inferred, given);
    }
  }];
}

#endif
