// ABI-12: who may take which key.
#include "core/plugin/registry.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace sixrung::plugin {
namespace {

namespace fs = std::filesystem;

std::string probe(const std::string &name) { return SIXRUNG_BUILD_DIR "/tests/probes/" + name + ".so"; }
sixrung_status *noLowering(const sixrung_host *, void *, sixrung_call) { return nullptr; }

class Clash : public ::testing::Test {
protected:
  static const sixrung_host &host() {
    static const sixrung_host host = [] {
      sixrung_host h{};
      h.struct_size = sizeof h;
      h.abi_major = SIXRUNG_ABI_MAJOR;
      fillPluginSlots(h);
      return h;
    }();
    return host;
  }
  Registry registry{&host()};

  void expectRefused(const std::string &name, std::initializer_list<std::string_view> parts,
                     const LoadOptions &options = {}) {
    size_t user = registry.table().user.size(), builtin = registry.table().builtin.size();
    size_t plugins = registry.plugins().size();
    try {
      registry.load(probe(name), options);
      FAIL() << name << " was loaded";
    } catch (const Error &error) {
      EXPECT_EQ(error.kind(), ErrorKind::kPlugin);
      for (std::string_view part : parts)
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
            << "'" << part << "' does not stand in: " << error.what();
    }
    EXPECT_EQ(registry.table().user.size(), user);
    EXPECT_EQ(registry.table().builtin.size(), builtin);
    EXPECT_EQ(registry.plugins().size(), plugins);
  }
  static ladder::Entry python(const std::string &key) {
    ladder::Entry entry;
    entry.key = key;
    entry.fn = noLowering;
    entry.owner = std::make_shared<ladder::Owner>(ladder::Owner{"python", "", "model.py", "", false});
    return entry;
  }
  const std::string &idOf(const std::string &key) { return registry.table().user.at(key).owner->id; }
};

TEST_F(Clash, GoodPluginsLoad) {
  registry.load(probe("good"));
  registry.load(probe("plain")); // in C
  ASSERT_EQ(registry.plugins().size(), 2u);
  const PluginInfo &info = registry.plugins()[0];
  EXPECT_EQ(info.owner.id, "org.sixrung.test.probe");
  EXPECT_EQ(info.owner.version, "1.0.0");
  EXPECT_EQ(info.owner.sha256.size(), 64u);
  EXPECT_EQ(info.owner.file, fs::canonical(probe("good")).string());
  EXPECT_EQ(info.fingerprint, "test");
  EXPECT_TRUE(info.remarks.empty());
  EXPECT_NE(registry.table().user.at("probe::op.default").fn, nullptr);
}

TEST_F(Clash, NewerLongerDescriptorIsAccepted) { registry.load(probe("longer")); }

TEST_F(Clash, SameFileAgainIsNothing) {
  registry.load(probe("good"));
  registry.load(probe("good"));
  fs::path link = fs::temp_directory_path() / "sixrung_same_file.so";
  fs::remove(link);
  fs::create_symlink(probe("good"), link);
  registry.load(link.string());
  fs::remove(link);
  EXPECT_EQ(registry.plugins().size(), 1u);
}

TEST_F(Clash, SameIdOfAnotherFile) {
  registry.load(probe("good"));
  expectRefused("same_id_elsewhere", {"has the id of org.sixrung.test.probe 1.0.0", "good.so"},
                {false, {"probe::op.default"}}); // no permission reaches that far
}

TEST_F(Clash, TwoPrivatesOneKey) {
  registry.load(probe("good"));
  expectRefused("same_key_other_id", {"key 'probe::op.default'", "org.sixrung.test.probe 1.0.0", "good.so",
                                      "org.sixrung.test.rival 1.0.0", "same_key_other_id.so",
                                      "--allow-override probe::op.default", "does not declare"});
  expectRefused("same_key_declared", {"only who deploys permits"});
}

TEST_F(Clash, PermittedAndDeclared) {
  registry.load(probe("good"));
  registry.load(probe("same_key_declared"), {false, {"probe::op.default"}});
  EXPECT_EQ(idOf("probe::op.default"), "org.sixrung.test.declared");
  EXPECT_TRUE(registry.plugins()[1].remarks.empty());
  ladder::Ladder ladder(registry.table());
  auto match = ladder.resolveKey("probe::op.default");
  ASSERT_EQ(match.losers.size(), 1u);
  EXPECT_EQ(match.losers[0]->owner->id, "org.sixrung.test.probe");
}

TEST_F(Clash, PermittedButUndeclaredIsRemarked) {
  registry.load(probe("good"));
  registry.load(probe("same_key_other_id"), {false, {"probe.op.default"}}); // any spelling of the key
  ASSERT_EQ(registry.plugins()[1].remarks.size(), 1u);
  EXPECT_NE(registry.plugins()[1].remarks[0].find("without declaring"), std::string::npos);
}

TEST_F(Clash, OverrideOfNothingIsRemarked) {
  registry.load(probe("same_key_declared"));
  ASSERT_EQ(registry.plugins()[0].remarks.size(), 1u);
  EXPECT_NE(registry.plugins()[0].remarks[0].find("nothing else serves"), std::string::npos);
}

TEST_F(Clash, PrivateAgainstBuiltin) {
  registry.load(probe("aten_relu"), {true, {}});
  EXPECT_EQ(registry.table().builtin.size(), 1u);
  EXPECT_THROW(registry.addLowering(python("aten::relu.default"), false), Error);
  try {
    registry.addLowering(python("aten::relu.default"), false);
  } catch (const Error &error) {
    EXPECT_TRUE(
        std::string(error.what())
            .starts_with("'aten::relu.default' is already registered; set allow_override=True to replace it"))
        << error.what();
  }
  registry.addLowering(python("aten::relu.default"), true);
  ladder::Ladder ladder(registry.table());
  auto match = ladder.resolveKey("aten::relu.default");
  EXPECT_EQ(match.rung, ladder::Rung::kUser);
  ASSERT_EQ(match.losers.size(), 1u);
  EXPECT_TRUE(match.losers[0]->owner->builtin);
}

TEST_F(Clash, PythonAgainstPythonAndPlugin) {
  registry.addLowering(python("probe::op.default"), false);
  EXPECT_THROW(registry.addLowering(python("probe::op.default"), false), Error);
  expectRefused("good", {"key 'probe::op.default'", "python"});
  registry.addLowering(python("probe::op.default"), true);
  registry.load(probe("good"), {false, {"probe::op.default"}});
  EXPECT_EQ(idOf("probe::op.default"), "org.sixrung.test.probe");
  EXPECT_EQ(registry.table().displaced.size(), 2u);
}

TEST_F(Clash, PythonKeysAreCanonical) {
  EXPECT_THROW(registry.addLowering(python("probe.op.default"), false), Error);
  EXPECT_THROW(registry.addLowering(python("probe::op"), false), Error);
  EXPECT_THROW(registry.addLowering(python("aten::truediv"), false), Error);
  registry.addLowering(python("truediv"), false);
}

TEST_F(Clash, CoreAiKeysClashWithoutTheOverload) { // LADDER-4
  registry.addLowering(python("coreai::quantize"), false);
  expectRefused("coreai_default", {"key 'coreai::quantize.default'", "as 'coreai::quantize'"});
  registry.load(probe("coreai_default"), {false, {"coreai::quantize"}});
  EXPECT_EQ(registry.table().user.size(), 1u);
  EXPECT_EQ(idOf("coreai::quantize.default"), "org.sixrung.test.coreai");
}

TEST_F(Clash, BuiltinsStandOnRungs3To5) {
  expectRefused("good", {"stands on no rung"}, {true, {}});
  registry.load(probe("coreai_default"), {true, {}});
}

TEST_F(Clash, TwoBuiltinsNeverShareAKey) {
  fs::path folder = fs::temp_directory_path() / "sixrung_two_builtins";
  fs::remove_all(folder);
  fs::create_directories(folder);
  fs::copy_file(probe("aten_relu"), folder / "a.so");
  fs::copy_file(probe("coreai_default"), folder / "b.so");
  std::ofstream(folder / "readme.txt") << "not a plugin";
  registry.loadBuiltins(folder.string());
  EXPECT_EQ(registry.plugins().size(), 2u);
  EXPECT_EQ(registry.plugins()[0].owner.id, "org.sixrung.test.relu"); // by file name
  EXPECT_THROW(registry.loadBuiltins((folder / "absent").string()), Error);
  fs::remove_all(folder);
}

TEST_F(Clash, EmittersByNameAndSuffix) {
  registry.load(probe("emitter"));
  ASSERT_NE(registry.emitter("probe"), nullptr);
  EXPECT_EQ(registry.emitter("absent"), nullptr);
  EXPECT_EQ(registry.emitterForPath("/tmp/x.probeb")->name, "probe");
  EXPECT_EQ(registry.emitterForPath("/tmp/x.other"), nullptr);
  expectRefused("emitter_rival", {"emitter 'probe' is already registered", "--allow-override emitter:probe"});
  expectRefused("emitter_suffix",
                {"file suffix '.probeb' (emitter 'probe')", "--allow-override emitter:other"});
  EXPECT_FALSE(registry.isOverridden("emitter:probe"));
  registry.load(probe("emitter_suffix"), {false, {"emitter:other"}});
  EXPECT_TRUE(registry.isOverridden("emitter:other"));  // by a suffix alone
  EXPECT_FALSE(registry.isOverridden("emitter:probe")); // which lost it
  EXPECT_EQ(registry.emitterForPath("x.probe")->name, "other");
  EXPECT_FALSE(registry.isOverridden("emitter:absent"));
}

TEST_F(Clash, EmittersOfOneName) {
  registry.load(probe("emitter"));
  registry.load(probe("emitter_rival"), {false, {"emitter:probe"}});
  EXPECT_TRUE(registry.isOverridden("emitter:probe"));
  EXPECT_EQ(registry.emitter("probe")->owner->id, "org.sixrung.test.emitter2");
  EXPECT_EQ(registry.emitterForPath("x.probe")->owner->id, "org.sixrung.test.emitter2");
  EXPECT_EQ(registry.emitters().size(), 1u);
}

} // namespace
} // namespace sixrung::plugin
