// Small constants and conversions the driver itself needs between two lowerings.
#include "core/lower/graph_lowering.hpp"
#include "core/lower/types.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sixrung::lower {

using graph::DType;

template <typename T>
static mlir::Value elements(ir::GraphBuilder &builder, mlir::RankedTensorType type,
                            llvm::ArrayRef<T> values) {
  return builder.constant(type, {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T)});
}

mlir::Value GraphLowering::indexConstant(llvm::ArrayRef<int32_t> values, bool scalar) {
  llvm::SmallVector<int64_t, 1> dims;
  if (!scalar)
    dims.push_back(static_cast<int64_t>(values.size()));
  return elements(*builder_, tensorType(context_, dims, DType::kSI32), values);
}

mlir::Value GraphLowering::scalarConstant(const graph::Argument &argument, bool rankOne) {
  llvm::SmallVector<int64_t, 1> dims;
  if (rankOne)
    dims.push_back(1);
  auto make = [&](DType dtype, auto value) {
    return elements(*builder_, tensorType(context_, dims, dtype), llvm::ArrayRef(&value, 1));
  };
  if (const bool *flag = std::get_if<bool>(&argument.value))
    return make(DType::kBool, static_cast<uint8_t>(*flag));
  if (const int64_t *number = std::get_if<int64_t>(&argument.value)) {
    bool fits =
        *number >= std::numeric_limits<int32_t>::min() && *number <= std::numeric_limits<int32_t>::max();
    if (fits && !options_.wideIo)
      return make(DType::kSI32, static_cast<int32_t>(*number));
    return make(DType::kSI64, *number);
  }
  if (const double *number = std::get_if<double>(&argument.value)) {
    if (options_.wideIo || (std::isfinite(*number) && !std::isfinite(static_cast<float>(*number))))
      return make(DType::kF64, *number);
    return make(DType::kF32, static_cast<float>(*number));
  }
  return {};
}

mlir::Value GraphLowering::conform(mlir::Value value, mlir::RankedTensorType type) {
  auto from = mlir::cast<mlir::RankedTensorType>(value.getType());
  if (from == type)
    return value;
  if (from.getElementType() != type.getElementType()) {
    mlir::Type cast = mlir::RankedTensorType::get(from.getShape(), type.getElementType());
    value = builder_->build("coreai.cast", {value}, {}, {cast}).front();
  }
  auto tooLong = [](int64_t dim) { return dim > std::numeric_limits<int32_t>::max(); };
  if (from.getShape() == type.getShape() || !type.hasStaticShape() || llvm::any_of(type.getShape(), tooLong))
    return value;
  llvm::SmallVector<int32_t> shape(type.getShape().begin(), type.getShape().end());
  return builder_->build("coreai.reshape", {value, indexConstant(shape)}, {}, {type}).front();
}

mlir::Value GraphLowering::toScalar(mlir::Value value) {
  auto type = mlir::cast<mlir::RankedTensorType>(value.getType());
  if (type.getRank() == 0)
    return value;
  // A symbolic input that is returned: the argument itself.
  if (mlir::Operation *maker = value.getDefiningOp();
      maker && maker->getName().getStringRef() == "coreai.expand_dims")
    if (auto from = mlir::dyn_cast<mlir::RankedTensorType>(maker->getOperand(0).getType());
        from && from.getRank() == 0)
      return maker->getOperand(0);
  mlir::Type scalar = mlir::RankedTensorType::get({}, type.getElementType());
  return builder_->build("coreai.shrink_dims", {value, indexConstant({0})}, {}, {scalar}).front();
}

mlir::Value GraphLowering::toRankOne(mlir::Value value) {
  auto type = mlir::cast<mlir::RankedTensorType>(value.getType());
  if (type.getRank() != 0)
    return value;
  mlir::Type rankOne = mlir::RankedTensorType::get({1}, type.getElementType());
  return builder_->build("coreai.expand_dims", {value, indexConstant({0})}, {}, {rankOne}).front();
}

} // namespace sixrung::lower
