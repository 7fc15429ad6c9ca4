// Convolutions, pools and resampling: windows sliding over the dims after batch and channels.
#include "core/ir/infer.hpp"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace sixrung::ir::rules {
namespace {

// A window parameter of each spatial dim; unknown ones are nullopt.
FailureOr<Integers> parameters(Inference &op, unsigned operand, int64_t spatial, int64_t least,
                               llvm::StringRef role) {
  std::optional<Integers> values = op.integers(operand);
  if (!values)
    return Integers(spatial);
  if (int64_t(values->size()) != spatial)
    return op.reject("the " + role + " has " + llvm::Twine(values->size()) + " entries, not " +
                     llvm::Twine(spatial));
  for (const std::optional<int64_t> &value : *values)
    if (value && *value < least)
      return op.reject("the " + role + " must be at least " + llvm::Twine(least) + ", not " +
                       llvm::Twine(*value));
  return *values;
}

// Places a dilated kernel finds in `size`, stepping by `stride`.
FailureOr<int64_t> places(Inference &op, int64_t size, std::optional<int64_t> kernel,
                          std::optional<int64_t> stride, std::optional<int64_t> dilation, bool ceil) {
  if (size == kUnknown || !kernel || !stride || !dilation)
    return kUnknown;
  if (*kernel < 1)
    return op.reject("the window is empty");
  int64_t extent = saturated(Wide(*kernel - 1) * *dilation + 1), room = size - extent;
  if (room < 0)
    return op.reject("the window takes " + llvm::Twine(extent) + " elements of a dim of " +
                     llvm::Twine(size));
  return room / *stride + (ceil && room % *stride != 0) + 1;
}

LogicalResult wantSpatial(Inference &op, int64_t spatial) {
  return failure(failed(op.wantRank(0, spatial + 2, "input")));
}

// Checks channels against groups. `inner`: the weight dim that holds channels of one group.
LogicalResult wantGroups(Inference &op, std::optional<int64_t> groups, int64_t channels, int64_t perGroup,
                         int64_t divided, llvm::StringRef dividedName) {
  if (groups && *groups <= 0)
    return op.reject("the groups must be at least 1");
  if (channels != kUnknown && perGroup == kUnknown)
    return op.reject("the weight needs a known number of channels");
  if (!groups)
    return success();
  if (channels != kUnknown && perGroup != kUnknown && channels != saturated(Wide(perGroup) * *groups))
    return op.reject("the input has " + llvm::Twine(channels) + " channels, the weight takes " +
                     llvm::Twine(perGroup) + " in each of " + llvm::Twine(*groups) + " groups");
  if (divided != kUnknown && divided % *groups != 0)
    return op.reject(llvm::Twine(divided) + " " + dividedName + " do not divide into " +
                     llvm::Twine(*groups) + " groups");
  return success();
}

LogicalResult conv(Inference &op, int64_t spatial) {
  if (failed(wantSpatial(op, spatial)) || failed(op.wantRank(1, spatial + 2, "weight")) ||
      failed(op.wantSameElements(0, 1)))
    return failure();
  llvm::ArrayRef<int64_t> input = op.shape(0), weight = op.shape(1);
  FailureOr<Integers> stride = parameters(op, 2, spatial, 1, "stride");
  FailureOr<Integers> dilation = parameters(op, 3, spatial, 1, "dilation");
  if (failed(stride) || failed(dilation) ||
      failed(wantGroups(op, op.integer(4), input[1], weight[1], weight[0], "output channels")))
    return failure();
  Dims dims{input[0], weight[0]};
  for (int64_t i = 0; i < spatial; ++i) {
    int64_t kernel = weight[2 + i];
    FailureOr<int64_t> size =
        places(op, input[2 + i], kernel == kUnknown ? std::nullopt : std::optional(kernel), (*stride)[i],
               (*dilation)[i], false);
    if (failed(size))
      return failure();
    dims.push_back(*size);
  }
  return op.yield(dims, op.element(0));
}

LogicalResult convTranspose(Inference &op, int64_t spatial) {
  if (failed(wantSpatial(op, spatial)) || failed(op.wantRank(1, spatial + 2, "weight")) ||
      failed(op.wantSameElements(0, 1)))
    return failure();
  llvm::ArrayRef<int64_t> input = op.shape(0), weight = op.shape(1);
  FailureOr<Integers> stride = parameters(op, 2, spatial, 1, "stride");
  FailureOr<Integers> padding = parameters(op, 3, spatial, 0, "padding");
  FailureOr<Integers> dilation = parameters(op, 4, spatial, 1, "dilation");
  FailureOr<Integers> extra = parameters(op, 5, spatial, 0, "output padding");
  if (failed(stride) || failed(padding) || failed(dilation) || failed(extra))
    return failure();
  std::optional<int64_t> groups = op.integer(6);
  if (groups && *groups <= 0)
    return op.reject("the groups must be at least 1");
  if (input[1] != kUnknown && weight[0] != kUnknown && input[1] != weight[0])
    return op.reject("the input has " + llvm::Twine(input[1]) + " channels, the weight takes " +
                     llvm::Twine(weight[0]));
  if (groups && input[1] != kUnknown && input[1] % *groups != 0)
    return op.reject(llvm::Twine(input[1]) + " input channels do not divide into " + llvm::Twine(*groups) +
                     " groups");
  Dims dims{input[0], groups && weight[1] != kUnknown ? saturated(Wide(weight[1]) * *groups) : kUnknown};
  for (int64_t i = 0; i < spatial; ++i) {
    std::optional<int64_t> s = (*stride)[i], p = (*padding)[i], d = (*dilation)[i], e = (*extra)[i];
    int64_t size = input[2 + i], kernel = weight[2 + i];
    if (size == kUnknown || kernel == kUnknown || !s || !p || !d || !e) {
      dims.push_back(kUnknown);
      continue;
    }
    int64_t result = saturated(Wide(size - 1) * *s - 2 * *p + Wide(*d) * (kernel - 1) + *e + 1);
    if (result <= 0)
      return op.reject("dim " + llvm::Twine(2 + i) + " of the result would be " + llvm::Twine(result));
    dims.push_back(result);
  }
  return op.yield(dims, op.element(0));
}

LogicalResult pool(Inference &op, int64_t spatial, std::optional<bool> ceil) {
  if (failed(wantSpatial(op, spatial)))
    return failure();
  FailureOr<Integers> kernel = parameters(op, 1, spatial, 1, "kernel size");
  FailureOr<Integers> stride = parameters(op, 2, spatial, 1, "stride");
  FailureOr<Integers> dilation = parameters(op, 3, spatial, 1, "dilation");
  if (failed(kernel) || failed(stride) || failed(dilation))
    return failure();
  Dims dims(op.shape(0).take_front(2));
  for (int64_t i = 0; i < spatial; ++i) {
    int64_t size = op.shape(0)[2 + i];
    FailureOr<int64_t> floor = places(op, size, (*kernel)[i], (*stride)[i], (*dilation)[i], false);
    if (failed(floor))
      return failure();
    FailureOr<int64_t> upper = places(op, size, (*kernel)[i], (*stride)[i], (*dilation)[i], true);
    // With an unknown mode the size is known only where both modes agree.
    dims.push_back(!ceil ? (*floor == *upper ? *floor : kUnknown) : *ceil ? *upper : *floor);
  }
  return op.yield(dims, op.element(0));
}

LogicalResult maxPool(Inference &op, int64_t spatial) {
  std::optional<int64_t> ceil = op.integer(4);
  return pool(op, spatial, ceil ? std::optional(*ceil != 0) : std::nullopt);
}

} // namespace

LogicalResult conv2d(Inference &op) { return conv(op, 2); }
LogicalResult conv3d(Inference &op) { return conv(op, 3); }
LogicalResult convTranspose2d(Inference &op) { return convTranspose(op, 2); }
LogicalResult convTranspose3d(Inference &op) { return convTranspose(op, 3); }
LogicalResult maxPool2d(Inference &op) { return maxPool(op, 2); }
LogicalResult maxPool3d(Inference &op) { return maxPool(op, 3); }
LogicalResult sumPool2d(Inference &op) { return pool(op, 2, false); }
LogicalResult sumPool3d(Inference &op) { return pool(op, 3, false); }

LogicalResult interpolate(Inference &op) {
  int64_t rank = op.rank(0);
  static constexpr const char *kRoles[] = {"output shape", "scale", "offset"};
  for (unsigned i = 1; i <= 3; ++i) {
    if (failed(op.wantRank(i, 1, kRoles[i - 1])))
      return failure();
    if (int64_t count = op.shape(i)[0]; count != rank)
      return op.reject(llvm::Twine("the ") + kRoles[i - 1] + " needs one entry a dim, " + llvm::Twine(rank) +
                       " in all");
  }
  Dims dims(rank, kUnknown);
  if (std::optional<Integers> shape = op.integers(1))
    for (auto [dim, size] : llvm::zip_equal(dims, *shape)) {
      if (size && *size <= 0)
        return op.reject("a dim of the output shape is " + llvm::Twine(*size));
      dim = size.value_or(kUnknown);
    }
  return op.yield(dims, op.element(0));
}

LogicalResult interpolateCoordinates(Inference &op) {
  if (failed(op.wantRank(1, 2, "coordinates")))
    return failure();
  int64_t count = op.shape(1)[0], axes = op.shape(1)[1];
  if (axes != kUnknown && axes != op.rank(0))
    return op.reject("each coordinate has " + llvm::Twine(axes) + " entries for rank " +
                     llvm::Twine(op.rank(0)));
  return op.yield(count, op.element(0));
}

} // namespace sixrung::ir::rules
