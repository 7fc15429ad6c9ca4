// What inference cannot say: attributes, regions, and ops whose results their builder names.
#include "core/ir/dialect.hpp"
#include "core/ir/infer.hpp"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace sixrung::coreai {

LogicalResult CastOp::verify() {
  if (cast<RankedTensorType>(getInput().getType()).getEncoding() ||
      cast<RankedTensorType>(getOutput().getType()).getEncoding())
    return emitOpError("takes dense tensors");
  auto from = cast<RankedTensorType>(getInput().getType()),
       to = cast<RankedTensorType>(getOutput().getType());
  if (failed(verifyCompatibleShape(from.getShape(), to.getShape())))
    return emitOpError() << "keeps the shape; it cannot turn " << from << " into " << to;
  return success();
}

// The margin is made of the input, so it cannot be longer than what the input offers.
LogicalResult PadOp::verify() {
  PaddingMode mode = getPaddingMode();
  if (mode == PaddingMode::Constant)
    return success();
  if (!getPaddingValue().getDefiningOp<ConstantOp>()) // of no use, yet Core AI asks for it
    return emitOpError() << "needs a constant padding value in mode " << stringifyPaddingMode(mode);
  if (mode == PaddingMode::Replicate)
    return success();
  std::optional<ir::Integers> padding = ir::knownIntegers(getPadding());
  if (!padding)
    return success();
  int64_t spare = mode == PaddingMode::Reflect ? 1 : 0; // reflect leaves out the edge itself
  for (auto [i, dim] : llvm::enumerate(cast<RankedTensorType>(getInput().getType()).getShape()))
    for (size_t side = 2 * i; dim != ir::kUnknown && side < 2 * i + 2 && side < padding->size(); ++side)
      if ((*padding)[side] && *(*padding)[side] > std::max<int64_t>(dim - spare, 0))
        return emitOpError() << "cannot " << stringifyPaddingMode(mode) << " " << *(*padding)[side]
                             << " elements out of dim " << i << " of size " << dim;
  return success();
}

static bool isZero(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant)
    return false;
  if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
    return llvm::all_of(dense.getValues<APFloat>(), [](const APFloat &number) { return number.isZero(); });
  auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
  AsmResourceBlob *blob = resource ? resource.getRawHandle().getBlob() : nullptr;
  return blob && llvm::all_of(blob->getData(), [](char byte) { return byte == 0; });
}

// Eight-bit floats are scaled only, and not by one of their own kind.
LogicalResult BlockwiseShiftScaleOp::verify() {
  Type data = getElementTypeOrSelf(getData()), scale = getElementTypeOrSelf(getScale());
  if (!isa<Float8E5M2Type, Float8E4M3FNType>(data))
    return success();
  if (!scale.isF32() && !scale.isF16() && !scale.isBF16())
    return emitOpError() << "scales " << data << " by f32, f16 or bf16, not by " << scale;
  if (!isZero(getOffset1()))
    return emitOpError() << "needs a constant zero as offset1 for " << data;
  return success();
}

LogicalResult SparseTensorEncodingAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                                               SparseScheme scheme, int64_t numNonZero, int64_t posWidth,
                                               int64_t crdWidth) {
  if (numNonZero < 0)
    return emitError() << "cannot hold " << numNonZero << " values";
  if (scheme == SparseScheme::Bitmask && (posWidth != 1 || crdWidth != 1))
    return emitError() << "a bitmask has positions and coordinates of one bit";
  return success();
}

// Where the mask is known, it has a bit for each value.
LogicalResult BuildSparseWithBitmaskOp::verify() {
  auto mask = getBitmask().getDefiningOp<ConstantOp>();
  auto dense = mask ? dyn_cast<DenseElementsAttr>(mask.getValue()) : DenseElementsAttr();
  if (!dense)
    return success();
  int64_t bits = llvm::count_if(dense.getValues<APInt>(), [](const APInt &bit) { return !bit.isZero(); });
  int64_t values = cast<RankedTensorType>(getValues().getType()).getDimSize(0);
  if (bits != values)
    return emitOpError() << "has " << values << " values for a mask of " << bits << " bits";
  return success();
}

// A region's arguments must be scalars of the given element types, and what it yields as well.
static LogicalResult verifyScalars(Operation *op, Region &region, TypeRange arguments, TypeRange yielded) {
  if (region.empty())
    return op->emitOpError("needs a region of one block");
  Block &block = region.front();
  if (block.getArgumentTypes() != arguments)
    return op->emitOpError() << "has a region of arguments (" << block.getArgumentTypes() << "), not ("
                             << arguments << ")";
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  if (!yield)
    return op->emitOpError("has a region that does not end in coreai.yield");
  if (yield.getOperandTypes() != yielded)
    return op->emitOpError() << "has a region that yields (" << yield.getOperandTypes() << "), not ("
                             << yielded << ")";
  return success();
}

static Type scalarOf(Value value) {
  return RankedTensorType::get({}, cast<RankedTensorType>(value.getType()).getElementType());
}

LogicalResult ReduceOp::verifyRegions() {
  Type element = scalarOf(getInput());
  return verifyScalars(*this, getReduction(), {element, element}, {element});
}

LogicalResult ReduceIndexOp::verifyRegions() {
  Type element = scalarOf(getInput()), index = scalarOf(getInitIndex());
  return verifyScalars(*this, getReduction(), {element, index, element, index}, {element, index});
}

LogicalResult ScatterNdOp::verifyRegions() {
  Type element = scalarOf(getInput());
  if (failed(verifyScalars(*this, getUpdateFn(), {element, element}, {element})))
    return failure();
  Block &block = getUpdateFn().front();
  if (block.without_terminator().empty() && block.getTerminator()->getOperand(0) == block.getArgument(1))
    return success();
  return emitOpError("has a region that computes; it may only yield its second argument");
}

// Constant sections tell the results; otherwise they are taken as given.
LogicalResult SplitOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, ValueRange operands,
                                        DictionaryAttr, OpaqueProperties, RegionRange,
                                        SmallVectorImpl<Type> &results) {
  return ir::infer(getOperationName(), 3, location, operands, ir::rules::split, results);
}

bool SplitOp::isCompatibleReturnTypes(TypeRange inferred, TypeRange given) {
  return ir::compatibleResults(inferred, given);
}

LogicalResult SplitOp::refineReturnTypes(MLIRContext *, std::optional<Location> location, ValueRange operands,
                                         DictionaryAttr, OpaqueProperties, RegionRange,
                                         SmallVectorImpl<Type> &given) {
  return ir::verifySplit(getOperationName(), location, operands, given);
}

} // namespace sixrung::coreai
