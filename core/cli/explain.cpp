// Who lowers each node, to what, and why: the conversion in memory, nothing written (ABI-13).
#include "core/cli/commands.hpp"

#include "core/cli/models.hpp"
#include "core/cli/report.hpp"
#include "core/cli/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sixrung::cli {

namespace {

// "constant*2 reshape add": runs are counted; the dialect's own prefix is left out.
std::string shortOps(const std::vector<std::string> &ops) {
  std::string out;
  for (size_t i = 0; i < ops.size();) {
    size_t end = i;
    while (end < ops.size() && ops[end] == ops[i])
      ++end;
    std::string_view name = ops[i];
    if (name.substr(0, 7) == "coreai.")
      name.remove_prefix(7);
    out += fmt::format("{}{}{}", out.empty() ? "" : " ", name,
                       end - i > 1 ? fmt::format("*{}", end - i) : std::string());
    i = end;
  }
  return out.empty() ? "-" : out;
}

std::string who(const lower::NodeRecord &record) {
  if (record.plugin.empty())
    return "-";
  std::string out = record.plugin;
  if (!record.version.empty())
    out += " " + record.version;
  if (!record.detail.empty())
    out += " (" + record.detail + ")";
  return out;
}

// The ladder's answer alone, for a program that cannot be converted.
std::vector<lower::NodeRecord> resolveOnly(const lower::Session &session,
                                           const std::vector<lower::EntryPoint> &entries) {
  std::vector<lower::NodeRecord> records;
  for (const lower::EntryPoint &entry : entries)
    for (const graph::Node &node : entry.program->graph.nodes) {
      ladder::Match match = session.ladder().resolve(node);
      lower::NodeRecord record;
      record.entrypoint = entry.name;
      record.node = node.name;
      record.key = node.target;
      if (const graph::SourceFrame *frame = graph::userFrame(node))
        record.source = fmt::format("{}:{}", graph::portablePath(frame->file, {}), frame->line);
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
  return records;
}

std::string table(const std::vector<lower::NodeRecord> &records, bool several) {
  Table out({"NODE", "OP", "SOURCE", "RUNG", "PLUGIN", "OPS"});
  std::string notes;
  for (const lower::NodeRecord &record : records) {
    std::string node = several ? record.entrypoint + "/" + record.node : record.node;
    out.row({node, record.key, record.source.empty() ? "-" : record.source,
             fmt::format("{} {}", static_cast<int>(record.rung), ladder::rungName(record.rung)), who(record),
             shortOps(record.ops)});
    if (!record.overridden.empty())
      notes +=
          fmt::format("  {}: {} overrides {}\n", node, record.plugin, fmt::join(record.overridden, ", "));
    for (const std::string &remark : record.remarks)
      notes += fmt::format("  {}: {}\n", node, remark);
  }
  return out.text() + (notes.empty() ? "" : "remarks\n" + notes);
}

Json json(const std::vector<lower::NodeRecord> &records) {
  Json nodes = Json::array();
  for (const lower::NodeRecord &record : records)
    nodes.push_back({{"entrypoint", record.entrypoint},
                     {"node", record.node},
                     {"key", record.key},
                     {"source", record.source},
                     {"rung", static_cast<int>(record.rung)},
                     {"rung_name", ladder::rungName(record.rung)},
                     {"plugin", record.plugin},
                     {"version", record.version},
                     {"detail", record.detail},
                     {"overridden", record.overridden},
                     {"ops", record.ops},
                     {"remarks", record.remarks}});
  return nodes;
}

} // namespace

Exit explain(const ModelOptions &options) {
  Progress progress;
  lower::Session session;
  loadPlugins(session, options);
  std::vector<lower::EntryPoint> entries = loadEntries(options, progress);
  progress.phase("converting");
  try {
    for (const lower::EntryPoint &entry : entries)
      session.stage(*entry.program);
    lower::Converted program = session.convert(entries, conversion(options, progress));
    progress.clear();
    if (options.json) {
      printJson(Json{{"nodes", json(program.nodes())}, {"ops", program.opCount()}});
    } else {
      printText(table(program.nodes(), entries.size() > 1));
      printText(fmt::format("{} nodes, {} ops\n", program.nodes().size(), program.opCount()));
    }
    return kOk;
  } catch (const Error &error) {
    // What cannot be converted can still be explained: who would serve each node, and who is missing.
    progress.clear();
    if (error.kind() == ErrorKind::kUnsupported && !options.json)
      printText(table(resolveOnly(session, entries), entries.size() > 1));
    throw;
  }
}

} // namespace sixrung::cli
