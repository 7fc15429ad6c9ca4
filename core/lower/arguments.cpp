// Arguments of a node as tagged values (ABI-9).
#include "core/lower/graph_lowering.hpp"
#include "core/lower/types.hpp"

#include <fmt/format.h>

namespace sixrung::lower {
namespace {

using graph::Argument;
using graph::ArgumentList;

sixrung_arg scalar(uint32_t tag, uint64_t payload) { return {tag, 0, payload}; }

template <typename T> uint64_t bitsOf(T value) {
  static_assert(sizeof(T) == sizeof(uint64_t));
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

sixrung_arg borrowed(uint32_t tag, const void *data, size_t count) {
  return {tag, static_cast<uint32_t>(count), reinterpret_cast<uintptr_t>(data)};
}

sixrung_arg text(uint32_t tag, const std::string &value) { return borrowed(tag, value.data(), value.size()); }

class Encoder {
public:
  explicit Encoder(Frame &frame) : frame_(frame), lowering_(*frame.lowering) {}

  sixrung_arg encode(const Argument &argument) {
    return std::visit([this](const auto &value) { return one(value); }, argument.value);
  }

private:
  sixrung_arg one(const graph::NoneArg &) { return scalar(SIXRUNG_ARG_NONE, 0); }
  sixrung_arg one(bool value) { return scalar(SIXRUNG_ARG_BOOL, value ? 1 : 0); }
  sixrung_arg one(int64_t value) { return scalar(SIXRUNG_ARG_INT, bitsOf(value)); }
  sixrung_arg one(double value) { return scalar(SIXRUNG_ARG_FLOAT, bitsOf(value)); }
  sixrung_arg one(const std::complex<double> &value) { return borrowed(SIXRUNG_ARG_COMPLEX, &value, 0); }
  sixrung_arg one(const std::string &value) { return text(SIXRUNG_ARG_STRING, value); }
  sixrung_arg one(const graph::DTypeArg &value) {
    return scalar(SIXRUNG_ARG_DTYPE, static_cast<uint64_t>(value.dtype));
  }
  sixrung_arg one(const graph::DeviceArg &value) { return text(SIXRUNG_ARG_DEVICE, value.device); }
  sixrung_arg one(const graph::LayoutArg &value) { return text(SIXRUNG_ARG_LAYOUT, value.layout); }
  sixrung_arg one(const graph::MemoryFormatArg &value) {
    return text(SIXRUNG_ARG_MEMORY_FORMAT, value.format);
  }
  sixrung_arg one(const graph::OperatorArg &value) { return text(SIXRUNG_ARG_OPERATOR, value.key); }
  sixrung_arg one(const graph::SubgraphArg &value) {
    frame_.subgraphs.push_back(&value);
    return scalar(SIXRUNG_ARG_SUBGRAPH, makeId(frame_.generation, frame_.subgraphs.size() - 1));
  }
  sixrung_arg one(const graph::ValueRef &value) { return reference(value.name); }
  sixrung_arg one(const graph::SymIntRef &value) { return reference(value.name); }
  sixrung_arg one(const graph::SymFloatRef &value) { return reference(value.name); }
  sixrung_arg one(const graph::SymBoolRef &value) { return reference(value.name); }

  sixrung_arg one(const ArgumentList &list) {
    // An empty list has no entries to tell its kind by; most are sizes, dims or axes.
    if (all<int64_t>(list))
      return packed<int64_t, int64_t>(SIXRUNG_ARG_INT_LIST, list);
    if (all<double>(list))
      return packed<double, double>(SIXRUNG_ARG_FLOAT_LIST, list);
    if (all<bool>(list))
      return packed<bool, uint8_t>(SIXRUNG_ARG_BOOL_LIST, list);
    if (all<std::string>(list)) {
      sixrung_str *entries = frame_.allocate<sixrung_str>(list.size());
      for (size_t i = 0; i < list.size(); ++i)
        entries[i] = toStr(std::get<std::string>(list[i].value));
      return borrowed(SIXRUNG_ARG_STRING_LIST, entries, list.size());
    }
    return values(list);
  }

  // A list of tensors with holes, or else a mixed or nested one.
  sixrung_arg values(const ArgumentList &list) {
    sixrung_arg *entries = frame_.allocate<sixrung_arg>(list.size());
    bool onlyTensors = true;
    for (size_t i = 0; i < list.size(); ++i) {
      entries[i] = encode(list[i]);
      onlyTensors &= entries[i].tag == SIXRUNG_ARG_VALUE || entries[i].tag == SIXRUNG_ARG_NONE;
    }
    if (!onlyTensors)
      return borrowed(SIXRUNG_ARG_LIST, entries, list.size());
    sixrung_value *handles = frame_.allocate<sixrung_value>(list.size());
    for (size_t i = 0; i < list.size(); ++i)
      handles[i] = {entries[i].tag == SIXRUNG_ARG_VALUE ? entries[i].payload : 0};
    return borrowed(SIXRUNG_ARG_VALUE_LIST, handles, list.size());
  }

  template <typename T> static bool all(const ArgumentList &list) {
    for (const Argument &entry : list)
      if (!std::holds_alternative<T>(entry.value))
        return false;
    return true;
  }

  template <typename From, typename To> sixrung_arg packed(uint32_t tag, const ArgumentList &list) {
    To *entries = frame_.allocate<To>(list.size());
    for (size_t i = 0; i < list.size(); ++i)
      entries[i] = static_cast<To>(std::get<From>(list[i].value));
    return borrowed(tag, entries, list.size());
  }

  sixrung_arg reference(const std::string &name) {
    if (lowering_.openGraphs() != frame_.graphsBefore)
      throw failure(
          SIXRUNG_INVALID_ARGUMENT,
          "an argument of the node is asked for while a private graph is open, which cannot use it; "
          "read it before, and hand it in as an input");
    NameScope &scope = *frame_.scope;
    auto binding = scope.names.find(name);
    if (binding != scope.names.end() && binding->second.scalar)
      return encode(*binding->second.scalar); // a Python scalar the exporter baked in
    auto meta = scope.graph->values.find(name);
    auto kind = meta == scope.graph->values.end() ? graph::ValueMeta::Kind::kNone : meta->second.kind;
    if (kind == graph::ValueMeta::Kind::kNone)
      return scalar(SIXRUNG_ARG_NONE, 0);
    mlir::Value value = lowering_.valueOf(scope, name, &lowering_.record(frame_));
    uint64_t id = lowering_.values().handle(value).id;
    switch (kind) {
    case graph::ValueMeta::Kind::kSymInt:
      return scalar(SIXRUNG_ARG_SYM_INT, id);
    case graph::ValueMeta::Kind::kSymFloat:
      return scalar(SIXRUNG_ARG_SYM_FLOAT, id);
    case graph::ValueMeta::Kind::kSymBool:
      return scalar(SIXRUNG_ARG_SYM_BOOL, id);
    default:
      return scalar(SIXRUNG_ARG_VALUE, id);
    }
  }

  Frame &frame_;
  GraphLowering &lowering_;
};

} // namespace

sixrung_arg encodeArgument(Frame &frame, size_t index) {
  if (frame.given)
    return frame.given[index].value;
  if (frame.encoded.size() < frame.argumentCount)
    frame.encoded.resize(frame.argumentCount);
  if (!frame.encoded[index])
    frame.encoded[index] = Encoder(frame).encode((*frame.inputs)[index].value);
  return *frame.encoded[index];
}

sixrung_arg encodeArgument(Frame &frame, const graph::Argument &argument) {
  return Encoder(frame).encode(argument);
}

std::string_view argumentName(const Frame &frame, size_t index) {
  return frame.given ? fromStr(frame.given[index].name, "an argument's name")
                     : std::string_view((*frame.inputs)[index].name);
}

} // namespace sixrung::lower
