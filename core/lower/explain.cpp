#include "core/lower/explain.hpp"

#include "core/lower/liveness.hpp"

#include <fmt/format.h>

namespace sixrung::lower {

std::vector<NodeRecord> resolveNodes(const Session &session, const std::vector<EntryPoint> &entries,
                                     const std::string &sourceRoot) {
  std::vector<NodeRecord> records;
  for (const EntryPoint &entry : entries) {
    std::vector<bool> live = livenessOf(entry.program->graph).live;
    for (size_t i = 0; i < entry.program->graph.nodes.size(); ++i) {
      const graph::Node &node = entry.program->graph.nodes[i];
      if (!live[i])
        continue;
      ladder::Match match = session.ladder().resolve(node);
      NodeRecord record;
      record.entrypoint = entry.name;
      record.node = node.name;
      record.key = node.target;
      if (const graph::SourceFrame *frame = graph::userFrame(node))
        record.source = fmt::format("{}:{}", graph::portablePath(frame->file, sourceRoot), frame->line);
      record.rung = match.rung;
      if (match.entry && match.entry->owner) {
        record.plugin = match.entry->owner->id;
        record.version = match.entry->owner->version;
        record.detail = match.entry->detail;
      }
      for (const ladder::Entry *loser : match.losers)
        if (loser->owner)
          record.overridden.push_back(loser->owner->id);
      records.push_back(std::move(record));
    }
  }
  return records;
}

} // namespace sixrung::lower
