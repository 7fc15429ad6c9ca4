#include "core/conformance/conformance.hpp"

#include "core/conformance/boundary_checks.hpp"
#include "core/conformance/sample_checks.hpp"
#include "core/conformance/static_checks.hpp"
#include "core/plugin/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace sixrung::conformance {
namespace {

struct Boundary {
  const char *name;
  ChildResult (*run)(const std::string &file);
  const char *remedy; // of a crash
};
constexpr Boundary kBoundary[] = {
    {"opens", opens, "do without static initializers that can fail (ABI-11)"},
    {"descriptor", descriptor, "return a pointer to a static const descriptor (ABI-2)"},
    {"registration", registration, "init must add its entries or return a status (ABI-11)"},
    {"late failure", lateFailure, "return from init when a call fails (ABI-7)"},
    {"older hosts", olderHosts,
     "read a slot of the table only after SIXRUNG_HAS, and never write to it (ABI-5)"},
    {"stale handles", staleHandles,
     "look at the status before the out-parameters, which a failed call leaves (ABI-7)"},
    {"exceptions", exceptions, "catch them at the boundary, as the SDK's functions do (ABI-7)"},
    {"shutdown", shutdownRepeats, "shutdown must tolerate repeats (ABI-15)"},
};
constexpr const char *kSampleHint =
    "give a model that uses it with --sample, or in samples/ beside the library";

class Suite {
public:
  Suite(Report &report, const Options &options) : report_(report), options_(options) {}

  void run(const plugin::PluginFile &file) {
    ChildResult seen = child("object", "the file is damaged", [&] { return staticChecks(file); });
    if (seen.words.size() == 2) {
      report_.built = seen.words[0];
      report_.native = seen.words[1] == "native";
    }
    plugin::Manifest manifest;
    try {
      manifest = plugin::manifestOf(file);
      report_.id = manifest.id;
      report_.version = manifest.version;
    } catch (const Error &) { // told by "manifest"
    }
    std::string why = report_.built.empty()   ? "it is no library"
                      : !report_.native       ? "built for " + report_.built
                      : hasFailed("manifest") ? "'manifest' failed"
                                              : "";
    bool usable = dynamic(why);
    samples(manifest, why.empty() && !usable ? "it cannot be loaded" : why);
    statuses(why);
  }

private:
  ChildResult child(const std::string &name, const std::string &remedy,
                    const std::function<ChildResult()> &body) {
    ChildResult result = runInChild(name, remedy, options_.timeout, [&] {
      int64_t before = plugin::liveStatuses();
      ChildResult inside = body();
      inside.leaked = plugin::liveStatuses() - before;
      return inside;
    });
    if (result.finished)
      ++finished_;
    if (result.leaked > 0)
      leaks_.push_back(fmt::format("{} in '{}'", result.leaked, name));
    report_.checks.insert(report_.checks.end(), result.checks.begin(), result.checks.end());
    return result;
  }
  void notRun(const std::string &name, const std::string &why, const std::string &remedy = {}) {
    report_.checks.push_back({name, Outcome::kNotRun, why, remedy});
  }
  bool hasFailed(std::string_view name) const {
    return std::any_of(report_.checks.begin(), report_.checks.end(), [&](const Check &check) {
      return check.name == name && check.outcome == Outcome::kFail;
    });
  }
  bool failed() const { return report_.checks.back().outcome == Outcome::kFail; }

  // Whether the plugin can be loaded.
  bool dynamic(std::string why) {
    for (const Boundary &check : kBoundary) {
      if (!why.empty()) {
        notRun(check.name, why);
        continue;
      }
      child(check.name, check.remedy, [&] { return check.run(report_.file); });
      std::string_view name = check.name;
      if (failed() && (name == "opens" || name == "descriptor" || name == "registration"))
        why = fmt::format("'{}' failed", name);
    }
    return why.empty();
  }

  void samples(const plugin::Manifest &manifest, const std::string &why) {
    const std::vector<Sample> &given = options_.samples;
    std::map<std::string, std::vector<std::string>> tried; // "lowering KEY" to files
    std::vector<Sample> good;
    for (const Sample &sample : given) {
      std::string file = sample.file.substr(sample.file.find_last_of('/') + 1);
      if (!why.empty()) {
        notRun("sample " + file, why);
        continue;
      }
      ChildResult result =
          child("sample " + file, "see sixrung convert", [&] { return convertSample(report_.file, sample); });
      if (failed())
        continue;
      good.push_back(sample);
      for (const std::string &word : result.words)
        tried[word].push_back(file);
    }
    std::string without = given.empty() ? "there is no sample" : "no sample that converts";
    auto orNotRun = [&](const std::string &name, const std::function<ChildResult()> &body) {
      if (!why.empty() || good.empty())
        notRun(name, why.empty() ? without : why, why.empty() ? kSampleHint : "");
      else
        child(name, "a conversion that fails must leave the plugin as it was", body);
    };
    if (!manifest.lowerings.empty())
      orNotRun("failing calls", [&] { return failingCalls(report_.file, good, options_.timeout / 2); });
    if (why.empty())
      child("two sessions", "sessions run concurrently (ABI-16)",
            [&] { return twoSessions(report_.file, good); });
    else
      notRun("two sessions", why);
    auto coverage = [&](const std::string &name, const std::string &word) {
      if (!why.empty())
        return notRun(name, why);
      auto found = tried.find(word);
      if (found == tried.end())
        return notRun(name, given.empty() ? "not tried: there is no sample" : "not tried: no sample uses it",
                      kSampleHint);
      report_.checks.push_back(
          {name, Outcome::kPass, fmt::format("in {}", fmt::join(found->second, ", ")), {}});
    };
    for (const std::string &key : manifest.lowerings)
      coverage("lowers " + key, "lowering " + key);
    for (const std::string &name : manifest.composites)
      coverage("composite " + name, "composite " + name);
    for (const std::string &name : manifest.emitters)
      orNotRun("writes " + name, [&] { return writesWith(report_.file, name, good.front()); });
    for (const std::string &name : manifest.strategies)
      orNotRun("cuts with " + name, [&] { return cutsWith(report_.file, name, good.front()); });
  }

  // Every check counts the statuses it leaves.
  void statuses(const std::string &why) {
    if (!why.empty())
      return notRun("statuses", why);
    if (leaks_.empty())
      report_.checks.push_back(
          {"statuses", Outcome::kPass, fmt::format("none left over by {} checks", finished_), {}});
    else
      report_.checks.push_back({"statuses", Outcome::kFail,
                                fmt::format("never released: {}", fmt::join(leaks_, ", ")),
                                "a status that is not returned must be released (ABI-7)"});
  }

  Report &report_;
  const Options &options_;
  size_t finished_ = 0;
  std::vector<std::string> leaks_;
};

} // namespace

size_t Report::count(Outcome outcome) const {
  return static_cast<size_t>(std::count_if(checks.begin(), checks.end(),
                                           [&](const Check &check) { return check.outcome == outcome; }));
}

Report check(const std::string &file, const Options &options) {
  plugin::PluginFile read = plugin::readPluginFile(file);
  Report report;
  report.file = read.path;
  Suite(report, options).run(read);
  return report;
}

} // namespace sixrung::conformance
