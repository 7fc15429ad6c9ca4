#include "core/conformance/boundary_checks.hpp"

#include "core/conformance/opened.hpp"
#include "core/lower/session.hpp"
#include "core/plugin/library.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <mutex>

namespace sixrung::conformance {
namespace {

constexpr uint64_t kMostInits = 2000;

ChildResult one(std::string name, Outcome outcome, std::string detail, std::string remedy = {}) {
  ChildResult result;
  result.checks = {{std::move(name), outcome, std::move(detail), std::move(remedy)}};
  return result;
}
ChildResult pass(const char *name, std::string detail) {
  return one(name, Outcome::kPass, std::move(detail));
}
ChildResult fail(const char *name, std::string detail, std::string remedy) {
  return one(name, Outcome::kFail, std::move(detail), std::move(remedy));
}
// What an exception crossed in is judged by one check alone.
ChildResult seeExceptions(const char *name, const std::string &who) {
  return one(name, Outcome::kNotRun, fmt::format("an exception left {}: see 'exceptions'", who));
}

// The words of a refusal without the file, which the report names.
std::string reason(const Error &error) {
  std::string text = error.what();
  for (std::string_view lead : {" is refused: ", ".so: ", ".dylib: "})
    if (size_t at = text.find(lead); text.starts_with("plugin ") && at != text.npos)
      return text.substr(at + lead.size());
  return text;
}

// One init whose entry `at`, counted from 1, the host refuses.
struct RefusedInit {
  RefusedInit(const Opened &opened, uint64_t at)
      : watch(refusing(at)), watching(watch), init(opened, watchedHost()) {}
  // False when it brought fewer entries than that.
  bool happened() const { return watch.calls >= watch.failAt; }

  Watch watch;
  Watching watching;
  Opened::Init init;

private:
  static Watch refusing(uint64_t at) {
    Watch watch;
    watch.failAt = at;
    watch.addsOnly = true;
    return watch;
  }
};

// The same for every kind of entry: a function that is handed a handle that lives no more.
struct StaleCall {
  std::string what;
  std::function<sixrung_status *(uint64_t id)> call;
};

std::vector<StaleCall> staleCalls(const plugin::Transaction &transaction) {
  const sixrung_host *host = watchedHost();
  std::vector<StaleCall> calls;
  for (const ladder::Entry &entry : transaction.lowerings)
    calls.push_back({"the lowering of " + entry.key,
                     [=, &entry](uint64_t id) { return entry.fn(host, entry.user, sixrung_call{id}); }});
  for (const plugin::NewComposite &added : transaction.composites) {
    const ladder::Entry *body = &added.entry->body;
    calls.push_back({"the body of composite " + added.entry->name,
                     [=](uint64_t id) { return body->fn(host, body->user, sixrung_call{id}); }});
  }
  for (const plugin::NewEmitter &added : transaction.emitters) {
    const plugin::EmitterEntry *entry = &added.entry;
    calls.push_back({"emitter " + entry->name,
                     [=](uint64_t id) { return entry->fn(host, entry->user, sixrung_emission{id}); }});
  }
  for (const plugin::NewStrategy &added : transaction.strategies) {
    const plugin::StrategyEntry *entry = added.entry.get();
    calls.push_back({"strategy " + entry->name,
                     [=](uint64_t id) { return entry->fn(host, entry->user, sixrung_partition{id}); }});
  }
  return calls;
}

// The handle of a call that has returned: a lowering of this host's own keeps it.
uint64_t endedCall() {
  static uint64_t kept = 0;
  graph::Program program;
  graph::ValueMeta meta;
  meta.kind = graph::ValueMeta::Kind::kTensor;
  meta.tensor.dtype = graph::DType::kF32;
  meta.tensor.sizes = {graph::SymInt::of(2)};
  program.graph.values = {{"x", meta}, {"y", meta}};
  program.graph.inputs = {"x"};
  graph::InputSpec input;
  input.value = "x";
  program.inputs = {input};
  graph::Node node;
  node.name = "y";
  node.target = "sixrung_conformance::keep.default";
  node.inputs = {{"x", {graph::ValueRef{"x"}}, false}};
  node.outputs = {"y"};
  program.graph.nodes = {node};
  program.graph.outputs = {{graph::ValueRef{"y"}}};
  program.outputs = {{graph::OutputSpec::Kind::kUserOutput, {graph::ValueRef{"y"}}, {}}};

  ladder::Entry entry;
  entry.key = node.target;
  entry.owner =
      std::make_shared<ladder::Owner>(ladder::Owner{"org.sixrung.conformance", "1.0.0", {}, {}, false});
  entry.fn = [](const sixrung_host *host, void *, sixrung_call call) -> sixrung_status * {
    kept = call.id;
    sixrung_named_arg x{};
    if (sixrung_status *status = host->call_arg(call, 0, &x))
      return status;
    return host->call_set_result(call, 0, sixrung_value{x.value.payload});
  };
  lower::Session session;
  session.registry().addLowering(entry, false);
  lower::EntryPoint entrypoint;
  entrypoint.program = std::make_shared<const graph::Program>(std::move(program));
  session.convert({entrypoint}, {});
  return kept;
}

std::vector<uint64_t> staleIds() { return {0, (uint64_t{12345} << 32) | 7, endedCall()}; }

} // namespace

ChildResult opens(const std::string &file) {
  try {
    std::lock_guard lock(plugin::loadMutex());
    plugin::openLibrary(plugin::judgeFile(file).file);
  } catch (const Error &error) {
    return fail("opens", reason(error),
                "every symbol it needs must be there when it is opened, and the entry be its own");
  }
  return pass("opens", "all its symbols are found");
}

ChildResult descriptor(const std::string &file) {
  try {
    Opened opened(file);
  } catch (const Error &error) {
    return fail("descriptor", reason(error),
                "SIXRUNG_PLUGIN and SIXRUNG_C_PLUGIN write descriptor and manifest alike (ABI-3)");
  }
  return pass("descriptor", "as the manifest says");
}

ChildResult registration(const std::string &file) {
  plugin::LoadOptions options;
  options.allowOverride = plugin::readManifest(file).overrides;
  plugin::Registry registry(lower::hostTable());
  try {
    registry.load(file, options);
  } catch (const Error &error) {
    return fail("registration", reason(error),
                "init adds what the manifest declares, no more and no less (ABI-3, ABI-11)");
  }
  return pass("registration", "init adds what the manifest declares");
}

ChildResult lateFailure(const std::string &file) {
  constexpr const char *kName = "late failure";
  Opened opened(file);
  uint64_t adds = 0;
  for (uint64_t at = 1; at <= kMostInits; ++at) {
    RefusedInit tried(opened, at);
    Opened::Init &init = tried.init;
    if (!init.returned.thrown.empty())
      return seeExceptions(kName, "init");
    if (!tried.happened()) {
      if (init.returned.success)
        init.shutDown();
      break;
    }
    adds = at;
    if (init.returned.success)
      return fail(kName,
                  fmt::format("init gave success although its call {} of {} had failed", at,
                              tried.watch.failedOnPurpose),
                  "return the status of every call that fails; SIXRUNG_TRY does (ABI-7)");
    if (!init.returned.wild.empty())
      return fail(kName, init.returned.wild, "return the status that the host gave (ABI-7)");
  }
  return pass(kName, fmt::format("init returns the status of a refused entry: {} tried", adds));
}

ChildResult olderHosts(const std::string &file) {
  constexpr const char *kName = "older hosts";
  Opened opened(file);
  std::string detail;
  for (uint32_t minor = 0; minor <= SIXRUNG_ABI_MINOR; ++minor) {
    OldHost host(minor);
    Opened::Init init(opened, host.table());
    bool served = minor >= opened.manifest().minHostMinor;
    if (!init.returned.thrown.empty())
      return seeExceptions(kName, "init");
    if (served && !init.returned.success)
      return fail(kName,
                  fmt::format("its minimum is host ABI 1.{}, and init on 1.{} gives: {}{}",
                              opened.manifest().minHostMinor, minor, init.returned.message,
                              init.returned.wild),
                  "raise the minimum host minor, or do without the newer slots (ABI-5)");
    if (!served && init.returned.success)
      return fail(kName,
                  fmt::format("its minimum is host ABI 1.{}, and init on 1.{} gives success",
                              opened.manifest().minHostMinor, minor),
                  "lower the minimum host minor, or return SIXRUNG_VERSION (ABI-5)");
    std::vector<std::string> wrong;
    if (served)
      wrong = plugin::differences(init.transaction, opened.manifest());
    if (init.returned.success)
      init.shutDown();
    if (!wrong.empty())
      return fail(kName, fmt::format("on host ABI 1.{} {}", minor, fmt::join(wrong, "; ")),
                  "bring the same entries on every host");
    detail += fmt::format("{}1.{} {}", detail.empty() ? "" : ", ", minor,
                          served ? "served" : "refused by a status");
  }
  return pass(kName, detail);
}

ChildResult staleHandles(const std::string &file) {
  constexpr const char *kName = "stale handles";
  Opened opened(file);
  std::vector<uint64_t> ids = staleIds();
  Opened::Init init(opened, watchedHost());
  if (!init.returned.success)
    return one(kName, Outcome::kNotRun, "init fails: see 'registration'");
  std::vector<StaleCall> calls = staleCalls(init.transaction);
  size_t silent = 0;
  for (const StaleCall &call : calls)
    for (uint64_t id : ids) {
      Watch watch;
      Watching watching(watch);
      Returned returned = called([&] { return call.call(id); });
      if (!returned.thrown.empty())
        return seeExceptions(kName, call.what);
      if (!returned.wild.empty())
        return fail(kName, fmt::format("{}: {}", call.what, returned.wild),
                    "return the status that the host gave (ABI-7)");
      if (returned.success && watch.failed)
        return fail(
            kName,
            fmt::format(
                "{} gives success for a call that is over, although {} of its {} calls to the host failed",
                call.what, watch.failed, watch.calls),
            "return the status of every call that fails; SIXRUNG_TRY does (ABI-7, ABI-8)");
      silent += returned.success && id == ids.back();
    }
  init.shutDown();
  std::string detail =
      fmt::format("{} of {} functions give an error status", calls.size() - silent, calls.size());
  if (silent)
    detail += fmt::format(", {} asked the host nothing", silent);
  return pass(kName, detail);
}

ChildResult exceptions(const std::string &file) {
  constexpr const char *kName = "exceptions";
  const std::string remedy = "catch them at the boundary, as the SDK's functions do (ABI-7)";
  Opened opened(file);
  auto crossed = [&](const std::string &who, const std::string &what) {
    return fail(kName, fmt::format("an exception left {}: {}", who, what), remedy);
  };
  for (uint64_t at : {1, 2, 3}) { // refused early on: the ways out are few
    RefusedInit tried(opened, at);
    Opened::Init &init = tried.init;
    if (!init.returned.thrown.empty())
      return crossed("init", init.returned.thrown);
    if (!init.returned.success)
      continue;
    if (std::string thrown = init.shutDown(); !thrown.empty())
      return crossed("shutdown", thrown);
  }
  Opened::Init init(opened, watchedHost());
  if (!init.returned.thrown.empty())
    return crossed("init", init.returned.thrown);
  if (!init.returned.success)
    return pass(kName, "none left init");
  std::vector<StaleCall> calls = staleCalls(init.transaction);
  for (const StaleCall &call : calls)
    for (uint64_t id : staleIds())
      if (Returned returned = called([&] { return call.call(id); }); !returned.thrown.empty())
        return crossed(call.what, returned.thrown);
  if (std::string thrown = init.shutDown(); !thrown.empty())
    return crossed("shutdown", thrown);
  return pass(kName, fmt::format("none left init, shutdown or {} function{}", calls.size(),
                                 calls.size() == 1 ? "" : "s"));
}

ChildResult shutdownRepeats(const std::string &file) {
  constexpr const char *kName = "shutdown";
  constexpr int kRounds = 3;
  Opened opened(file);
  for (int round = 0; round < kRounds; ++round) {
    Opened::Init init(opened, watchedHost());
    if (!init.returned.success)
      return one(kName, Outcome::kNotRun, "init fails: see 'registration'");
    init.shutDown(); // what it throws is told by 'exceptions'
    init.shutDown();
  }
  return pass(kName, fmt::format("{} inits, each shut down twice", kRounds));
}

} // namespace sixrung::conformance
