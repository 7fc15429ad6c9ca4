// What lowerings inside the host's own process may ask beyond the table.
#include "core/lower/graph_lowering.hpp"

namespace sixrung::lower {

const graph::Node *callNode(sixrung_call call) {
  const Frame &frame = ActiveFrames::find(call);
  if (frame.dispatched)
    return nullptr;
  if (const Origins *origins = frame.lowering->origins)
    if (auto found = origins->find(frame.node); found != origins->end())
      return found->second;
  return frame.node;
}

sixrung_value callValue(sixrung_call call, std::string_view name) {
  Frame &frame = ActiveFrames::find(call);
  auto found = frame.scope->names.find(name);
  if (found == frame.scope->names.end() || (!found->second.value && !found->second.make))
    return {0};
  GraphLowering &lowering = *frame.lowering;
  if (lowering.openGraphs() != frame.graphsBefore)
    return {0}; // a private graph is open, which cannot use it
  return lowering.values().handle(lowering.valueOf(*frame.scope, name, &lowering.record(frame)));
}

void abandonGraph(sixrung_call call, sixrung_graph graph) {
  Frame &frame = ActiveFrames::find(call);
  frame.lowering->abandonGraph(frame, frame.lowering->graphIndex(graph));
}

} // namespace sixrung::lower
