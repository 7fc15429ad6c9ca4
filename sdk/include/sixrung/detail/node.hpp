// Definitions of Node's getters.
#pragma once

#include "sixrung/node.hpp"

namespace sixrung {

namespace detail {
inline std::string_view tagName(uint32_t tag) {
  switch (tag) {
  case SIXRUNG_ARG_NONE:
    return "None";
  case SIXRUNG_ARG_BOOL:
    return "a bool";
  case SIXRUNG_ARG_INT:
    return "an int";
  case SIXRUNG_ARG_FLOAT:
    return "a float";
  case SIXRUNG_ARG_COMPLEX:
    return "a complex number";
  case SIXRUNG_ARG_STRING:
    return "a string";
  case SIXRUNG_ARG_DTYPE:
    return "a dtype";
  case SIXRUNG_ARG_DEVICE:
    return "a device";
  case SIXRUNG_ARG_LAYOUT:
    return "a layout";
  case SIXRUNG_ARG_MEMORY_FORMAT:
    return "a memory format";
  case SIXRUNG_ARG_VALUE:
    return "a tensor";
  case SIXRUNG_ARG_SYM_INT:
    return "a symbolic int";
  case SIXRUNG_ARG_SYM_FLOAT:
    return "a symbolic float";
  case SIXRUNG_ARG_SYM_BOOL:
    return "a symbolic bool";
  case SIXRUNG_ARG_OPERATOR:
    return "an operator";
  case SIXRUNG_ARG_SUBGRAPH:
    return "a graph";
  case SIXRUNG_ARG_INT_LIST:
    return "a list of ints";
  case SIXRUNG_ARG_FLOAT_LIST:
    return "a list of floats";
  case SIXRUNG_ARG_BOOL_LIST:
    return "a list of bools";
  case SIXRUNG_ARG_STRING_LIST:
    return "a list of strings";
  case SIXRUNG_ARG_VALUE_LIST:
    return "a list of tensors";
  case SIXRUNG_ARG_LIST:
    return "a list";
  default:
    return "an argument of a kind this plugin does not know";
  }
}
template <class T> const T *pointer(const sixrung_arg &arg) {
  return reinterpret_cast<const T *>(static_cast<uintptr_t>(arg.payload));
}
} // namespace detail

inline sixrung_arg Node::raw(Arg which) const {
  sixrung_named_arg out{};
  if (which.named()) {
    if (context_->failed() || !SIXRUNG_HAS(context_->host, call_arg_named))
      return out.value;
    sixrung_status *status = context_->host->call_arg_named(context_->call, str(which.name()), &out.value);
    if (status && context_->host->status_code(status) == SIXRUNG_NOT_FOUND) {
      context_->host->status_release(status); // an older schema without it: as if left out
      return {};
    }
    detail::check(context_, status);
    return out.value;
  }
  if (which.index() < 0 || which.index() >= argCount())
    return {};
  SIXRUNG_HOST_CALL(context_, call_arg, context_->call, static_cast<uint32_t>(which.index()), &out);
  return out.value;
}

inline std::string_view Node::argName(int index) const {
  sixrung_named_arg out{};
  SIXRUNG_HOST_CALL(context_, call_arg, context_->call, static_cast<uint32_t>(index), &out);
  return view(out.name);
}

inline Failed Node::wrong(Arg which, std::string_view wanted, const sixrung_arg &got) const {
  if (got.tag == SIXRUNG_ARG_NONE) { // given as None, or no argument at all: a misspelt name
    bool there = false;
    std::string names;
    for (int i = 0; i < argCount(); ++i) {
      std::string_view name = argName(i);
      there = there || (which.named() ? name == which.name() : i == which.index());
      names += (i ? ", " : " (") + (name.empty() ? "#" + std::to_string(i) : std::string(name));
    }
    if (!there)
      return fail(SIXRUNG_INVALID_ARGUMENT, std::string(key()) + " has no argument " + which.text() +
                                                ", where " + std::string(wanted) + " is needed; it has " +
                                                std::to_string(argCount()) +
                                                (names.empty() ? "" : names + ")"));
  }
  return fail(SIXRUNG_INVALID_ARGUMENT, "argument " + which.text() + " of " + std::string(key()) + " is " +
                                            std::string(detail::tagName(got.tag)) + " where " +
                                            std::string(wanted) + " is needed");
}

inline Value Node::tensor(Arg which) const {
  sixrung_arg arg = raw(which);
  return arg.tag == SIXRUNG_ARG_VALUE ? valueOf(arg) : static_cast<Value>(wrong(which, "a tensor", arg));
}
inline Value Node::optionalTensor(Arg which) const { return has(which) ? tensor(which) : Value(); }

inline Value Node::value(Arg which) const {
  sixrung_arg arg = raw(which);
  switch (arg.tag) {
  case SIXRUNG_ARG_VALUE:
  case SIXRUNG_ARG_SYM_INT:
  case SIXRUNG_ARG_SYM_FLOAT:
  case SIXRUNG_ARG_SYM_BOOL:
    return valueOf(arg);
  default:
    return {};
  }
}

inline Values Node::tensors(Arg which) const {
  sixrung_arg arg = raw(which);
  Values result;
  if (arg.tag == SIXRUNG_ARG_VALUE) {
    result.push_back(valueOf(arg));
  } else if (arg.tag == SIXRUNG_ARG_VALUE_LIST) {
    for (uint32_t i = 0; i < arg.count; ++i)
      result.push_back(Value(context_, detail::pointer<sixrung_value>(arg)[i]));
  } else if (arg.tag == SIXRUNG_ARG_LIST) {
    for (uint32_t i = 0; i < arg.count; ++i) {
      const sixrung_arg &entry = detail::pointer<sixrung_arg>(arg)[i];
      if (entry.tag != SIXRUNG_ARG_VALUE && entry.tag != SIXRUNG_ARG_NONE)
        return wrong(which, "a list of tensors", entry);
      result.push_back(entry.tag == SIXRUNG_ARG_NONE ? Value() : valueOf(entry));
    }
  } else if (!(arg.count == 0 && arg.tag >= SIXRUNG_ARG_INT_LIST && arg.tag <= SIXRUNG_ARG_LIST)) {
    return wrong(which, "a list of tensors", arg); // an empty list has no element kind to go by
  }
  return result;
}

inline Scalar Node::scalarOf(Arg which, const sixrung_arg &arg) const {
  switch (arg.tag) {
  case SIXRUNG_ARG_BOOL:
    return Scalar(arg.payload != 0);
  case SIXRUNG_ARG_INT:
    return Scalar(static_cast<int64_t>(arg.payload));
  case SIXRUNG_ARG_FLOAT:
    return Scalar(std::bit_cast<double>(arg.payload));
  case SIXRUNG_ARG_COMPLEX:
    return Scalar(detail::pointer<double>(arg)[0], detail::pointer<double>(arg)[1]);
  default:
    return wrong(which, "a number", arg);
  }
}
inline Scalar Node::scalar(Arg which, std::optional<Scalar> fallback) const {
  sixrung_arg arg = raw(which);
  return arg.tag == SIXRUNG_ARG_NONE && fallback ? *fallback : scalarOf(which, arg);
}
inline int64_t Node::integer(Arg which, std::optional<int64_t> fallback) const {
  sixrung_arg arg = raw(which);
  if (arg.tag == SIXRUNG_ARG_NONE && fallback)
    return *fallback;
  if (arg.tag == SIXRUNG_ARG_INT)
    return static_cast<int64_t>(arg.payload);
  return arg.tag == SIXRUNG_ARG_BOOL ? static_cast<int64_t>(arg.payload != 0)
                                     : static_cast<int64_t>(wrong(which, "an int", arg));
}
inline double Node::number(Arg which, std::optional<double> fallback) const {
  sixrung_arg arg = raw(which);
  if (arg.tag == SIXRUNG_ARG_NONE && fallback)
    return *fallback;
  if (arg.tag == SIXRUNG_ARG_COMPLEX)
    return wrong(which, "a real number", arg);
  return scalarOf(which, arg).toDouble();
}
inline bool Node::boolean(Arg which, std::optional<bool> fallback) const {
  sixrung_arg arg = raw(which);
  if (arg.tag == SIXRUNG_ARG_NONE && fallback)
    return *fallback;
  return arg.tag == SIXRUNG_ARG_BOOL || arg.tag == SIXRUNG_ARG_INT
             ? arg.payload != 0
             : static_cast<bool>(wrong(which, "a bool", arg));
}
inline std::string Node::string(Arg which, std::optional<std::string> fallback) const {
  sixrung_arg arg = raw(which);
  switch (arg.tag) {
  case SIXRUNG_ARG_STRING:
  case SIXRUNG_ARG_DEVICE:
  case SIXRUNG_ARG_LAYOUT:
  case SIXRUNG_ARG_MEMORY_FORMAT:
  case SIXRUNG_ARG_OPERATOR:
    return std::string(detail::pointer<char>(arg), arg.count);
  case SIXRUNG_ARG_NONE:
    if (fallback)
      return *fallback;
    [[fallthrough]];
  default:
    return wrong(which, "a string", arg);
  }
}
inline DType Node::dtype(Arg which, std::optional<DType> fallback) const {
  sixrung_arg arg = raw(which);
  if (arg.tag == SIXRUNG_ARG_NONE && fallback)
    return *fallback;
  return arg.tag == SIXRUNG_ARG_DTYPE ? static_cast<DType>(arg.payload)
                                      : static_cast<DType>(wrong(which, "a dtype", arg));
}

inline Dim Node::dimOf(Arg which, const sixrung_arg &arg) const {
  switch (arg.tag) {
  case SIXRUNG_ARG_INT:
    return Dim(static_cast<int64_t>(arg.payload));
  case SIXRUNG_ARG_BOOL:
    return Dim(static_cast<int64_t>(arg.payload != 0));
  case SIXRUNG_ARG_SYM_INT:
    return Dim(valueOf(arg));
  default:
    return wrong(which, "a size", arg);
  }
}
inline Dim Node::dim(Arg which, std::optional<Dim> fallback) const {
  sixrung_arg arg = raw(which);
  return arg.tag == SIXRUNG_ARG_NONE && fallback ? *fallback : dimOf(which, arg);
}
inline Shape Node::shape(Arg which, std::optional<Shape> fallback) const {
  sixrung_arg arg = raw(which);
  if (arg.tag == SIXRUNG_ARG_NONE && fallback)
    return *fallback;
  Shape result;
  if (arg.tag == SIXRUNG_ARG_INT_LIST) {
    for (uint32_t i = 0; i < arg.count; ++i)
      result.push_back(Dim(detail::pointer<int64_t>(arg)[i]));
  } else if (arg.tag == SIXRUNG_ARG_LIST) {
    for (uint32_t i = 0; i < arg.count; ++i)
      result.push_back(dimOf(which, detail::pointer<sixrung_arg>(arg)[i]));
  } else if (arg.tag == SIXRUNG_ARG_INT || arg.tag == SIXRUNG_ARG_SYM_INT) {
    result.push_back(dimOf(which, arg));
  } else if (!(arg.count == 0 && arg.tag >= SIXRUNG_ARG_INT_LIST)) {
    return wrong(which, "a list of sizes", arg);
  }
  return result;
}
inline Ints Node::ints(Arg which, std::optional<Ints> fallback) const {
  sixrung_arg arg = raw(which);
  if (arg.tag == SIXRUNG_ARG_NONE && fallback)
    return *fallback;
  if (arg.tag == SIXRUNG_ARG_BOOL_LIST) {
    const uint8_t *entries = detail::pointer<uint8_t>(arg);
    return Ints(entries, entries + arg.count);
  }
  Ints result;
  for (const Dim &d : shape(which)) {
    if (!d.isStatic())
      return unsupported("argument " + which.text() + " of " + std::string(key()) +
                             " must be known at export",
                         "export with this size static");
    result.push_back(d.size());
  }
  return result;
}
inline std::vector<double> Node::numbers(Arg which, std::optional<std::vector<double>> fallback) const {
  sixrung_arg arg = raw(which);
  if (arg.tag == SIXRUNG_ARG_NONE && fallback)
    return *fallback;
  std::vector<double> result;
  if (arg.tag == SIXRUNG_ARG_FLOAT_LIST) {
    const double *entries = detail::pointer<double>(arg);
    result.assign(entries, entries + arg.count);
  } else if (arg.tag == SIXRUNG_ARG_INT_LIST) {
    const int64_t *entries = detail::pointer<int64_t>(arg);
    result.assign(entries, entries + arg.count);
  } else if (arg.tag == SIXRUNG_ARG_LIST) {
    for (uint32_t i = 0; i < arg.count; ++i)
      result.push_back(scalarOf(which, detail::pointer<sixrung_arg>(arg)[i]).toDouble());
  } else {
    return wrong(which, "a list of numbers", arg);
  }
  return result;
}
inline Subgraph Node::subgraph(Arg which) const {
  sixrung_arg arg = raw(which);
  return arg.tag == SIXRUNG_ARG_SUBGRAPH ? Subgraph(context_, sixrung_subgraph{arg.payload})
                                         : static_cast<Subgraph>(wrong(which, "a graph", arg));
}

inline std::optional<Layout> Node::layout(int index) const {
  if (context_->failed() || !SIXRUNG_HAS(context_->host, get_extension))
    return std::nullopt;
  auto ask = reinterpret_cast<sixrung_call_arg_strides_fn>(
      const_cast<void *>(context_->host->get_extension(str(SIXRUNG_EXT_CALL_ARG_STRIDES))));
  const int64_t *strides = nullptr;
  uint32_t rank = 0;
  Layout result;
  if (!ask)
    return std::nullopt;
  if (sixrung_status *status =
          ask(context_->call, static_cast<uint32_t>(index), &strides, &rank, &result.offset)) {
    context_->host->status_release(status); // not recorded
    return std::nullopt;
  }
  for (uint32_t i = 0; i < rank; ++i)
    result.strides.push_back(strides[i] < 0 ? kDynamic : strides[i]);
  return result;
}

} // namespace sixrung
