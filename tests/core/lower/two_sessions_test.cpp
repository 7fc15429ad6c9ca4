// Two sessions with different deployments, at once: each gives its own results (ABI-16).
#include "core/lower/provenance.hpp"
#include "core/plugin/deployment.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

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

} // namespace
} // namespace sixrung::test
