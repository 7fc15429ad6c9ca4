// What lowerings inside the host's own process may ask beyond the table.
#include "core/lower/graph_lowering.hpp"

namespace sixrung::lower {

const graph::Node *callNode(sixrung_call call) {
  const Frame &frame = ActiveFrames::find(call);
  return frame.dispatched ? nullptr : frame.node;
}

sixrung_value callValue(sixrung_call call, std::string_view name) {
  Frame &frame = ActiveFrames::find(call);
  auto found = frame.scope->names.find(name);
  if (found == frame.scope->names.end() || (!found->second.value && !found->second.make))
    return {0};
  GraphLowering &lowering = *frame.lowering;
  return lowering.values().handle(lowering.valueOf(*frame.scope, name, &lowering.record(frame)));
}

} // namespace sixrung::lower
