// Capabilities beyond the host table, by name (ABI-6).
#include "sixrung/extensions.h"
#include "core/lower/boundary.hpp"
#include "core/lower/graph_lowering.hpp"
#include "core/lower/host_slots.hpp"

#include <fmt/format.h>

namespace sixrung::lower {
namespace {

const graph::TensorMeta *layoutOf(const Frame &frame, uint32_t index) {
  if (!frame.inputs || index >= frame.inputs->size())
    return nullptr;
  const auto *reference = std::get_if<graph::ValueRef>(&(*frame.inputs)[index].value.value);
  if (!reference)
    return nullptr;
  auto meta = frame.scope->graph->values.find(reference->name);
  if (meta == frame.scope->graph->values.end() || meta->second.kind != graph::ValueMeta::Kind::kTensor ||
      meta->second.tensor.strides.size() != meta->second.tensor.sizes.size())
    return nullptr;
  return &meta->second.tensor;
}

sixrung_status *call_arg_strides(sixrung_call call, uint32_t index, const int64_t **strides, uint32_t *rank,
                                 int64_t *storageOffset) {
  return guarded([&] {
    Frame &frame = ActiveFrames::find(call);
    notNull(strides, "the strides");
    notNull(rank, "the rank");
    notNull(storageOffset, "the storage offset");
    const graph::TensorMeta *layout = layoutOf(frame, index);
    if (!layout)
      throw failure(SIXRUNG_NOT_FOUND,
                    fmt::format("no layout is recorded for argument {} of {}", index, frame.key));
    int64_t *copy = frame.allocate<int64_t>(layout->strides.size());
    for (size_t i = 0; i < layout->strides.size(); ++i)
      copy[i] = layout->strides[i].value.value_or(-1);
    *strides = copy;
    *rank = static_cast<uint32_t>(layout->strides.size());
    *storageOffset = layout->storageOffset;
  });
}

} // namespace

const void *slots::get_extension(sixrung_str name) {
  if (name.data && std::string_view(name.data, name.size) == SIXRUNG_EXT_CALL_ARG_STRIDES)
    return reinterpret_cast<const void *>(&call_arg_strides);
  return nullptr;
}

} // namespace sixrung::lower
