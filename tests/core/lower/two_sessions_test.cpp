// Two sessions with different deployments, at once: each gives its own results (ABI-16).
#include "core/lower/provenance.hpp"
#include "core/plugin/deployment.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

namespace sixrung::test {
namespace {

struct Outcome {
  std::string error, deployment;
  size_t plugins = 0, ops = 0;
};

Outcome run(const std::string &file) {
  Outcome out;
  try {
    lower::Session session(SIXRUNG_BUILD_DIR "/plugins");
    out.plugins = session.registry().plugins().size();
    plugin::applyDeployment(plugin::readDeployment(file), session.registry());
    out.plugins = session.registry().plugins().size() - out.plugins;
    lower::Converted program =
        session.convert({{"main", oneNode("aten::relu.default", tensor({4}), tensor({4})), {}, {}, {}}}, {});
    out.deployment = program.provenance().policy.deployment;
    out.ops = program.nodes().size();
  } catch (const Error &error) {
    out.error = error.what();
  }
  return out;
}

TEST(TwoSessions, WithDifferentDeploymentsInTwoThreads) {
  std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "two_sessions";
  std::filesystem::create_directories(folder);
  std::string open = (folder / "open.toml").string(), closed = (folder / "closed.toml").string();
  std::ofstream(open) << "name = \"open\"\n[[plugin]]\npath = \"" SIXRUNG_BUILD_DIR
                         "/tests/probes/good.so\"\n";
  std::ofstream(closed) << "name = \"closed\"\n[deny]\nkeys = [\"aten::relu.default\"]\n";
  for (int round = 0; round < 3; ++round) {
    Outcome a, b;
    std::thread first([&] { a = run(open); }), second([&] { b = run(closed); });
    first.join();
    second.join();
    EXPECT_EQ(a.error, "");
    EXPECT_EQ(a.deployment, "open");
    EXPECT_EQ(a.plugins, 1u);
    EXPECT_EQ(a.ops, 1u);
    EXPECT_TRUE(
        b.error.starts_with("aten::relu.default is denied by deployment 'closed' (closed.toml): node y"))
        << b.error;
  }
  std::filesystem::remove_all(folder);
}

// Built-ins, composites and private graphs, and a deployment that replaces one of them.
std::string convertedWith(const std::string &deployment) {
  lower::Session session(SIXRUNG_BUILD_DIR "/plugins");
  plugin::applyDeployment(plugin::readDeployment(deployment), session.registry());
  ProgramMaker m;
  m.input("x", tensor({4, 8}));
  m.node("a", "aten::relu.default", {use("x")}, tensor({4, 8}));
  m.node("b", "probe::scale.default", {use("a")}, tensor({4, 8}));
  m.node("c", "probe::twice.default", {use("b")}, tensor({4, 8}));
  m.output(use("c"));
  lower::Converted program = session.convert({{"main", m.program(), {}, {}, {}}}, {});
  return program.text() + program.bytecode();
}

TEST(TwoSessions, GiveWhatEachGivesAlone) {
  std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "two_sessions_alone";
  std::filesystem::create_directories(folder);
  const std::string plugin = "[[plugin]]\npath = \"" SIXRUNG_BUILD_DIR "/tests/probes/";
  const std::string files[] = {(folder / "plain.toml").string(), (folder / "rival.toml").string()};
  std::ofstream(files[0]) << "name = \"plain\"\n" << plugin << "newer.so\"\n";
  std::ofstream(files[1]) << "name = \"rival\"\n"
                          << plugin << "newer.so\"\n"
                          << plugin << "newer_rival.so\"\n"
                          << "[override]\n\"composite:probe_scale\" = \"org.sixrung.test.rival11\"\n";
  std::string alone[2], together[2];
  for (int i = 0; i < 2; ++i)
    alone[i] = convertedWith(files[i]);
  EXPECT_NE(alone[0], alone[1]);
  for (int round = 0; round < 3; ++round) {
    std::thread threads[2];
    for (int i = 0; i < 2; ++i)
      threads[i] = std::thread([&, i] {
        try {
          together[i] = convertedWith(files[i]);
        } catch (const Error &error) {
          together[i] = error.what();
        }
      });
    for (std::thread &thread : threads)
      thread.join();
    for (int i = 0; i < 2; ++i)
      EXPECT_EQ(together[i], alone[i]);
  }
  std::filesystem::remove_all(folder);
}

#if defined(__SANITIZE_THREAD__)
// Gate (g) could pass because nothing looks: this must be seen.
TEST(ThreadSanitizerDeathTest, SeesARace) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto race = [] {
    int shared = 0;
    std::thread one([&] { ++shared; }), two([&] { ++shared; });
    one.join();
    two.join();
    std::exit(0);
  };
  EXPECT_DEATH(race(), "data race");
}
#endif

} // namespace
} // namespace sixrung::test
