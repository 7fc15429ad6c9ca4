// Externalization strategies: which nodes of an entrypoint become graphs of their own (ABI 1.1).
//
//   void everyLayer(Partition &p) { for (uint32_t i = 0; i < p.size(); ++i) ... p.cut("layer", nodes); }
//   constexpr Strategy kStrategies[] = {{"every_layer", everyLayer}};
#pragma once

#include "sixrung/failure.hpp"

#include <vector>

#if SIXRUNG_TARGET_MINOR >= 1
namespace sixrung {

// One frame of nn_module_stack.
struct ModuleFrame {
  std::string_view path; // "layers.0.attn"
  std::string_view type; // "transformers.models.gpt2.modeling_gpt2.GPT2Attention"
};

// A node as a strategy sees it; texts live until the strategy returns.
struct PartitionNode {
  std::string_view name, key;
  std::vector<ModuleFrame> modules;   // outermost first
  std::vector<uint32_t> predecessors; // nodes whose results it reads
  bool taken = false;                 // it is in a cut already
};

class Partition {
public:
  Partition(detail::Context *context, sixrung_partition handle) : context_(context), handle_(handle) {}

  std::string_view entrypoint() const { return view(info().entrypoint); }
  uint32_t size() const { return info().node_count; } // each node comes after those it reads
  PartitionNode node(uint32_t index) const {
    sixrung_partition_node raw{};
    raw.struct_size = sizeof raw;
    SIXRUNG_HOST_CALL(context_, partition_node, handle_, index, &raw);
    PartitionNode node{view(raw.name), view(raw.key), {}, {}, raw.taken != 0};
    for (uint32_t i = 0; i < raw.module_count; ++i)
      node.modules.push_back({view(raw.modules[i].path), view(raw.modules[i].type)});
    if (raw.predecessor_count != 0)
      node.predecessors.assign(raw.predecessors, raw.predecessors + raw.predecessor_count);
    return node;
  }
  // The values of an option the user gave; empty when there is none.
  std::vector<std::string_view> option(std::string_view name) const {
    sixrung_partition_info all = info();
    std::vector<std::string_view> values;
    for (uint32_t i = 0; i < all.option_count; ++i)
      if (view(all.options[i].name) == name && all.options[i].value.tag == SIXRUNG_ARG_STRING_LIST)
        for (uint32_t j = 0; j < all.options[i].value.count; ++j)
          values.push_back(view(reinterpret_cast<const sixrung_str *>(
              static_cast<uintptr_t>(all.options[i].value.payload))[j]));
    return values;
  }
  // The nodes become a private graph of this name, called where they stood.
  void cut(std::string_view name, const std::vector<uint32_t> &nodes) {
    sixrung_cut raw{sizeof raw, static_cast<uint32_t>(nodes.size()), 0, 0, str(name), nodes.data()};
    SIXRUNG_HOST_CALL(context_, partition_cut, handle_, &raw);
  }

private:
  sixrung_partition_info info() const {
    sixrung_partition_info out{};
    out.struct_size = sizeof out;
    SIXRUNG_HOST_CALL(context_, partition_info, handle_, &out);
    return out;
  }
  detail::Context *context_;
  sixrung_partition handle_;
};

// One row of a strategy table.
struct Strategy {
  std::string_view name; // "module_path"
  void (*fn)(Partition &);
  uint32_t flags = 0; // SIXRUNG_ENTRY_OVERRIDE
};

namespace detail {
template <class Body> sixrung_status *guarded(Context &context, Body &&body) noexcept;

inline sixrung_status *strategyThunk(const sixrung_host *host, void *user,
                                     sixrung_partition handle) noexcept {
  Context context{host, {}, nullptr, {}};
  CurrentContext guard(&context);
  return guarded(context, [&] {
    Partition partition(&context, handle);
    static_cast<const Strategy *>(user)->fn(partition);
  });
}
} // namespace detail

} // namespace sixrung
#endif
