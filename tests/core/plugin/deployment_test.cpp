// Deployment files: read, held against plugins, pinned. No code of a plugin runs here.
#include "core/plugin/deployment.hpp"
#include "core/plugin/version_range.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace sixrung::plugin {
namespace {

namespace fs = std::filesystem;

std::string probe(const std::string &name) { return SIXRUNG_BUILD_DIR "/tests/probes/" + name + ".so"; }

class DeploymentTest : public testing::Test {
protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / (std::string("deployment_") + info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    fillPluginSlots(host_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static const testing::TestInfo *info() { return testing::UnitTest::GetInstance()->current_test_info(); }
  std::string write(const std::string &text, const std::string &name = "d.toml") {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  std::string read(const std::string &name = "d.toml") {
    std::ifstream in(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void copy(const std::string &name, const std::string &as) {
    fs::copy_file(probe(name), folder_ / as, fs::copy_options::overwrite_existing);
  }
  // The error of reading the text and inspecting what it names; without the folder.
  std::string refusal(const std::string &text) {
    try {
      inspectDeployment(readDeployment(write(text)), registry_);
    } catch (const Error &error) {
      std::string said = error.what(), path = folder_.string() + "/";
      for (size_t at; (at = said.find(path)) != said.npos;)
        said.erase(at, path.size());
      return said;
    }
    ADD_FAILURE() << "not refused:\n" << text;
    return {};
  }

  fs::path folder_;
  sixrung_host host_{};
  Registry registry_{&host_};
};

bool has(const std::string &text, const std::string &part) { return text.find(part) != text.npos; }

TEST(VersionRange, Bounds) {
  auto takes = [](const char *range, const char *version) { return VersionRange(range).contains(version); };
  EXPECT_TRUE(takes(">=1.2,<2", "1.2.0"));
  EXPECT_TRUE(takes(">=1.2 , <2", "1.10.3"));
  EXPECT_FALSE(takes(">=1.2,<2", "1.1.9"));
  EXPECT_FALSE(takes(">=1.2,<2", "2.0.0"));
  EXPECT_TRUE(takes("1.2.3", "1.2.3+build.7"));
  EXPECT_FALSE(takes("1.2", "1.2.1"));
  EXPECT_FALSE(takes("!=1.2.1,>1", "1.2.1"));
  EXPECT_TRUE(takes("<=1.2.1", "1.2.1"));
  // Pre-releases, by semantic versioning 11, and only where one is named.
  EXPECT_FALSE(takes(">=1.2,<2", "2.0.0-rc.1"));
  EXPECT_TRUE(takes(">=2.0.0-rc.1", "2.0.0-rc.2"));
  EXPECT_FALSE(takes(">=2.0.0-rc.2", "2.0.0-rc.1"));
  EXPECT_TRUE(takes(">2.0.0-rc.9", "2.0.0-rc.10"));
  EXPECT_FALSE(takes("1", "no version"));
  for (const char *wrong : {"", ">=", "=>1", "~1", ">=1,", "1.2.3.4", "one"})
    EXPECT_THROW(VersionRange range(wrong), std::invalid_argument) << wrong;
}

TEST_F(DeploymentTest, ReadsEverythingInOrder) {
  Deployment d =
      parseDeployment("name = \"edge\"\nstrict = true\n"
                      "[[plugin]]\npath = \"b.so\"\n[[plugin]]\npath = \"../a.so\"\nid = \"com.acme.a\"\n"
                      "version = \">=1\"\n[override]\n\"torch.ops.aten.relu.default\" = \"com.acme.a\"\n"
                      "\"emitter:mlir\" = \"com.acme.a\"\n[deny]\nkeys = [\"aten.histc.default\"]\n"
                      "plugins = [\"com.acme.no\"]\n",
                      "x/y/d.toml");
  EXPECT_EQ(d.name, "edge");
  EXPECT_TRUE(d.strict);
  ASSERT_EQ(d.plugins.size(), 2u);
  EXPECT_EQ(d.plugins[0].path, "x/y/b.so");
  EXPECT_EQ(d.plugins[1].path, "x/a.so");
  ASSERT_EQ(d.overrides.size(), 2u);
  EXPECT_EQ(d.overrides[0].key, "aten::relu.default");
  EXPECT_EQ(d.overrides[1].key, "emitter:mlir");
  EXPECT_EQ(d.deniedKeys.at(0).what, "aten::histc.default");
  EXPECT_EQ(d.deniedPlugins.at(0).what, "com.acme.no");
  EXPECT_EQ(d.sha256.size(), 64u);
}

TEST_F(DeploymentTest, WhatIsMisspeltIsNamedWithItsLine) {
  auto starts = [&](const std::string &text, const std::string &said) {
    std::string got = refusal(text);
    EXPECT_TRUE(got.starts_with(said)) << got;
  };
  starts("name = \"a\"\nstric = true\n",
         "d.toml:2: 'stric' is no key of a deployment; did you mean 'strict'?");
  starts("name = \"a\"\n[[plugin]]\npath = \"a\"\n\nversoin = \"1\"\n",
         "d.toml:5: 'versoin' is no key of [[plugin]]; did you mean 'version'?");
  starts("name = \"a\"\nqqqqqq = 1\n", "d.toml:2: 'qqqqqq' is no key of a deployment; known are name,");
  starts("name = \"a\"\n[deny]\nkey = []\n", "d.toml:3: 'key' is no key of [deny]; did you mean 'keys'?");
  starts("strict = true\n", "d.toml:1: a deployment needs a name");
  starts("name = \"a\"\nstrict = \"yes\"\n", "d.toml:2: strict must be true or false");
  starts("name = \"a\"\n[plugin]\npath = \"a\"\n", "d.toml:2: plugins are a list");
  starts("name = \"a\"\n[[plugin]]\nid = \"com.acme.a\"\n", "d.toml:2: this plugin has no path");
  starts("name = \"a\"\n[[plugin]]\npath = \"a\"\nversion = \"~1\"\n",
         "d.toml:4: '~1' in '~1' is no version");
  starts("name = \"a\"\n[[plugin]]\npath = \"a\"\nsha256 = \"12\"\n", "d.toml:4: sha256 must be 64");
  starts("name = \"a\"\n[override]\n\"aten::relu\" = \"com.acme.a\"\n\"relu\" = \"com.acme.a\"\n",
         "d.toml:4: 'relu' is overridden in line 3");
  starts("name = \"a\"\n[override]\naten.relu.default = \"com.acme.a\"\n",
         "d.toml:3: override of 'aten' must name");
  starts("name = \"a\"\nname = \"b\"\n", "d.toml:2: ");
  starts("name = \n", "d.toml:1: ");
}

TEST_F(DeploymentTest, RefusalsNameFileLineAndPlugins) {
  copy("good", "good.so");
  copy("same_id_elsewhere", "twin.so");
  copy("same_key_other_id", "rival.so");
  std::string good = "name = \"a\"\n[[plugin]]\npath = \"good.so\"\n";
  inspectDeployment(readDeployment(write(good)), registry_);
  std::string id = inspectDeployment(readDeployment(write(good)), registry_).plugins.at(0).manifest.id;

  EXPECT_TRUE(refusal("name = \"a\"\n[[plugin]]\npath = \"no.so\"\n").starts_with("d.toml:2: plugin no.so"));
  std::string said = refusal(good + "id = \"com.acme.other\"\n");
  EXPECT_EQ(said, "d.toml:2: 'good.so' is " + id + " 1.0.0, not com.acme.other");
  said = refusal(good + "version = \">=1.2,<2\"\n");
  EXPECT_EQ(said, "d.toml:2: 'good.so' is " + id + " 1.0.0, and the deployment wants version >=1.2,<2");
  said = refusal(good + "[[plugin]]\npath = \"twin.so\"\n");
  EXPECT_EQ(said,
            "d.toml:4: 'twin.so' has the id of 'good.so' (line 2), " + id + ": one id stands for one file");
  said = refusal(good + "[[plugin]]\npath = \"rival.so\"\n");
  EXPECT_EQ(said, "d.toml:4: org.sixrung.test.rival 1.0.0 claims 'probe::op.default', which " + id +
                      " 1.0.0 serves, and no override permits it");
  said = refusal(good + "[override]\n\"probe::op.default\" = \"" + id + "\"\n");
  EXPECT_TRUE(has(said, "d.toml:5: ") && has(said, "replaces nothing: nobody else serves that key")) << said;
  said = refusal(good + "[override]\n\"probe::op.default\" = \"org.sixrung.test.goood\"\n");
  EXPECT_TRUE(has(said, "is no plugin of this deployment")) << said;
  said = refusal(good + "[override]\n\"probe::opp.default\" = \"" + id + "\"\n");
  EXPECT_TRUE(has(said, "does not serve that key; did you mean 'probe::op.default'?")) << said;
  said = refusal(good + "[deny]\nplugins = [\"" + id + "\"]\n");
  EXPECT_EQ(said, "d.toml:2: 'good.so' is " + id + ", which line 5 denies");
  // The winner comes last.
  said = refusal("name = \"a\"\n[[plugin]]\npath = \"rival.so\"\n[[plugin]]\npath = \"good.so\"\n[override]\n"
                 "\"probe::op.default\" = \"org.sixrung.test.rival\"\n");
  EXPECT_TRUE(has(said, "d.toml:7: ") && has(said, "list org.sixrung.test.rival last")) << said;
  std::string permitted = good + "[[plugin]]\npath = \"rival.so\"\n[override]\n"
                                 "\"probe::op.default\" = \"org.sixrung.test.rival\"\n";
  Inspection seen = inspectDeployment(readDeployment(write(permitted)), registry_);
  ASSERT_EQ(seen.warnings.size(), 1u);
  EXPECT_TRUE(has(seen.warnings[0], "without declaring an override")) << seen.warnings[0];
}

TEST_F(DeploymentTest, AKeyWithoutItsOverloadIsToldTheOverload) {
  copy("aten_relu", "relu.so");
  std::string relu = "name = \"a\"\n[[plugin]]\npath = \"relu.so\"\n";
  Inspection seen =
      inspectDeployment(readDeployment(write(relu + "[deny]\nkeys = [\"aten::relu\"]\n")), registry_);
  ASSERT_EQ(seen.warnings.size(), 1u);
  EXPECT_TRUE(has(seen.warnings[0], "'relu' is denied, and nobody serves it; with its overload it is "
                                    "'aten::relu.default'"))
      << seen.warnings[0];
  std::string said = refusal(relu + "[override]\n\"aten::relu\" = \"org.sixrung.test.relu\"\n");
  EXPECT_TRUE(has(said, "does not serve that key; with its overload it is 'aten::relu.default'")) << said;
}

TEST_F(DeploymentTest, StrictRefusesWhatIsNotPinnedAndWarnings) {
  copy("good", "good.so");
  std::string text = "name = \"a\"\nstrict = true\n[[plugin]]\npath = \"good.so\"\n";
  EXPECT_EQ(refusal(text), "d.toml:3: 'good.so' is not pinned, and deployment 'a' is strict");
  lockDeployment(write(text), registry_);
  inspectDeployment(readDeployment((folder_ / "d.toml").string()), registry_);
  std::string said = refusal(read() + "[deny]\nkeys = [\"probe::none.default\"]\n");
  EXPECT_TRUE(has(said, "'probe::none.default' is denied, and nobody serves it (strict:")) << said;
}

TEST_F(DeploymentTest, LockKeepsTheTextAndItsPinsHold) {
  copy("good", "good.so");
  copy("two_keys", "two.so");
  std::string text = "# ours\nname = \"a\" # the name\n\n[[plugin]]\n  path = \"good.so\" # first \xC3\xA9\n"
                     "[[plugin]]\r\npath = 'two.so'\r\nsha256 = \"" +
                     std::string(64, 'A') + "\" # old\n# end";
  std::string path = write(text);
  fs::permissions(path, fs::perms(0640));
  EXPECT_EQ(lockDeployment(path, registry_).written, 2u);
  Deployment locked = readDeployment(path);
  std::string expected = text;
  expected.replace(expected.find(std::string(64, 'A')), 64, locked.plugins[1].sha256);
  std::string line = "  path = \"good.so\" # first \xC3\xA9\n";
  expected.insert(expected.find(line) + line.size(), "  sha256 = \"" + locked.plugins[0].sha256 + "\"\n");
  EXPECT_EQ(read(), expected);
  EXPECT_EQ(fs::status(path).permissions(), fs::perms(0640));
  EXPECT_EQ(lockDeployment(path, registry_).written, 0u);
  inspectDeployment(locked, registry_);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 3);

  // One changed byte, and another file in its place.
  {
    std::fstream file(folder_ / "good.so", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-1, std::ios::end);
    file.put('!');
  }
  std::string said = refusal(read());
  EXPECT_TRUE(has(said, "'good.so' is not the file that was pinned: its SHA-256 is ")) << said;
  copy("same_id_elsewhere", "good.so");
  EXPECT_TRUE(has(refusal(read()), "is not the file that was pinned"));
}

TEST_F(DeploymentTest, PinsInInlineTables) {
  std::string pin(64, 'a');
  EXPECT_EQ(withPins("name=\"a\"\nplugin = [{path = \"x\", id = \"com.acme.x\"}]\n", "d", {pin}),
            "name=\"a\"\nplugin = [{path = \"x\", sha256 = \"" + pin + "\", id = \"com.acme.x\"}]\n");
}

} // namespace
} // namespace sixrung::plugin
