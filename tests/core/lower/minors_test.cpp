// Gates (c) and (d): plugins of every minor, built from source and kept as binaries, on the tables of every
// minor. Each table ends at an unreadable page, so a slot that is used without being asked for ends the test.
#include "support.hpp"
#include "tests/abi/truncated_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace sixrung::test {
namespace {

namespace fs = std::filesystem;

// Those kept of earlier minors, then those this build made for each target minor.
std::vector<std::string> plugins() {
  std::vector<std::string> files;
#if defined(__linux__) && defined(__x86_64__)
  for (const auto &entry : fs::recursive_directory_iterator(SIXRUNG_TEST_DATA "/../abi/archive"))
    if (entry.path().extension() == ".so")
      files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  EXPECT_GE(files.size(), 4u);
#endif
  for (const char *name : {"good", "plain", "newer", "newer_plain", "careful"})
    files.push_back(SIXRUNG_BUILD_DIR "/tests/probes/" + std::string(name) + ".so");
  return files;
}

TEST(Minors, EveryPluginOnEveryTable) {
  std::map<bool, int> loaded;
  for (uint32_t minor = 0; minor <= SIXRUNG_ABI_MINOR; ++minor) {
    TruncatedTable host = TruncatedTable::of(minor);
    for (const std::string &file : plugins()) {
      uint32_t needs = plugin::readManifest(file).minHostMinor;
      plugin::Registry registry(host.table());
      std::string refusal;
      try {
        registry.load(file);
      } catch (const Error &error) {
        refusal = error.what();
      }
      EXPECT_EQ(refusal.empty(), needs <= minor) << file << " on 1." << minor << ": " << refusal;
      if (!refusal.empty()) {
        EXPECT_NE(refusal.find("needs host ABI 1." + std::to_string(needs) + ", this is 1." +
                               std::to_string(minor)),
                  std::string::npos)
            << refusal;
      }
      ++loaded[refusal.empty()];
    }
  }
  EXPECT_GT(loaded[true], loaded[false]);
  EXPECT_GT(loaded[false], 0);
}

std::shared_ptr<const graph::Program> programOf(const std::string &key, std::vector<const char *> arguments) {
  ProgramMaker m;
  std::vector<graph::Argument> inputs;
  for (const char *name : arguments) {
    m.input(name, tensor({4, 8}));
    inputs.push_back(use(name));
  }
  m.node("out", key, inputs, tensor({4, 8}));
  for (size_t i = 0; i < arguments.size(); ++i)
    m.graph.nodes.back().inputs[i].name = arguments[i];
  m.output(use("out"));
  return m.program();
}

// What `key` of `file` becomes when its code is handed the table of `minor`.
std::string loweredWith(const std::string &file, const std::string &key, std::vector<const char *> arguments,
                        uint32_t minor) {
  TruncatedTable host = TruncatedTable::of(minor);
  plugin::Registry registry(host.table());
  registry.load(file);
  ladder::Entry entry = registry.table().user.at(key);
  Lab lab;
  lab.session.registry().load(SIXRUNG_BUILD_DIR "/tests/probes/newer_plain.so"); // what careful.c asks for
  lab.lowering(key, [&](const Call &c) { return entry.fn(host.table(), entry.user, c.call); });
  return lab.convert(programOf(key, arguments)).text();
}

TEST(Minors, ALoweringGivesTheSameIrOnEveryTable) {
  struct Case {
    const char *part, *key;
    std::vector<const char *> arguments;
  };
  const Case cases[] = {{"scaled_add", "acme::scaled_add.default", {"x", "y"}},
                        {"rotate_half", "acme::rotate_half.default", {"x"}},
                        {"/newer.so", "probe::twice.default", {"x"}}};
  size_t compared = 0;
  for (const std::string &file : plugins())
    for (const Case &one : cases) {
      if (file.find(one.part) == file.npos)
        continue;
      Lab whole;
      whole.session.registry().load(file);
      std::string expected = whole.convert(programOf(one.key, one.arguments)).text();
      EXPECT_NE(expected.find("coreai."), std::string::npos);
      for (uint32_t minor = plugin::readManifest(file).minHostMinor; minor <= SIXRUNG_ABI_MINOR; ++minor)
        EXPECT_EQ(loweredWith(file, one.key, one.arguments, minor), expected) << file << " on 1." << minor;
      ++compared;
    }
  EXPECT_EQ(compared, plugins().size() - 4); // all but good, plain, newer_plain and careful
}

// One binary on both: it asks for what 1.1 brought, and does without on 1.0.
TEST(Minors, APluginUsesANewerSlotWhereItIs) {
  const std::string careful = SIXRUNG_BUILD_DIR "/tests/probes/careful.so", key = "probe::careful.default";
  EXPECT_EQ(plugin::readManifest(careful).minHostMinor, 0u);
  std::string old = loweredWith(careful, key, {"x"}, 0), now = loweredWith(careful, key, {"x"}, 1);
  EXPECT_EQ(countOf(old, "coreai.invoke"), 0u) << old;
  EXPECT_EQ(countOf(old, "coreai.relu"), 1u) << old;
  EXPECT_EQ(countOf(now, "coreai.invoke @plain_relu"), 1u) << now;
}

} // namespace
} // namespace sixrung::test
