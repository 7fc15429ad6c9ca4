// Composites: known operations with their meaning spelled out in ops (ABI 1.1).
//
//   Value hardSigmoid(Node n, Builder &b) { ... n.tensor("input") ... n.number("eps") ... }
//   constexpr Composite kComposites[] = {{.name = "hard_sigmoid", .inputs = {"input"}, .body = hardSigmoid}};
//
// A lowering asks for one by name: b.composite("hard_sigmoid", {x}).
#pragma once

#include "sixrung/builder.hpp"

#include <array>
#include <cstring>

#if SIXRUNG_TARGET_MINOR >= 1
namespace sixrung {

namespace detail {
inline void tooManyEntries() {} // not constexpr: a row that calls it does not compile
} // namespace detail

// A short list written in a constexpr row: {"input", "gamma", "beta"}.
template <class T> class Few {
public:
  static constexpr size_t kMost = 16;
  constexpr Few() = default;
  constexpr Few(std::initializer_list<T> entries) : size_(entries.size()) {
    if (size_ > kMost)
      detail::tooManyEntries();
    size_t at = 0;
    for (const T &entry : entries)
      entries_[at++] = entry;
  }
  constexpr const T *begin() const { return entries_.data(); }
  constexpr const T *end() const { return entries_.data() + size_; }
  constexpr size_t size() const { return size_; }

private:
  std::array<T, kMost> entries_{};
  size_t size_ = 0;
};

// One attribute of a composite's schema: {"eps", 1e-5} has a fallback, required("axes",
// SIXRUNG_ARG_INT_LIST) must be given, optional("scale", SIXRUNG_ARG_FLOAT) may be None.
class CompositeAttribute {
public:
  constexpr CompositeAttribute() = default;
  constexpr CompositeAttribute(std::string_view name, bool fallback)
      : name_(name), tag_(SIXRUNG_ARG_BOOL), fallback_(SIXRUNG_ARG_BOOL), integer_(fallback) {}
  constexpr CompositeAttribute(std::string_view name, int fallback)
      : name_(name), tag_(SIXRUNG_ARG_INT), fallback_(SIXRUNG_ARG_INT), integer_(fallback) {}
  constexpr CompositeAttribute(std::string_view name, double fallback)
      : name_(name), tag_(SIXRUNG_ARG_FLOAT), fallback_(SIXRUNG_ARG_FLOAT), number_(fallback) {}
  constexpr CompositeAttribute(std::string_view name, const char *fallback)
      : name_(name), tag_(SIXRUNG_ARG_STRING), fallback_(SIXRUNG_ARG_STRING), text_(fallback) {}
  static constexpr CompositeAttribute required(std::string_view name, uint32_t tag) {
    CompositeAttribute attribute;
    attribute.name_ = name;
    attribute.tag_ = tag;
    return attribute;
  }
  static constexpr CompositeAttribute optional(std::string_view name, uint32_t tag) {
    CompositeAttribute attribute = required(name, tag);
    attribute.flags_ = SIXRUNG_ATTRIBUTE_OPTIONAL;
    return attribute;
  }

  sixrung_composite_attribute raw() const {
    sixrung_arg value{fallback_, 0, 0};
    if (fallback_ == SIXRUNG_ARG_FLOAT)
      value.payload = std::bit_cast<uint64_t>(number_);
    else if (fallback_ == SIXRUNG_ARG_STRING)
      value = {fallback_, static_cast<uint32_t>(text_.size()), reinterpret_cast<uintptr_t>(text_.data())};
    else
      value.payload = static_cast<uint64_t>(integer_);
    return {sizeof(sixrung_composite_attribute), tag_, flags_, 0, str(name_), value};
  }

private:
  std::string_view name_;
  uint32_t tag_ = SIXRUNG_ARG_NONE, fallback_ = SIXRUNG_ARG_NONE, flags_ = 0;
  int64_t integer_ = 0;
  double number_ = 0;
  std::string_view text_;
};

// One row of a composite table. The body's node has the inputs by name, then the attributes.
struct Composite {
  std::string_view name;
  Few<std::string_view> inputs;
  Few<CompositeAttribute> attributes = {};
  Few<std::string_view> outputs = {"output"};
  uint32_t version = 1;
  Value (*body)(Node, Builder &) = nullptr;
  Values (*bodies)(Node, Builder &) = nullptr; // instead, when it has several outputs
  uint32_t flags = 0;                          // SIXRUNG_ENTRY_OVERRIDE

  Values run(Node n, Builder &b) const { return body ? Values{body(n, b)} : bodies(n, b); }
};

inline Values Builder::compositeAll(std::string_view name, const Values &operands,
                                    const Attributes &attributes, const std::vector<ResultInfo> &expected) {
  std::vector<sixrung_value> handles, out(expected.size());
  for (const Value &v : operands)
    handles.push_back(v.handle()); // id 0 leaves the input out
  Argument::Scratch scratch;
  std::vector<sixrung_named_arg> packed = detail::pack(attributes, scratch);
  std::vector<sixrung_result_info> infos;
  for (const ResultInfo &e : expected)
    infos.push_back({sizeof(sixrung_result_info), e.kind, static_cast<uint32_t>(e.dtype),
                     static_cast<uint32_t>(e.valueDtype), static_cast<uint32_t>(e.dims.size()),
                     e.used ? 1u : 0u, e.dims.data()});
  sixrung_composite_request request{};
  request.struct_size = sizeof request;
  request.operand_count = static_cast<uint32_t>(handles.size());
  request.attribute_count = static_cast<uint32_t>(packed.size());
  request.result_count = static_cast<uint32_t>(infos.size());
  request.name = str(name);
  request.operands = handles.data();
  request.attributes = packed.data();
  request.results = infos.data();
  SIXRUNG_HOST_CALL(context_, composite, context_->call, &request, out.data());
  Values values;
  for (sixrung_value v : out)
    values.push_back(v.id ? Value(context_, v) : Value());
  return values;
}

inline Value Builder::composite(std::string_view name, const Values &operands, const Attributes &attributes,
                                std::optional<ResultInfo> expected) {
  return compositeAll(name, operands, attributes, {expected ? *expected : node().result(0)})[0];
}

inline sixrung_graph Builder::graph(std::string_view name, const std::vector<Port> &inputs,
                                    const std::function<Values(const Values &)> &body) {
  std::vector<sixrung_str> names;
  std::vector<sixrung_type> types;
  for (const Port &port : inputs) {
    names.push_back(str(port.name));
    types.push_back(port.type.raw());
  }
  sixrung_graph_desc desc{};
  desc.struct_size = sizeof desc;
  desc.input_count = static_cast<uint32_t>(inputs.size());
  desc.name = str(name);
  desc.input_names = names.data();
  desc.input_types = types.data();
  sixrung_graph graph{};
  std::vector<sixrung_value> arguments(inputs.size()), outputs;
  SIXRUNG_HOST_CALL(context_, graph_open, context_->call, &desc, &graph, arguments.data());
  Values values;
  for (sixrung_value v : arguments)
    values.push_back(Value(context_, v));
  for (const Value &v : body(values))
    outputs.push_back(v.handle());
  SIXRUNG_HOST_CALL(context_, graph_close, context_->call, graph, outputs.data(),
                    static_cast<uint32_t>(outputs.size()));
  return graph;
}

inline Values Builder::invoke(sixrung_graph graph, const Values &operands, uint32_t results) {
  std::vector<sixrung_value> handles, out(results);
  for (const Value &v : operands)
    handles.push_back(v.handle());
  SIXRUNG_HOST_CALL(context_, invoke, context_->call, graph, handles.data(),
                    static_cast<uint32_t>(handles.size()), out.data(), results);
  Values values;
  for (sixrung_value v : out)
    values.push_back(v.id ? Value(context_, v) : Value());
  return values;
}

} // namespace sixrung
#endif
