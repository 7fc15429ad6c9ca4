// Who lowers each node, to what, and why: the conversion in memory, nothing written (ABI-13).
#include "core/cli/commands.hpp"

#include "core/cli/models.hpp"
#include "core/cli/report.hpp"
#include "core/cli/table.hpp"
#include "core/lower/explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace sixrung::cli {

namespace {

// "constant*2 reshape add": runs are counted, the dialect's own prefix is left out, and what does not fit the
// column is told by number.
std::string shortOps(const std::vector<std::string> &ops) {
  constexpr size_t kColumn = 80;
  std::string out, fitting;
  std::string tail = fmt::format(" ... {} in all", ops.size());
  for (size_t i = 0; i < ops.size();) {
    size_t end = i;
    while (end < ops.size() && ops[end] == ops[i])
      ++end;
    std::string_view name = ops[i];
    if (name.substr(0, 7) == "coreai.")
      name.remove_prefix(7);
    out += fmt::format("{}{}{}", out.empty() ? "" : " ", name,
                       end - i > 1 ? fmt::format("*{}", end - i) : std::string());
    if (fitting.empty() || out.size() + tail.size() <= kColumn)
      fitting = out;
    i = end;
  }
  return out.empty() ? "-" : out.size() <= kColumn ? out : fitting + tail;
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
      notes += fmt::format("  {}: {}\n", node, graph::oneLine(remark));
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

// The records under one deployment; what the ladder says when the program cannot be converted with it.
std::vector<lower::NodeRecord> recordsWith(const std::string &deployment, const ModelOptions &options,
                                           const std::vector<lower::EntryPoint> &entries, Progress &progress,
                                           std::string &problem) {
  ModelOptions one = options;
  one.deployment = deployment;
  lower::Session session;
  loadPlugins(session, one);
  lower::ConvertOptions how = conversion(options, progress);
  try {
    for (const lower::EntryPoint &entry : entries)
      session.stage(entry, how.sourceRoot);
    return session.convert(entries, how).nodes();
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::kUnsupported)
      throw;
    problem = error.what();
    return lower::resolveNodes(session, entries, how.sourceRoot);
  }
}

// Node by node what another deployment would change; nothing is written.
Exit compare(const ExplainOptions &options) {
  Progress progress;
  std::vector<lower::EntryPoint> entries = loadEntries(options, progress);
  progress.phase("converting");
  std::string problems[2];
  auto before = recordsWith(options.deployment, options, entries, progress, problems[0]);
  auto after = recordsWith(options.against, options, entries, progress, problems[1]);
  progress.clear();
  std::map<std::pair<std::string, std::string>, const lower::NodeRecord *> others;
  for (const lower::NodeRecord &record : after)
    others.emplace(std::pair(record.entrypoint, record.node), &record);
  Table rows({"NODE", "OP", "SOURCE", "", "PLUGIN", "OPS"});
  Json changes = Json::array();
  size_t changed = 0;
  static const lower::NodeRecord kNone;
  for (const lower::NodeRecord &record : before) {
    auto found = others.find({record.entrypoint, record.node});
    const lower::NodeRecord &other = found == others.end() ? kNone : *found->second;
    if (record.plugin == other.plugin && record.version == other.version && record.detail == other.detail &&
        record.ops == other.ops)
      continue;
    ++changed;
    std::string node = entries.size() > 1 ? record.entrypoint + "/" + record.node : record.node;
    rows.row({node, record.key, record.source.empty() ? "-" : record.source, "-", who(record),
              shortOps(record.ops)});
    rows.row({"", "", "", "+", who(other), shortOps(other.ops)});
    changes.push_back(
        {{"entrypoint", record.entrypoint},
         {"node", record.node},
         {"key", record.key},
         {"source", record.source},
         {"before", {{"plugin", record.plugin}, {"version", record.version}, {"ops", record.ops}}},
         {"after", {{"plugin", other.plugin}, {"version", other.version}, {"ops", other.ops}}}});
  }
  std::string without = "without a deployment";
  std::string names[2] = {options.deployment.empty() ? without : "with " + options.deployment,
                          "with " + options.against};
  if (options.json) {
    auto problem = [](const std::string &text) { return text.empty() ? Json(nullptr) : Json(text); };
    printJson(Json{{"changes", std::move(changes)},
                   {"nodes", before.size()},
                   {"problems", {problem(problems[0]), problem(problems[1])}}});
  } else {
    if (changed)
      printText(rows.text());
    printText(
        fmt::format("{} of {} nodes change from - {} to + {}\n", changed, before.size(), names[0], names[1]));
    for (int i : {0, 1})
      if (!problems[i].empty())
        complain(fmt::format("{}, the program cannot be converted: {}", names[i], problems[i]));
  }
  return problems[0].empty() && problems[1].empty() ? kOk : kRefused;
}

} // namespace

Exit explain(const ExplainOptions &options) {
  if (!options.against.empty())
    return compare(options);
  Progress progress;
  lower::Session session;
  loadPlugins(session, options);
  std::vector<lower::EntryPoint> entries = loadEntries(options, progress);
  lower::ConvertOptions how = conversion(options, progress);
  progress.phase("converting");
  try {
    for (const lower::EntryPoint &entry : entries)
      session.stage(entry, how.sourceRoot);
    lower::Converted program = session.convert(entries, how);
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
      printText(table(lower::resolveNodes(session, entries, how.sourceRoot), entries.size() > 1));
    throw;
  }
}

} // namespace sixrung::cli
