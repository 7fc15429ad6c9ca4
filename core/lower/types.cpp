#include "core/lower/types.hpp"

#include "core/graph/error.hpp"
#include "core/lower/boundary.hpp"

#include "mlir/AsmParser/AsmParser.h"
#include <fmt/format.h>

namespace sixrung::lower {

static_assert(SIXRUNG_DYNAMIC == mlir::ShapedType::kDynamic, "dims cross the boundary unchanged");

using graph::DType;

graph::DType valueDtype(DType dtype, bool wide) {
  return wide && dtype != DType::kComplex128 ? dtype : graph::narrowed(dtype);
}

bool dtypeFits(DType expected, DType actual) {
  return actual == expected || actual == graph::narrowed(expected);
}

static DType checkedDtype(uint32_t dtype) {
  if (dtype == SIXRUNG_DTYPE_NONE || dtype > SIXRUNG_F8E8M0FNU)
    throw failure(SIXRUNG_INVALID_ARGUMENT, fmt::format("{} is no element type", dtype));
  return static_cast<DType>(dtype);
}

mlir::RankedTensorType tensorType(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> dims, DType dtype) {
  mlir::Type element = ir::elementType(context, dtype);
  if (!element)
    throw Error(ErrorKind::kUnsupported,
                fmt::format("Core AI has no tensors of {}; cast to another type in the model",
                            graph::dtypeName(dtype)));
  return mlir::RankedTensorType::get(dims, element);
}

mlir::RankedTensorType tensorType(mlir::MLIRContext *context, const graph::TensorMeta &meta, DType dtype) {
  return tensorType(context, dimsOf(meta), dtype);
}

mlir::Type toMlirType(mlir::MLIRContext *context, const sixrung_type &type) {
  constexpr uint32_t kMostDims = 64; // far above any tensor, far below a rank never set
  if (type.kind == SIXRUNG_TYPE_TOKEN)
    return mlir::parseType("!coreai.token", context);
  if (type.kind != SIXRUNG_TYPE_TENSOR && type.kind != SIXRUNG_TYPE_HANDLE)
    throw failure(SIXRUNG_INVALID_ARGUMENT, fmt::format("{} is no kind of type", type.kind));
  if (type.rank > kMostDims || (type.rank != 0 && !type.dims))
    throw failure(SIXRUNG_INVALID_ARGUMENT, fmt::format("a type of rank {} without its dims", type.rank));
  llvm::ArrayRef<int64_t> dims(type.dims, type.rank);
  for (int64_t dim : dims)
    if (dim < 0 && dim != SIXRUNG_DYNAMIC)
      throw failure(SIXRUNG_INVALID_ARGUMENT,
                    fmt::format("a type has the dimension {}; give a size or SIXRUNG_DYNAMIC", dim));
  mlir::RankedTensorType tensor = tensorType(context, dims, checkedDtype(type.dtype));
  return type.kind == SIXRUNG_TYPE_HANDLE ? ir::handleType(tensor) : mlir::Type(tensor);
}

sixrung_type toAbiType(mlir::Type type) {
  sixrung_type out{};
  out.struct_size = sizeof(out);
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor) {
    // Handles and tokens by the printed form: only core/ir includes the dialect's C++ classes.
    std::string text = printed(type);
    constexpr std::string_view kHandle = "!coreai.handle<";
    out.kind = SIXRUNG_TYPE_TOKEN;
    if (text.compare(0, kHandle.size(), kHandle) != 0)
      return out;
    text = text.substr(kHandle.size(), text.size() - kHandle.size() - 1);
    out.kind = SIXRUNG_TYPE_HANDLE;
    tensor = mlir::dyn_cast_or_null<mlir::RankedTensorType>(mlir::parseType(text, type.getContext()));
    if (!tensor)
      return out;
  } else {
    out.kind = SIXRUNG_TYPE_TENSOR;
  }
  out.dtype = static_cast<uint32_t>(ir::dtypeOf(tensor.getElementType()).value_or(DType::kNone));
  out.rank = static_cast<uint32_t>(tensor.getRank());
  // The dims of an MLIR type live as long as its context: no copy.
  out.dims = tensor.getShape().data();
  return out;
}

llvm::SmallVector<int64_t> dimsOf(const graph::TensorMeta &meta) {
  llvm::SmallVector<int64_t> dims;
  dims.reserve(meta.sizes.size());
  for (const graph::SymInt &size : meta.sizes)
    dims.push_back(size.value.value_or(SIXRUNG_DYNAMIC));
  return dims;
}

std::string printed(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type.print(stream);
  return text;
}

std::string printed(DType dtype, llvm::ArrayRef<int64_t> dims) {
  std::string text(graph::dtypeName(dtype));
  text += '[';
  for (size_t i = 0; i < dims.size(); ++i)
    text += (i ? ", " : "") + (dims[i] == SIXRUNG_DYNAMIC ? std::string("?") : std::to_string(dims[i]));
  return text + ']';
}

} // namespace sixrung::lower
