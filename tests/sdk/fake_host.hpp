// A host table of a few slots, for the SDK alone: one call, its arguments, ops recorded by name.
#pragma once

#include "sixrung/sdk.hpp"

#include <map>
#include <string>
#include <vector>

struct sixrung_status {
  uint32_t code;
  std::string message;
  std::map<std::string, std::string> payload;
};

namespace sixrung::test {

struct FakeHost {
  struct Tensor {
    DType dtype;
    Ints dims;
    std::string op; // what built it
  };
  std::vector<Tensor> values; // id - 1
  std::vector<sixrung_named_arg> args;
  std::vector<sixrung_result_info> results;
  std::vector<uint64_t> bound;  // value id by result
  std::vector<std::string> ops; // as built
  std::string key = "acme::op.default";
  std::string refuse;   // op name that fails
  int64_t statuses = 0; // alive

  static FakeHost *self;
  FakeHost() { self = this; }

  Value add(detail::Context &context, DType dtype, Ints dims, std::string op = "input") {
    return Value(&context, make(dtype, std::move(dims), std::move(op)));
  }
  sixrung_value make(DType dtype, Ints dims, std::string op) {
    values.push_back({dtype, std::move(dims), std::move(op)});
    return {values.size()};
  }
  sixrung_status *status(uint32_t code, std::string message) {
    ++statuses;
    return new sixrung_status{code, std::move(message), {}};
  }
  const sixrung_host *table();
};
inline FakeHost *FakeHost::self = nullptr;

inline const sixrung_host *FakeHost::table() {
  static sixrung_host host;
  host = {};
  host.struct_size = sizeof host;
  host.abi_major = 1;
  host.status_create = [](uint32_t code, const char *message, uint64_t size) {
    return self->status(code, std::string(message, size));
  };
  host.status_release = [](sixrung_status *status) {
    if (status)
      --self->statuses;
    delete status;
  };
  host.status_add = [](sixrung_status *status, sixrung_str k, sixrung_str v) {
    status->payload[std::string(view(k))] = std::string(view(v));
  };
  host.status_code = [](const sixrung_status *status) { return status ? status->code : 0; };
  host.status_message = [](const sixrung_status *status) {
    return sixrung_str{status->message.data(), status->message.size()};
  };
  host.call_node = [](sixrung_call, sixrung_node_info *out) -> sixrung_status * {
    out->arg_count = static_cast<uint32_t>(self->args.size());
    out->result_count = static_cast<uint32_t>(self->results.size());
    out->key = str(self->key);
    return nullptr;
  };
  host.call_arg = [](sixrung_call, uint32_t index, sixrung_named_arg *out) -> sixrung_status * {
    *out = self->args.at(index);
    return nullptr;
  };
  host.call_arg_named = [](sixrung_call, sixrung_str name, sixrung_arg *out) -> sixrung_status * {
    for (const sixrung_named_arg &a : self->args)
      if (view(a.name) == view(name)) {
        *out = a.value;
        return nullptr;
      }
    return self->status(SIXRUNG_NOT_FOUND, "no such argument");
  };
  host.call_result = [](sixrung_call, uint32_t index, sixrung_result_info *out) -> sixrung_status * {
    *out = self->results.at(index);
    return nullptr;
  };
  host.call_set_result = [](sixrung_call, uint32_t index, sixrung_value value) -> sixrung_status * {
    self->bound.resize(self->results.size());
    self->bound.at(index) = value.id;
    return nullptr;
  };
  host.value_type = [](sixrung_call, sixrung_value value, sixrung_type *out) -> sixrung_status * {
    if (value.id == 0 || value.id > self->values.size())
      return self->status(SIXRUNG_STALE_HANDLE, "stale value");
    const Tensor &t = self->values[value.id - 1];
    out->kind = SIXRUNG_TYPE_TENSOR;
    out->dtype = static_cast<uint32_t>(t.dtype);
    out->rank = static_cast<uint32_t>(t.dims.size());
    out->dims = t.dims.data();
    return nullptr;
  };
  host.constant = [](sixrung_call, const sixrung_type *type, const void *, uint64_t,
                     sixrung_value *out) -> sixrung_status * {
    *out = self->make(static_cast<DType>(type->dtype), Ints(type->dims, type->dims + type->rank), "constant");
    return nullptr;
  };
  host.constant_splat = host.constant;
  host.build_op = [](sixrung_call, const sixrung_op *op, sixrung_value *out) -> sixrung_status * {
    std::string name(view(op->name));
    if (name == self->refuse)
      return self->status(SIXRUNG_VERIFY_FAILED, "refused " + name);
    self->ops.push_back(name);
    for (uint32_t i = 0; i < op->result_count; ++i) {
      Tensor t = self->values.at(op->operands[0].id - 1);
      if (op->result_types)
        t = {static_cast<DType>(op->result_types[i].dtype),
             Ints(op->result_types[i].dims, op->result_types[i].dims + op->result_types[i].rank), ""};
      out[i] = self->make(t.dtype, t.dims, name);
    }
    return nullptr;
  };
  return &host;
}

} // namespace sixrung::test
