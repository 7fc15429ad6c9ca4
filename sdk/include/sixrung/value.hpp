// Values of the program being built, their types, and sizes known now or at run time.
#pragma once

#include "sixrung/dtype.hpp"
#include "sixrung/failure.hpp"

#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace sixrung {

constexpr int64_t kDynamic = SIXRUNG_DYNAMIC; // a size known only at run time

using Ints = std::vector<int64_t>;

// A tensor type, owned: what `Builder::op` is told a result is to be.
struct Type {
  DType dtype = DType::None;
  Ints dims;
  uint32_t kind = SIXRUNG_TYPE_TENSOR;

  sixrung_type raw() const { // borrows dims
    return {sizeof(sixrung_type), kind, static_cast<uint32_t>(dtype), static_cast<uint32_t>(dims.size()),
            dims.data()};
  }
  static Type token() { return {DType::None, {}, SIXRUNG_TYPE_TOKEN}; }
  static Type handle(DType dtype, Ints dims) { return {dtype, std::move(dims), SIXRUNG_TYPE_HANDLE}; }
};

inline std::string toString(DType dtype, const Ints &dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i)
    text += (i ? ", " : "") + (dims[i] == kDynamic ? std::string("?") : std::to_string(dims[i]));
  return std::string(dtypeName(dtype)) + text + "]";
}

// A handle to a value of the program. Null by default; using a null or stale one is an error, never
// a crash (ABI-8). Cheap to copy.
class Value {
public:
  Value() = default;
  Value(detail::Context *context, sixrung_value handle) : context_(context), handle_(handle) {}

  explicit operator bool() const { return handle_.id != 0; }
  sixrung_value handle() const { return handle_; }
  bool operator==(const Value &other) const { return handle_.id == other.handle_.id; }

  DType dtype() const { return static_cast<DType>(raw().dtype); }
  int rank() const { return static_cast<int>(raw().rank); }
  // Size along `axis` (negative counts from the end), or kDynamic.
  int64_t dim(int axis) const {
    const sixrung_type &type = raw();
    int rank = static_cast<int>(type.rank), at = axis < 0 ? axis + rank : axis;
    if (at < 0 || at >= rank)
      return fail(SIXRUNG_INVALID_ARGUMENT,
                  "axis " + std::to_string(axis) + " is out of range for rank " + std::to_string(rank));
    return type.dims[at];
  }
  Ints dims() const {
    const sixrung_type &type = raw();
    return Ints(type.dims, type.dims + type.rank);
  }
  Type type() const { return {dtype(), dims(), raw().kind}; }
  bool isStatic() const {
    const sixrung_type &type = raw();
    for (uint32_t i = 0; i < type.rank; ++i)
      if (type.dims[i] == kDynamic)
        return false;
    return true;
  }
  // Number of elements, or kDynamic.
  int64_t elements() const {
    const sixrung_type &type = raw();
    int64_t count = 1;
    for (uint32_t i = 0; i < type.rank; ++i) {
      if (type.dims[i] == kDynamic)
        return kDynamic;
      count *= type.dims[i];
    }
    return count;
  }
  std::string text() const { return toString(dtype(), dims()); } // "float32[2, ?]", for messages

  // The bytes behind a constant: borrowed until the lowering returns.
  struct Bytes {
    const void *data = nullptr;
    uint64_t size = 0;
    bool splat = false; // one element stands for all
  };
  std::optional<Bytes> constant() const {
    sixrung_constant_view view{};
    view.struct_size = sizeof view;
    view.type.struct_size = sizeof view.type;
    if (!usable())
      return std::nullopt;
    SIXRUNG_HOST_CALL(context_, value_constant, context_->call, handle_, &view);
    if (!view.data)
      return std::nullopt;
    return Bytes{view.data, view.size, view.splat != 0};
  }
  bool isConstant() const { return constant().has_value(); }

private:
  bool usable() const {
    if (context_ && handle_.id != 0)
      return true;
    fail(SIXRUNG_INVALID_ARGUMENT, "a value that was never made was used",
         "check optional arguments before using them");
    return false;
  }
  const sixrung_type &raw() const {
    if (type_.struct_size == 0 && usable()) {
      sixrung_type type{};
      type.struct_size = sizeof type;
      SIXRUNG_HOST_CALL(context_, value_type, context_->call, handle_, &type);
      type_ = type;
    }
    return type_;
  }

  detail::Context *context_ = nullptr;
  sixrung_value handle_{};
  mutable sixrung_type type_{}; // fetched on first use; dims live until the lowering returns
};

using Values = std::vector<Value>;

// A Python number: int, float, bool or complex.
struct Scalar {
  enum class Kind { Bool, Int, Float, Complex };
  Kind kind = Kind::Int;
  int64_t integer = 0;
  double real = 0, imaginary = 0;

  Scalar() = default;
  Scalar(bool v) : kind(Kind::Bool), integer(v), real(v) {}
  Scalar(int v) : Scalar(static_cast<int64_t>(v)) {}
  Scalar(int64_t v) : kind(Kind::Int), integer(v), real(static_cast<double>(v)) {}
  Scalar(double v) : kind(Kind::Float), integer(0), real(v) {}
  Scalar(double re, double im) : kind(Kind::Complex), integer(0), real(re), imaginary(im) {}

  bool isFloat() const { return kind == Kind::Float; }
  bool isIntegral() const { return kind == Kind::Bool || kind == Kind::Int; }
  double toDouble() const { return real; }
  // Truncated for floats; use only where the number is known to be whole.
  int64_t toInt() const { return isIntegral() ? integer : static_cast<int64_t>(real); }
  bool toBool() const { return isIntegral() ? integer != 0 : (real != 0 || imaginary != 0); }

  // True when `dtype` holds this number without any rounding.
  bool fits(DType dtype) const {
    if (kind == Kind::Complex)
      return isComplex(dtype);
    if (isInteger(dtype) || dtype == DType::Bool) {
      if (!isIntegral())
        return false;
      unsigned bits = dtype == DType::Bool ? 1 : bitWidth(dtype);
      if (dtype == DType::UI64)
        return integer >= 0;
      if (dtype == DType::Bool || isUnsigned(dtype))
        return integer >= 0 && (bits >= 63 || integer < (int64_t(1) << bits));
      return bits >= 64 || (integer >= -(int64_t(1) << (bits - 1)) && integer < (int64_t(1) << (bits - 1)));
    }
    if (real != real)
      return true;
    float f = static_cast<float>(real);
    switch (dtype) {
    case DType::F64:
      return true;
    case DType::F32:
      return static_cast<double>(f) == real;
    case DType::F16:
      return static_cast<double>(f) == real && fromF16(toF16(f)) == f;
    case DType::BF16:
      return static_cast<double>(f) == real && fromBF16(toBF16(f)) == f;
    default:
      return false;
    }
  }
};

// A size: known now, or a tensor<1xsi32> computed at run time.
class Dim {
public:
  Dim() = default;
  Dim(int64_t size) : size_(size) {}
  Dim(int size) : size_(size) {}
  Dim(Value value) : size_(kDynamic), value_(value) {}

  bool isStatic() const { return size_ != kDynamic; }
  int64_t size() const { return size_; } // kDynamic when not static
  Value value() const { return value_; } // null when static
  bool is(int64_t size) const { return size_ == size && isStatic(); }

private:
  int64_t size_ = 0;
  Value value_;
};

using Shape = std::vector<Dim>;

inline Ints staticDims(const Shape &shape) { // with kDynamic where not static
  Ints dims;
  for (const Dim &d : shape)
    dims.push_back(d.size());
  return dims;
}

// Where `axis` points in a tensor of `rank` dims: negative counts from the end. A 0-d tensor takes
// 0 and -1, as PyTorch has it.
inline int axisOf(int64_t axis, int rank) {
  int64_t limit = rank == 0 ? 1 : rank, at = axis < 0 ? axis + limit : axis;
  if (at < 0 || at >= limit)
    return fail(SIXRUNG_INVALID_ARGUMENT, "dim " + std::to_string(axis) +
                                              " is out of range for a tensor of rank " +
                                              std::to_string(rank));
  return static_cast<int>(at);
}
inline Ints axesOf(const Ints &axes, int rank) {
  Ints result;
  for (int64_t axis : axes)
    result.push_back(axisOf(axis, rank));
  return result;
}

} // namespace sixrung
