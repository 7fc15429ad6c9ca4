#include "core/conformance/sample_checks.hpp"

#include "core/conformance/opened.hpp"
#include "core/lower/session.hpp"
#include "core/plugin/library.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <set>
#include <stdlib.h>
#include <thread>

namespace sixrung::conformance {
namespace {

namespace fs = std::filesystem;

ChildResult one(std::string name, Outcome outcome, std::string detail, std::string remedy = {}) {
  ChildResult result;
  result.checks = {{std::move(name), outcome, std::move(detail), std::move(remedy)}};
  return result;
}

// The built-ins, and the plugin with every permission its manifest asks for.
std::unique_ptr<lower::Session> sessionWith(const std::string &file) {
  auto session = std::make_unique<lower::Session>();
  plugin::Manifest manifest = plugin::readManifest(file);
  plugin::LoadOptions options;
  options.allowOverride = manifest.overrides;
  // A composite or strategy says so in no line of its manifest: alone with the built-ins, it may.
  for (const std::string &name : manifest.composites)
    options.allowOverride.insert("composite:" + name);
  for (const std::string &name : manifest.strategies)
    options.allowOverride.insert("strategy:" + name);
  for (const std::string &name : manifest.emitters)
    options.allowOverride.insert("emitter:" + name);
  session->registry().load(file, options);
  return session;
}

std::vector<lower::EntryPoint> entryOf(const Sample &sample) {
  lower::EntryPoint entry;
  entry.program = sample.program;
  return {entry};
}

std::string hintOf(const Error &error) {
  for (const auto &[key, value] : error.payload())
    if (key == "hint")
      return value;
  return "the sample must convert: see sixrung convert, or remove it";
}

std::string nameOf(const Sample &sample) { return fs::path(sample.file).filename().string(); }

// The key of "KEY by PLUGIN VERSION", a dispatch from inside a lowering.
std::string dispatched(const std::string &remark, const std::string &plugin) {
  size_t by = remark.find(" by " + plugin);
  return by == remark.npos ? std::string() : remark.substr(0, by);
}

// A lowering of the plugin behind the watched table.
struct Watched {
  sixrung_lower_fn fn;
  void *user;
};
sixrung_status *lowerWatched(const sixrung_host *, void *user, sixrung_call call) {
  const auto *original = static_cast<const Watched *>(user);
  return original->fn(watchedHost(), original->user, call);
}

// Puts the watch between the host and every lowering of plugin `id`.
void watchLowerings(plugin::Registry &registry, const std::string &id,
                    std::vector<std::unique_ptr<Watched>> &kept) {
  std::vector<ladder::Entry> entries;
  for (const auto *table : {&registry.table().user, &registry.table().builtin})
    for (const auto &[key, entry] : *table)
      if (entry.owner->id == id)
        entries.push_back(entry);
  for (ladder::Entry &entry : entries) {
    kept.push_back(std::make_unique<Watched>(Watched{entry.fn, entry.user}));
    entry.fn = lowerWatched;
    entry.user = kept.back().get();
    registry.addLowering(entry, true);
  }
}

} // namespace

ChildResult convertSample(const std::string &file, const Sample &sample) {
  const std::string name = "sample " + nameOf(sample);
  try {
    std::unique_ptr<lower::Session> session = sessionWith(file);
    std::string id = plugin::readManifest(file).id;
    std::vector<lower::EntryPoint> entries = entryOf(sample);
    session->stage(entries.front());
    lower::Converted converted = session->convert(entries, {});
    std::set<std::string> words;
    size_t nodes = 0;
    for (const lower::NodeRecord &record : converted.nodes()) {
      if (record.plugin == id) {
        ++nodes;
        words.insert("lowering " + record.key);
      }
      for (const std::string &remark : record.remarks)
        if (std::string key = dispatched(remark, id); !key.empty())
          words.insert(key.starts_with("composite")
                           ? "composite " + key.substr(key.find_first_not_of(": ", 9))
                           : "lowering " + key);
    }
    ChildResult result = one(name, Outcome::kPass,
                             fmt::format("converted to {} ops, {} node{} by this plugin", converted.opCount(),
                                         nodes, nodes == 1 ? "" : "s"));
    result.words = {words.begin(), words.end()};
    return result;
  } catch (const Error &error) {
    return one(name, Outcome::kFail, error.what(), hintOf(error));
  }
}

ChildResult failingCalls(const std::string &file, const std::vector<Sample> &samples,
                         std::chrono::milliseconds budget) {
  const std::string name = "failing calls";
  using Clock = std::chrono::steady_clock;
  Clock::time_point end = Clock::now() + budget;
  std::unique_ptr<lower::Session> session = sessionWith(file);
  std::vector<std::unique_ptr<Watched>> kept;
  watchLowerings(session->registry(), plugin::readManifest(file).id, kept);
  uint64_t tried = 0;
  bool whole = true;
  for (const Sample &sample : samples)
    for (uint64_t at = 1;; ++at) {
      if (Clock::now() > end) {
        whole = false;
        break;
      }
      Watch watch;
      watch.failAt = at;
      Watching watching(watch);
      try {
        session->convert(entryOf(sample), {});
        if (watch.calls < at)
          break; // there are no more calls
        return one(name, Outcome::kFail,
                   fmt::format("{}: call {} to the host, {}, failed, and the lowering gave success",
                               nameOf(sample), at, watch.failedOnPurpose),
                   "return the status of every call that fails; SIXRUNG_TRY does (ABI-7)");
      } catch (const Error &error) {
        if (watch.calls < at)
          break; // the sample fails by itself: told by its own check
        if (std::string(error.what()).find("an exception") != std::string::npos)
          return one(name, Outcome::kFail, error.what(), "catch exceptions at the boundary (ABI-7)");
      }
      ++tried;
    }
  if (tried == 0)
    return one(name, Outcome::kNotRun, "no sample makes a lowering of this plugin run",
               "give one with --sample");
  return one(name, Outcome::kPass,
             fmt::format("{} calls to the host failed in turn, and the conversion with each{}", tried,
                         whole ? "" : "; the others were left for lack of time"));
}

ChildResult twoSessions(const std::string &file, const std::vector<Sample> &samples) {
  constexpr int kRounds = 4;
  std::vector<std::string> expected;
  std::vector<const Sample *> used;
  auto programs = [&](lower::Session &session) {
    std::vector<std::string> texts;
    for (const Sample *sample : used)
      texts.push_back(session.convert(entryOf(*sample), {}).bytecode());
    return texts;
  };
  {
    std::unique_ptr<lower::Session> session = sessionWith(file);
    for (const Sample &sample : samples)
      try {
        expected.push_back(session->convert(entryOf(sample), {}).bytecode());
        used.push_back(&sample);
      } catch (const Error &) { // told by the sample's own check
      }
  }
  std::atomic<int> different = 0;
  std::string failure[2];
  auto run = [&](std::string &failed) {
    try {
      for (int round = 0; round < kRounds; ++round)
        if (programs(*sessionWith(file)) != expected)
          ++different;
    } catch (const std::exception &error) {
      failed = error.what();
    }
  };
  std::thread other([&] { run(failure[1]); });
  run(failure[0]);
  other.join();
  const char *remedy = "keep what a session knows in its state, not in globals (ABI-16)";
  for (const std::string &failed : failure)
    if (!failed.empty())
      return one("two sessions", Outcome::kFail, failed, remedy);
  if (different)
    return one("two sessions", Outcome::kFail, "sessions side by side give other programs than one alone",
               remedy);
  return one("two sessions", Outcome::kPass,
             fmt::format("in two threads, {} times each: {}", kRounds,
                         used.empty() ? std::string("loaded and shut down")
                                      : fmt::format("{} sample{}, the same programs", used.size(),
                                                    used.size() == 1 ? "" : "s")));
}

ChildResult writesWith(const std::string &file, const std::string &emitter, const Sample &sample) {
  const std::string name = "writes " + emitter;
  std::string pattern = (fs::temp_directory_path() / "sixrung-check.XXXXXX").string();
  if (!::mkdtemp(pattern.data()))
    return one(name, Outcome::kNotRun, "there is no folder to write to");
  fs::path folder = pattern;
  struct Cleared {
    fs::path folder;
    ~Cleared() {
      std::error_code ignored;
      fs::remove_all(folder, ignored);
    }
  } cleared{folder};
  try {
    std::unique_ptr<lower::Session> session = sessionWith(file);
    const plugin::EmitterEntry *entry = session->registry().emitter(emitter);
    fs::path path =
        folder / ("sample" + (entry && !entry->suffixes.empty() ? entry->suffixes.front() : std::string()));
    lower::Converted converted = session->convert(entryOf(sample), {});
    session->emit(converted, path.string(), emitter);
    if (!fs::exists(path))
      return one(name, Outcome::kFail, "it gave success and wrote nothing",
                 "write emission_info().path, or return a status");
  } catch (const Error &error) {
    return one(name, Outcome::kFail, error.what(), hintOf(error));
  }
  return one(name, Outcome::kPass, "wrote the program of " + nameOf(sample));
}

ChildResult cutsWith(const std::string &file, const std::string &strategy, const Sample &sample) {
  const std::string name = "cuts with " + strategy;
  try {
    lower::ConvertOptions options;
    options.strategies = {{strategy, {}}};
    sessionWith(file)->convert(entryOf(sample), options);
  } catch (const Error &error) {
    return one(name, Outcome::kNotRun, fmt::format("without options it says: {}", error.what()),
               "try it with sixrung convert --externalize " + strategy + ":PATH");
  }
  return one(name, Outcome::kPass, "ran on the nodes of " + nameOf(sample));
}

} // namespace sixrung::conformance
