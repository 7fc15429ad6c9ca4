// Builder: sizes known now or at run time, moving data, reductions.
#pragma once

#include "sixrung/builder.hpp"

#include <algorithm>
#include <limits>

namespace sixrung {

inline Dim Builder::dim(Value x, int64_t axis) {
  int at = axisOf(axis, x.rank());
  if (int64_t size = x.dim(at); size != kDynamic)
    return size;
  Value sizes = cast(op("coreai.get_shape", {x}), DType::SI32);
  return op("coreai.slice", {sizes, indices({at}), indices({at + 1}), indices({1})}, {},
            Type{DType::SI32, {1}});
}

inline Shape Builder::shape(Value x) {
  Shape result;
  for (int i = 0; i < x.rank(); ++i)
    result.push_back(dim(x, i));
  return result;
}

inline Value Builder::vector(const Shape &shape, DType dtype) {
  Values pieces;
  Ints run; // adjacent static sizes become one constant
  bool anyDynamic = false;
  for (const Dim &d : shape)
    anyDynamic = anyDynamic || !d.isStatic();
  if (!anyDynamic)
    return indices(staticDims(shape), dtype);
  auto flush = [&] {
    if (!run.empty())
      pieces.push_back(indices(run, DType::SI32));
    run.clear();
  };
  for (const Dim &d : shape) {
    if (d.isStatic()) {
      run.push_back(d.size());
    } else {
      flush();
      pieces.push_back(cast(d.value(), DType::SI32));
    }
  }
  flush();
  return cast(pieces.size() == 1 ? pieces[0] : concat(pieces, 0), dtype);
}

inline Value Builder::scalarOf(const Dim &d, DType dtype) {
  return d.isStatic() ? index(d.size(), dtype) : cast(scalar(d.value()), dtype);
}

inline Dim Builder::dimOp(std::string_view mnemonic, const Dim &a, const Dim &b,
                          int64_t (*fold)(int64_t, int64_t)) {
  if (a.isStatic() && b.isStatic())
    return fold(a.size(), b.size());
  auto widened = [&](const Dim &d) { return d.isStatic() ? indices({d.size()}) : d.value(); };
  return binary(mnemonic, widened(a), widened(b));
}
inline Dim Builder::addDims(const Dim &a, const Dim &b) {
  if (a.is(0) || b.is(0))
    return a.is(0) ? b : a;
  return dimOp("add", a, b, [](int64_t x, int64_t y) { return x + y; });
}
inline Dim Builder::subDims(const Dim &a, const Dim &b) {
  return b.is(0) ? a : dimOp("sub", a, b, [](int64_t x, int64_t y) { return x - y; });
}
inline Dim Builder::mulDims(const Dim &a, const Dim &b) {
  if (a.is(1) || b.is(1))
    return a.is(1) ? b : a;
  if (a.is(0) || b.is(0))
    return 0;
  return dimOp("mul", a, b, [](int64_t x, int64_t y) { return x * y; });
}
inline Dim Builder::floorDivideDims(const Dim &a, const Dim &b) {
  if (b.is(0))
    return fail(SIXRUNG_INVALID_ARGUMENT, "a size is divided by 0");
  return b.is(1) ? a : dimOp("divide", a, b, [](int64_t x, int64_t y) { return x / y; });
}
inline Dim Builder::product(const Shape &shape) {
  Dim known = 1, unknown = 1; // static sizes fold first, in one factor
  for (const Dim &d : shape)
    (d.isStatic() ? known : unknown) = mulDims(d.isStatic() ? known : unknown, d);
  return mulDims(unknown, known);
}
inline Shape Builder::broadcastShapes(const Shape &a, const Shape &b) {
  const Shape &longer = a.size() >= b.size() ? a : b, &shorter = a.size() >= b.size() ? b : a;
  Shape result = longer;
  for (size_t i = 0; i < shorter.size(); ++i) {
    Dim &out = result[longer.size() - shorter.size() + i];
    const Dim &other = shorter[i];
    if (out.is(1))
      out = other;
    else if (!out.isStatic() && !other.is(1))
      out = other.isStatic() || other.value() == out.value()
                ? other
                : dimOp("maximum", out, other, [](int64_t x, int64_t y) { return std::max(x, y); });
  }
  return result;
}

namespace detail {
// A type without elements: a constant says all there is to say, and the runtime's reshape, among
// others, refuses a size of 0.
inline bool isEmpty(const Ints &dims) {
  return std::count(dims.begin(), dims.end(), 0) != 0 && std::count(dims.begin(), dims.end(), kDynamic) == 0;
}
} // namespace detail

inline Value Builder::reshape(Value x, const Shape &shape) {
  Ints dims = staticDims(shape);
  bool isStatic = std::count(dims.begin(), dims.end(), kDynamic) == 0;
  if (isStatic && x.dims() == dims)
    return x;
  if (detail::isEmpty(dims))
    return zeros(x.dtype(), dims);
  Type result{x.dtype(), dims};
  // One size left open is -1 in a constant: cheaper than gathering sizes at run time.
  bool hasZero = std::count(dims.begin(), dims.end(), 0) != 0;
  if (std::count(dims.begin(), dims.end(), kDynamic) == 1 && !hasZero) {
    std::replace(dims.begin(), dims.end(), kDynamic, int64_t(-1));
    return op("coreai.reshape", {x, indices(dims)}, {}, result);
  }
  return op("coreai.reshape", {x, vector(shape)}, {}, result);
}

inline Value Builder::expandDims(Value x, const Ints &axes) {
  if (axes.empty())
    return x;
  Ints dims = x.dims(), sorted = axesOf(axes, x.rank() + static_cast<int>(axes.size()));
  std::sort(sorted.begin(), sorted.end());
  for (int64_t axis : sorted)
    dims.insert(dims.begin() + axis, 1);
  if (detail::isEmpty(dims))
    return zeros(x.dtype(), dims);
  return op("coreai.expand_dims", {x, indices(sorted)}, {}, Type{x.dtype(), dims});
}

inline Value Builder::shrinkDims(Value x, const Ints &axes) {
  if (axes.empty())
    return x;
  Ints dims, gone = axesOf(axes, x.rank());
  for (int i = 0; i < x.rank(); ++i)
    if (std::count(gone.begin(), gone.end(), i) == 0)
      dims.push_back(x.dim(i));
  if (detail::isEmpty(dims))
    return zeros(x.dtype(), dims);
  return op("coreai.shrink_dims", {x, indices(gone)}, {}, Type{x.dtype(), dims});
}

inline Value Builder::broadcastTo(Value x, const Shape &shape) {
  Ints dims = staticDims(shape);
  if (x.isStatic() && x.dims() == dims)
    return x;
  if (detail::isEmpty(dims))
    return zeros(x.dtype(), dims);
  return op("coreai.broadcast_to", {x, vector(shape, DType::UI32)}, {}, Type{x.dtype(), dims});
}

inline Value Builder::transpose(Value x, const Ints &permutation) {
  Ints axes = axesOf(permutation, x.rank()), dims;
  bool identity = true;
  for (size_t i = 0; i < axes.size(); ++i) {
    identity = identity && axes[i] == static_cast<int64_t>(i);
    dims.push_back(x.dim(static_cast<int>(axes[i])));
  }
  return identity ? x : op("coreai.transpose", {x, indices(axes, DType::UI32)}, {}, Type{x.dtype(), dims});
}

inline Value Builder::swapAxes(Value x, int64_t a, int64_t b) {
  Ints permutation;
  for (int i = 0; i < x.rank(); ++i)
    permutation.push_back(i);
  if (!permutation.empty())
    std::swap(permutation[axisOf(a, x.rank())], permutation[axisOf(b, x.rank())]);
  return transpose(x, permutation);
}

inline Value Builder::concat(const Values &parts, int64_t axis) {
  if (parts.size() == 1)
    return parts[0];
  Values operands{index(parts.empty() ? 0 : axisOf(axis, parts[0].rank()))};
  operands.insert(operands.end(), parts.begin(), parts.end());
  return op("coreai.concat", operands);
}

inline Value Builder::slice(Value x, const Shape &starts, const Shape &ends, const Ints &steps) {
  Ints dims, strides = steps.empty() ? Ints(static_cast<size_t>(x.rank()), 1) : steps;
  bool whole = true;
  for (int i = 0; i < x.rank(); ++i) {
    int64_t size = x.dim(i), start = starts[i].size(), end = ends[i].size(), step = strides[i];
    bool all = start == 0 && step == 1 && ends[i].isStatic() &&
               (end >= INT32_MAX || (size != kDynamic && end >= size));
    whole = whole && all;
    if (size == kDynamic || !starts[i].isStatic() || !ends[i].isStatic()) {
      dims.push_back(all ? size : kDynamic);
      continue;
    }
    start = std::clamp(start < 0 ? start + size : start, int64_t(0), size);
    end = std::clamp(end < 0 ? end + size : end, int64_t(0), size);
    dims.push_back(end > start ? (end - start + step - 1) / step : 0);
  }
  if (whole)
    return x;
  if (detail::isEmpty(dims))
    return zeros(x.dtype(), dims);
  auto bounded = [](Shape bounds) { // bounds are si32; beyond it means "to the end" anyway
    for (Dim &d : bounds)
      if (d.isStatic())
        d = std::clamp(d.size(), int64_t(INT32_MIN), int64_t(INT32_MAX));
    return bounds;
  };
  return op("coreai.slice", {x, vector(bounded(starts)), vector(bounded(ends)), indices(strides)}, {},
            Type{x.dtype(), dims});
}

inline Value Builder::sliceAxis(Value x, int64_t axis, const Dim &start, const Dim &end, int64_t step) {
  size_t rank = static_cast<size_t>(x.rank());
  Shape starts(rank, Dim(0)), ends(rank, Dim(INT32_MAX));
  Ints steps(rank, 1);
  size_t at = static_cast<size_t>(axisOf(axis, x.rank()));
  starts[at] = start;
  ends[at] = end;
  steps[at] = step;
  return slice(x, starts, ends, steps);
}

inline Value Builder::gatherAlongAxis(Value x, Value indices, int64_t axis) {
  return op("coreai.gather_along_axis", {x, cast(indices, DType::SI32), index(axisOf(axis, x.rank()))});
}
inline Value Builder::gatherNd(Value x, Value indices) {
  return op("coreai.gather_nd", {x, cast(indices, DType::SI32)});
}
inline Value Builder::tile(Value x, const Ints &repeats) {
  return op("coreai.tile", {x, indices(repeats, DType::UI32)});
}
inline Value Builder::range(const Operand &start, const Operand &stop, const Operand &step, DType dtype) {
  return op("coreai.range", {as(start, dtype), as(stop, dtype), as(step, dtype)});
}

// The runtime leaves garbage where no element is reduced.
inline Value Builder::reduceNothing(std::string_view mnemonic, Value x, const Ints &axes, bool keep) {
  bool one = mnemonic == "reduce_product" || mnemonic == "all";
  bool zero = mnemonic == "reduce_sum" || mnemonic == "any";
  if (!one && !zero && mnemonic != "reduce_mean")
    return unsupported(std::string(mnemonic) + " over no elements", "PyTorch has no result for it either");
  Scalar neutral =
      one || zero ? Scalar(static_cast<int>(one)) : Scalar(std::numeric_limits<double>::quiet_NaN());
  Shape reduced = shape(x);
  for (int64_t axis : axesOf(axes, x.rank()))
    reduced[static_cast<size_t>(axis)] = 1;
  Value result = broadcastTo(constant(neutral, x.dtype()), reduced);
  return keep ? result : shrinkDims(result, axes);
}

inline Value Builder::reduce(std::string_view mnemonic, Value x, const Ints &axes, bool keep) {
  if (x.rank() == 0)
    return x; // nothing to reduce: one element is its own sum, product, mean and extreme
  for (int64_t axis : axesOf(axes, x.rank()))
    if (x.dim(static_cast<int>(axis)) == 0)
      return reduceNothing(mnemonic, x, axes, keep);
  Value result = op("coreai." + std::string(mnemonic), {x, indices(axes)});
  return keep ? result : shrinkDims(result, axes);
}

inline Ints Builder::allAxes(Value x) {
  Ints axes;
  for (int i = 0; i < x.rank(); ++i)
    axes.push_back(i);
  return axes;
}

inline Value Builder::softmax(Value x, int64_t axis) {
  return op("coreai.softmax", {x, index(axisOf(axis, x.rank()))});
}

inline Value Builder::matmul(Value a, Value b) {
  return op("coreai.decomposable.broadcasting_batch_matmul", {a, b});
}

} // namespace sixrung
