// The conformance suite (gate j): a good plugin passes, and each bad one fails the check that is about it.
#include "core/conformance/conformance.hpp"

#include "core/graph/error.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

namespace sixrung::conformance {
namespace {

namespace fs = std::filesystem;

std::string unruly(const std::string &name) { return SIXRUNG_BUILD_DIR "/tests/unruly/" + name + ".so"; }
std::string probe(const std::string &name) { return SIXRUNG_BUILD_DIR "/tests/probes/" + name + ".so"; }

// x -> probe::unruly.default -> y
Sample sample() {
  graph::ValueMeta meta;
  meta.kind = graph::ValueMeta::Kind::kTensor;
  meta.tensor.dtype = graph::DType::kF32;
  meta.tensor.sizes = {graph::SymInt::of(2), graph::SymInt::of(3)};
  auto program = std::make_shared<graph::Program>();
  program->graph.values = {{"x", meta}, {"y", meta}};
  program->graph.inputs = {"x"};
  graph::InputSpec input;
  input.value = "x";
  program->inputs = {input};
  graph::Node node;
  node.name = "y";
  node.target = "probe::unruly.default";
  node.inputs = {{"x", {graph::ValueRef{"x"}}, false}};
  node.outputs = {"y"};
  program->graph.nodes = {node};
  program->graph.outputs = {{graph::ValueRef{"y"}}};
  program->outputs = {{graph::OutputSpec::Kind::kUserOutput, {graph::ValueRef{"y"}}, {}}};
  return {"some/relu.pt2", program};
}

Report checked(const std::string &file, std::vector<Sample> samples = {}) {
  Options options;
  options.samples = std::move(samples);
  options.timeout = std::chrono::seconds(20);
  return check(file, options);
}

const Check *find(const Report &report, const std::string &name) {
  for (const Check &check : report.checks)
    if (check.name == name)
      return &check;
  return nullptr;
}

std::vector<std::string> failures(const Report &report) {
  std::vector<std::string> names;
  for (const Check &check : report.checks)
    if (check.outcome == Outcome::kFail)
      names.push_back(check.name);
  return names;
}

std::string text(const Report &report) {
  std::string out;
  for (const Check &check : report.checks)
    out += check.name + " " + std::to_string(static_cast<int>(check.outcome)) + " " + check.detail + "\n";
  return out;
}

TEST(Conformance, AGoodPluginPassesEveryCheck) {
  Report report = checked(unruly("good"), {sample()});
  EXPECT_EQ(report.count(Outcome::kPass), report.checks.size()) << text(report);
  EXPECT_EQ(report.id, "org.sixrung.test.unruly");
  EXPECT_TRUE(report.native);
  ASSERT_NE(find(report, "lowers probe::unruly.default"), nullptr);
  EXPECT_EQ(find(report, "lowers probe::unruly.default")->detail, "in relu.pt2");
}

TEST(Conformance, AKeyWithoutASampleIsNotTried) {
  Report report = checked(unruly("good"));
  EXPECT_TRUE(failures(report).empty()) << text(report);
  const Check *key = find(report, "lowers probe::unruly.default");
  ASSERT_NE(key, nullptr);
  EXPECT_EQ(key->outcome, Outcome::kNotRun);
  EXPECT_EQ(key->detail, "not tried: there is no sample");
  EXPECT_NE(key->remedy.find("--sample"), std::string::npos);
}

struct Case {
  std::string file, check, sentence;
  bool withSample = false;
};
void PrintTo(const Case &c, std::ostream *out) { *out << c.file; }

class Bad : public ::testing::TestWithParam<Case> {};

TEST_P(Bad, FailsExactlyTheCheckThatIsAboutIt) {
  const Case &c = GetParam();
  Report report = checked(c.file, c.withSample ? std::vector<Sample>{sample()} : std::vector<Sample>{});
  EXPECT_EQ(failures(report), std::vector<std::string>{c.check}) << text(report);
  const Check *check = find(report, c.check);
  ASSERT_NE(check, nullptr);
  EXPECT_NE(check->detail.find(c.sentence), std::string::npos) << check->detail;
  EXPECT_FALSE(check->remedy.empty());
}

std::string nameOf(const ::testing::TestParamInfo<Case> &info) {
  return fs::path(info.param.file).stem().string();
}

INSTANTIATE_TEST_SUITE_P(
    Static, Bad,
    ::testing::Values(Case{unruly("second_symbol"), "exports", "it exports unruly_second_symbol"},
                      Case{unruly("stray"), "undefined", "symbols of MLIR: mlir::registerAllDialects(int)"},
                      Case{unruly("dependency"), "dependencies", "it needs libtorch_unruly.so"},
                      Case{probe("no_manifest"), "manifest", "has no manifest"},
                      Case{probe("manifest_major"), "manifest", "ABI major 2"},
                      Case{probe("manifest_min_host"), "manifest", "needs host ABI 1.9"}),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    Dynamic, Bad,
    ::testing::Values(Case{unruly("nobody"), "opens", "symbolNobodyHas"},
                      Case{probe("bad_id"), "descriptor", "its descriptor says id 'org.sixrung.test.probe'"},
                      Case{probe("missing_key"), "registration", "did not add: probe::op.default"},
                      Case{probe("late_failure"), "registration", "the license ran out"},
                      Case{probe("throwing_shutdown"), "exceptions",
                           "an exception left shutdown: thrown on purpose"},
                      Case{unruly("init_swallows"), "late failure", "its call 1 of add_lowering had failed"},
                      Case{unruly("too_new"), "older hosts", "crashed: signal"},
                      Case{unruly("swallows"), "stale handles", "gives success for a call that is over"},
                      Case{unruly("throws"), "exceptions",
                           "an exception left the lowering of probe::unruly.default: thrown"},
                      Case{unruly("shuts_down_once"), "shutdown", "crashed: signal 6"},
                      Case{unruly("leaks"), "statuses", "in 'stale handles'"},
                      Case{unruly("swallows_one"), "failing calls",
                           "call_node, failed, and the lowering gave success", true},
                      Case{unruly("refuses"), "sample relu.pt2", "refused on purpose", true},
                      Case{unruly("global"), "two sessions", "other programs", true},
                      Case{unruly("emitter"), "writes unruly", "wrote nothing", true}),
    nameOf);

// More than one check is about these.
TEST(Conformance, ACrashIsAFailedCheck) {
  Report report = checked(unruly("crash"), {sample()});
  const Check *stale = find(report, "stale handles");
  ASSERT_NE(stale, nullptr);
  EXPECT_EQ(stale->outcome, Outcome::kFail);
  EXPECT_NE(stale->detail.find("crashed: signal 6"), std::string::npos) << stale->detail;
  EXPECT_EQ(find(report, "registration")->outcome, Outcome::kPass);
  EXPECT_EQ(find(report, "sample relu.pt2")->outcome, Outcome::kFail);
  EXPECT_EQ(find(report, "two sessions")->outcome,
            Outcome::kPass); // nothing of it runs without a good sample
}

TEST(Conformance, AHangEndsWithTheTimeout) {
  Options options;
  options.timeout = std::chrono::milliseconds(5000);
  Report report = check(unruly("hangs"), options);
  EXPECT_EQ(failures(report), std::vector<std::string>{"shutdown"}) << text(report);
  EXPECT_NE(find(report, "shutdown")->detail.find("still running after 5 s"), std::string::npos);
}

TEST(Conformance, WhatCannotBeLoadedIsNotRun) {
  for (const char *name :
       {"bad_magic", "bad_size", "bad_major", "bad_tier", "no_entry", "throwing", "wild_status"}) {
    Report report = checked(probe(name));
    EXPECT_FALSE(failures(report).empty()) << name;
    for (const char *later : {"stale handles", "exceptions", "shutdown", "two sessions"}) {
      const Check *check = find(report, later);
      ASSERT_NE(check, nullptr) << name << " " << later;
      EXPECT_EQ(check->outcome, Outcome::kNotRun) << name << " " << later << ": " << check->detail;
      EXPECT_FALSE(check->detail.empty());
    }
  }
}

TEST(Conformance, AFileThatIsNoLibrary) {
  fs::path file = fs::temp_directory_path() / "sixrung_conformance.so";
  std::ofstream(file) << "no library at all";
  Report report = checked(file.string());
  EXPECT_EQ(failures(report), std::vector<std::string>{"object"}) << text(report);
  EXPECT_EQ(report.count(Outcome::kPass), 0u) << text(report);
  fs::remove(file);
  EXPECT_THROW(checked(file.string()), Error);
}

// The same bytes said to be for another machine: the static part reads them, nothing is run.
TEST(Conformance, AForeignLibraryIsReadAndNotRun) {
  std::ifstream in(unruly("good"), std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  bytes[18] = static_cast<char>(183); // e_machine: EM_AARCH64
  fs::path file = fs::temp_directory_path() / "sixrung_foreign.so";
  std::ofstream(file, std::ios::binary) << bytes;
  Report report = checked(file.string(), {sample()});
  EXPECT_TRUE(failures(report).empty()) << text(report);
  EXPECT_FALSE(report.native);
  EXPECT_EQ(report.built, "Linux aarch64");
  for (const char *name : {"object", "manifest", "layout", "exports", "undefined", "dependencies"})
    EXPECT_EQ(find(report, name)->outcome, Outcome::kPass) << name;
  for (const char *name :
       {"opens", "registration", "two sessions", "lowers probe::unruly.default", "statuses"}) {
    EXPECT_EQ(find(report, name)->outcome, Outcome::kNotRun) << name;
    EXPECT_EQ(find(report, name)->detail, "built for Linux aarch64");
  }
  fs::remove(file);
}

// Damaged files fail a check or are refused; they never take the suite down.
TEST(Conformance, DamagedFiles) {
  std::ifstream in(unruly("good"), std::ios::binary);
  const std::string good{std::istreambuf_iterator<char>(in), {}};
  fs::path file = fs::temp_directory_path() / "sixrung_damaged.so";
  for (size_t size : {size_t{64}, size_t{200}, good.size() / 3, good.size() / 2, good.size() - 40}) {
    std::ofstream(file, std::ios::binary) << good.substr(0, size);
    EXPECT_FALSE(failures(checked(file.string())).empty()) << size;
  }
  fs::remove(file);
}

} // namespace
} // namespace sixrung::conformance
