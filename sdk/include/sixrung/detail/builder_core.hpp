// Builder: ops, constants, types, regions, dispatch.
#pragma once

#include "sixrung/builder.hpp"

#include <cmath>
#include <limits>

namespace sixrung {

inline Values Builder::ops(std::string_view name, const Values &operands, const Attributes &attributes,
                           uint32_t results, const std::vector<Type> &types,
                           const std::vector<sixrung_region> &regions) {
  if (!types.empty())
    results = static_cast<uint32_t>(types.size());
  std::vector<sixrung_value> handles, out(results);
  handles.reserve(operands.size());
  for (const Value &v : operands) {
    if (!v) {
      fail(SIXRUNG_INVALID_ARGUMENT, "an operand of " + std::string(name) + " was never made",
           "check optional arguments before using them");
      return Values(results);
    }
    handles.push_back(v.handle());
  }
  Argument::Scratch scratch;
  std::vector<sixrung_named_arg> packed = detail::pack(attributes, scratch);
  std::vector<sixrung_type> raw;
  raw.reserve(types.size());
  for (const Type &t : types)
    raw.push_back(t.raw());
  sixrung_op op{};
  op.struct_size = sizeof op;
  op.operand_count = static_cast<uint32_t>(handles.size());
  op.attribute_count = static_cast<uint32_t>(packed.size());
  op.result_count = results;
  op.region_count = static_cast<uint32_t>(regions.size());
  op.name = str(name);
  op.operands = handles.data();
  op.attributes = packed.data();
  op.result_types = types.empty() ? nullptr : raw.data();
  op.regions = regions.data();
  SIXRUNG_HOST_CALL(context_, build_op, context_->call, &op, out.data());
  Values values;
  values.reserve(results);
  for (sixrung_value v : out)
    values.push_back(v.id ? Value(context_, v) : Value());
  return values;
}

inline Value Builder::op(std::string_view name, const Values &operands, const Attributes &attributes,
                         std::optional<Type> result) {
  return result ? ops(name, operands, attributes, 1, {*result})[0] : ops(name, operands, attributes, 1)[0];
}

inline Values Builder::lowerAll(std::string_view key, const Attributes &arguments,
                                const std::vector<ResultInfo> &expected) {
  Argument::Scratch scratch;
  std::vector<sixrung_named_arg> packed = detail::pack(arguments, scratch);
  std::vector<sixrung_result_info> infos;
  infos.reserve(expected.size());
  for (const ResultInfo &e : expected)
    infos.push_back({sizeof(sixrung_result_info), e.kind, static_cast<uint32_t>(e.dtype),
                     static_cast<uint32_t>(e.valueDtype), static_cast<uint32_t>(e.dims.size()),
                     e.used ? 1u : 0u, e.dims.data()});
  sixrung_lower_request request{};
  request.struct_size = sizeof request;
  request.arg_count = static_cast<uint32_t>(packed.size());
  request.result_count = static_cast<uint32_t>(infos.size());
  request.key = str(key);
  request.args = packed.data();
  request.results = infos.data();
  std::vector<sixrung_value> out(infos.size());
  SIXRUNG_HOST_CALL(context_, lower, context_->call, &request, out.data());
  Values values;
  for (sixrung_value v : out)
    values.push_back(v.id ? Value(context_, v) : Value());
  return values;
}

inline Value Builder::lower(std::string_view key, const Attributes &arguments,
                            std::optional<ResultInfo> expected) {
  return lowerAll(key, arguments, {expected ? *expected : node().result(0)})[0];
}

inline sixrung_region Builder::region(const std::vector<Type> &types,
                                      const std::function<Values(const Values &)> &body,
                                      std::string_view terminator) {
  std::vector<sixrung_type> raw;
  for (const Type &t : types)
    raw.push_back(t.raw());
  sixrung_region handle{};
  std::vector<sixrung_value> arguments(types.size());
  SIXRUNG_HOST_CALL(context_, region_open, context_->call, raw.data(), static_cast<uint32_t>(raw.size()),
                    &handle, arguments.data());
  Values values;
  for (sixrung_value v : arguments)
    values.push_back(Value(context_, v));
  std::vector<sixrung_value> operands;
  for (const Value &v : body(values))
    operands.push_back(v.handle());
  sixrung_op end{};
  end.struct_size = sizeof end;
  end.operand_count = static_cast<uint32_t>(operands.size());
  end.name = str(terminator);
  end.operands = operands.data();
  SIXRUNG_HOST_CALL(context_, region_close, context_->call, handle, &end);
  return handle;
}

inline Values Builder::inlined(const Subgraph &graph, const Values &inputs) {
  std::vector<sixrung_value> in, out(static_cast<size_t>(graph.outputCount()));
  for (const Value &v : inputs)
    in.push_back(v.handle());
  SIXRUNG_HOST_CALL(context_, subgraph_inline, context_->call, graph.handle(), in.data(),
                    static_cast<uint32_t>(in.size()), out.data(), static_cast<uint32_t>(out.size()));
  Values values;
  for (sixrung_value v : out)
    values.push_back(v.id ? Value(context_, v) : Value());
  return values;
}

namespace detail {
// One element's bytes; the largest is a complex of two doubles.
struct Element {
  unsigned char bytes[16] = {};
  uint64_t size = 0;
  template <class T> void put(T v) {
    std::memcpy(bytes + size, &v, sizeof v);
    size += sizeof v;
  }
};
inline void putReal(Element &e, double v, DType dtype) {
  switch (dtype) {
  case DType::F16:
    e.put(toF16(static_cast<float>(v)));
    break;
  case DType::BF16:
    e.put(toBF16(static_cast<float>(v)));
    break;
  case DType::F64:
    e.put(v);
    break;
  default:
    e.put(static_cast<float>(v));
    break;
  }
}
inline std::optional<Element> element(const Scalar &s, DType dtype) {
  Element e;
  if (isComplex(dtype)) {
    putReal(e, s.real, realType(dtype));
    putReal(e, s.imaginary, realType(dtype));
  } else if (dtype == DType::Bool) {
    e.put(static_cast<uint8_t>(s.toBool()));
  } else if (isInteger(dtype) && bitWidth(dtype) >= 8) {
    int64_t v = s.toInt();
    std::memcpy(e.bytes, &v, sizeof v); // little endian: the low bytes are the wrapped value
    e.size = bitWidth(dtype) / 8;
  } else if (dtype == DType::F16 || dtype == DType::BF16 || dtype == DType::F32 || dtype == DType::F64) {
    putReal(e, s.real, dtype);
  } else {
    return std::nullopt;
  }
  return e;
}
} // namespace detail

inline Value Builder::constant(const Scalar &scalar, DType dtype, const Ints &dims) {
  std::optional<detail::Element> e = detail::element(scalar, dtype);
  if (!e) // fp8 and sub-byte types: by way of a type that has a C form
    return cast(constant(scalar, isFloat(dtype) ? DType::F32 : DType::SI32, dims), dtype);
  Type type{dtype, dims};
  sixrung_type raw = type.raw();
  sixrung_value out{};
  bool one = true; // a single element is plain data, anything else a splat
  for (int64_t d : dims)
    one = one && d == 1;
  if (one)
    SIXRUNG_HOST_CALL(context_, constant, context_->call, &raw, e->bytes, e->size, &out);
  else
    SIXRUNG_HOST_CALL(context_, constant_splat, context_->call, &raw, e->bytes, e->size, &out);
  return Value(context_, out);
}

inline Value Builder::data(DType dtype, const Ints &dims, const void *bytes, uint64_t size) {
  Type type{dtype, dims};
  sixrung_type raw = type.raw();
  sixrung_value out{};
  SIXRUNG_HOST_CALL(context_, constant, context_->call, &raw, bytes, size, &out);
  return Value(context_, out);
}

inline Value Builder::indices(const Ints &values, DType dtype) {
  std::vector<unsigned char> bytes;
  for (int64_t v : values) {
    if (!Scalar(v).fits(dtype))
      return unsupported("index " + std::to_string(v) + " does not fit " + std::string(dtypeName(dtype)));
    detail::Element e = *detail::element(Scalar(v), dtype);
    bytes.insert(bytes.end(), e.bytes, e.bytes + e.size);
  }
  return data(dtype, {static_cast<int64_t>(values.size())}, bytes.data(), bytes.size());
}

inline Value Builder::cast(Value x, DType dtype) {
  if (!x || x.dtype() == dtype)
    return x;
  return op("coreai.cast", {x}, {}, Type{dtype, x.dims()});
}

inline Value Builder::toBool(Value x) { return cast(x, DType::Bool); } // the runtime's cast means != 0

// Keeps the low bits, as two's complement arithmetic and eager PyTorch do.
inline Value Builder::wrapCast(Value x, DType dtype) {
  DType from = x.dtype();
  if (!isInteger(dtype) || from == DType::Bool || from == dtype)
    return cast(x, dtype);
  unsigned bits = bitWidth(dtype);
  if (isInteger(from)) {
    bool holdsAll = isUnsigned(from) ? bitWidth(from) < bits || (isUnsigned(dtype) && bitWidth(from) <= bits)
                                     : isSigned(dtype) && bitWidth(from) <= bits;
    if (holdsAll || bits >= 64)
      return cast(x, dtype);
  } else if (bits >= 32) {
    return cast(x, dtype); // out of range is undefined in eager too
  }
  DType wide = bits >= 32 || bitWidth(from) >= 64 ? DType::SI64 : DType::SI32;
  Value low = bitwiseAnd(cast(x, wide), constant(Scalar((int64_t(1) << bits) - 1), wide));
  if (isUnsigned(dtype))
    return cast(low, dtype);
  Value half = constant(Scalar(int64_t(1) << (bits - 1)), wide);
  return cast(sub(bitwiseXor(low, half), half), dtype); // sign extension
}

inline DType Builder::promote(const std::vector<Operand> &operands) {
  auto category = [](DType d) { return isComplex(d) ? 3 : isFloat(d) ? 2 : isInteger(d) ? 1 : 0; };
  DType dims = DType::None, zero = DType::None, wrapped = DType::None;
  bool large = false; // an int beyond 32 bits: a narrowed int64 partner widens again
  for (const Operand &o : operands) {
    if (o.isScalar()) {
      constexpr DType kinds[] = {DType::Bool, DType::SI32, DType::F32, DType::Complex64};
      DType kind = kinds[static_cast<int>(o.scalar().kind)];
      if (o.scalar().kind == Scalar::Kind::Int && !o.scalar().fits(DType::SI32)) {
        kind = DType::SI64;
        large = true;
      }
      wrapped = promoteTypes(wrapped, kind);
    } else {
      DType &slot = o.value().rank() == 0 ? zero : dims;
      slot = promoteTypes(slot, o.value().dtype());
    }
  }
  DType result = dims;
  for (DType lower : {zero, wrapped}) {
    if (lower == DType::None)
      continue;
    if (result == DType::None || category(lower) > category(result)) {
      // A complex number beside floats keeps their precision.
      bool mixed = isComplex(lower) && isFloat(result);
      result = mixed ? promoteTypes(result, DType::Complex32) : lower;
    }
  }
  return large && result == DType::SI32 ? DType::SI64 : result;
}

inline Value Builder::as(const Operand &operand, DType dtype) {
  return operand.isScalar() ? constant(operand.scalar(), dtype) : cast(operand.value(), dtype);
}

inline Value Builder::asResult(Value x, int index) {
  if (!x)
    return x;
  ResultInfo info = node().result(index);
  if (!info.isTensor() || represents(x.dtype(), info.dtype))
    return x;
  // Integers that were widened on the way come back by their low bits; a plain cast would saturate.
  return isInteger(x.dtype()) ? wrapCast(x, info.valueDtype) : cast(x, info.valueDtype);
}

inline Operand Builder::operand(const Node &n, Arg which) {
  sixrung_arg arg = n.raw(which);
  switch (arg.tag) {
  case SIXRUNG_ARG_VALUE:
    return n.tensor(which);
  case SIXRUNG_ARG_SYM_INT:
  case SIXRUNG_ARG_SYM_FLOAT:
  case SIXRUNG_ARG_SYM_BOOL:
    return scalar(n.value(which));
  default:
    return n.scalar(which);
  }
}

} // namespace sixrung
