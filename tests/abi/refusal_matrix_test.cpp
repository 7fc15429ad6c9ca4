// Gate (e): every way to be wrong is refused with a sentence, and the registry is as before.
#include "core/plugin/registry.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <chrono>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <thread>

namespace sixrung::plugin {
namespace {

namespace fs = std::filesystem;

const sixrung_host *testHost() {
  static const sixrung_host host = [] {
    sixrung_host h{};
    h.struct_size = sizeof h;
    h.abi_major = SIXRUNG_ABI_MAJOR;
    h.abi_minor = SIXRUNG_ABI_MINOR;
    fillPluginSlots(h);
    return h;
  }();
  return &host;
}

std::string probe(const std::string &name) { return SIXRUNG_BUILD_DIR "/tests/probes/" + name + ".so"; }

// What the probe counted, in a library this process has open.
struct Counts {
  int inits, shutdowns;
  sixrung_transaction last;
};
Counts *countsOf(const std::string &file) {
  void *library = ::dlopen(fs::canonical(file).c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (!library)
    return nullptr;
  auto entry = reinterpret_cast<sixrung_entry_fn>(::dlsym(library, SIXRUNG_ENTRY_NAME_STRING));
  return static_cast<Counts *>(const_cast<void *>(entry()->get_extension({"x", 1})));
}

std::string refusal(Registry &registry, const std::string &file, const LoadOptions &options = {}) {
  try {
    registry.load(file, options);
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::kPlugin) << error.what();
    EXPECT_NE(std::string(error.what()).find(fs::path(file).stem().string()), std::string::npos)
        << "does not name the file: " << error.what();
    return error.what();
  }
  ADD_FAILURE() << file << " was loaded";
  return {};
}

void expectPart(const std::string &text, std::string_view part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' does not stand in: " << text;
}

struct Case {
  const char *name, *sentence;
};
void PrintTo(const Case &c, std::ostream *out) { *out << c.name; }

class Refusal : public ::testing::TestWithParam<Case> {};

TEST_P(Refusal, NamesTheFaultAndLeavesTheRegistry) {
  {
    Registry registry(testHost());
    registry.load(probe("plain"));
    expectPart(refusal(registry, probe(GetParam().name)), GetParam().sentence);
    EXPECT_EQ(registry.table().user.size(), 1u);
    EXPECT_TRUE(registry.table().builtin.empty());
    EXPECT_TRUE(registry.table().displaced.empty());
    EXPECT_EQ(registry.plugins().size(), 1u);
    EXPECT_TRUE(registry.emitters().empty());
    // And once more: a refusal must not leave half a library behind that then passes.
    expectPart(refusal(registry, probe(GetParam().name)), GetParam().sentence);
  }
  EXPECT_EQ(liveStatuses(), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Matrix, Refusal,
    ::testing::Values(
        Case{"bad_magic", "begins with 0x7, not with the magic 0x1474e5552584953"},
        Case{"bad_size", "has 96 bytes, less than the 104 of ABI 1.0"},
        Case{"bad_major", "its descriptor says ABI major 2; this host serves 1"},
        Case{"bad_min_host", "its descriptor says that it needs host ABI 1.99, this is 1."},
        Case{"bad_tier", "its descriptor says tier 2"}, Case{"bad_init", "has no init"},
        Case{"bad_id",
             "its descriptor says id 'org.sixrung.test.probe', its manifest 'org.sixrung.test.other'"},
        Case{"manifest_major", "its manifest says ABI major 2"},
        Case{"manifest_min_host", "its manifest says that it needs host ABI 1.9, this is 1."},
        Case{"manifest_tier", "its manifest says tier 2"},
        Case{"manifest_minor", "its descriptor says ABI minor '0', its manifest '3'"},
        Case{"missing_key", "manifest declares lowerings init did not add: probe::op.default"},
        Case{"extra_key", "init added lowerings its manifest does not declare: probe::extra.default"},
        Case{"undeclared_flag", "init added overrides its manifest does not declare: probe::op.default"},
        Case{"unknown_flag", "has flags 0x6; this host knows 0x1 alone"},
        Case{"uncanonical", "the key 'probe.op.default' is not canonical: write 'probe::op.default'"},
        Case{"no_manifest", "has no manifest"}, Case{"no_entry", "does not export sixrung_plugin_v1"},
        Case{"borrowed_entry", "a library it depends on does"},
        Case{"undefined", "sixrung_test_symbol_nobody_has"}, Case{"null_descriptor", "returned NULL"},
        Case{"entry_throws", "sixrung_plugin_v1 threw: thrown on purpose"},
        Case{"late_failure", "its init failed: the license ran out"},
        Case{"throwing", "its init threw: thrown on purpose"},
        Case{"throwing_int", "its init threw an exception that is no std::exception"},
        Case{"wild_status", "returned a status the host never made"}),
    [](const auto &info) { return std::string(info.param.name); });

TEST(RefusalLife, ShutdownFollowsSuccessfulInitsAlone) {
  {
    Registry registry(testHost());
    refusal(registry, probe("late_failure"));
    EXPECT_EQ(countsOf(probe("late_failure"))->shutdowns, 0);
    refusal(registry, probe("extra_key")); // init succeeds, then the manifest disagrees
    Counts *extra = countsOf(probe("extra_key"));
    EXPECT_EQ(extra->inits, extra->shutdowns);
    EXPECT_GT(extra->inits, 0);

    registry.load(probe("two_keys"));
    EXPECT_EQ(countsOf(probe("two_keys"))->shutdowns, 0);
  }
  EXPECT_EQ(countsOf(probe("two_keys"))->shutdowns, 1);
}

TEST(RefusalLife, StatusPayloadReachesTheError) {
  Registry registry(testHost());
  try {
    registry.load(probe("late_failure"));
    FAIL();
  } catch (const Error &error) {
    std::map<std::string, std::string> payload(error.payload().begin(), error.payload().end());
    EXPECT_EQ(payload["hint"], "renew it");
    EXPECT_EQ(payload["code"], "UNSUPPORTED");
    EXPECT_EQ(payload["file"], fs::canonical(probe("late_failure")).string());
  }
}

TEST(RefusalLife, TransactionIsStaleAfterInit) {
  Registry registry(testHost());
  registry.load(probe("good"));
  sixrung_lowering lowering{};
  lowering.struct_size = sizeof lowering;
  sixrung_status *status = testHost()->add_lowering(countsOf(probe("good"))->last, &lowering);
  EXPECT_EQ(testHost()->status_code(status), SIXRUNG_STALE_HANDLE);
  testHost()->status_release(status);
  EXPECT_EQ(registry.table().user.size(), 1u);
}

TEST(RefusalLife, ThrowingShutdownIsContained) {
  Registry registry(testHost());
  registry.load(probe("throwing_shutdown"));
}

// Sessions are apart; their loads are serialized by the host (ABI-16).
TEST(RefusalLife, SessionsLoadAtOnce) {
  std::vector<std::thread> sessions;
  for (int t = 0; t < 4; ++t)
    sessions.emplace_back([] {
      for (int i = 0; i < 20; ++i) {
        Registry registry(testHost());
        registry.load(probe("good"));
        registry.load(probe("plain"));
        EXPECT_THROW(registry.load(probe("same_key_other_id")), Error);
        EXPECT_THROW(registry.load(probe("throwing")), Error);
        EXPECT_EQ(registry.plugins().size(), 2u);
      }
    });
  for (std::thread &session : sessions)
    session.join();
  EXPECT_EQ(liveStatuses(), 0);
}

TEST(RefusalFiles, NoPlugins) {
  Registry registry(testHost());
  fs::path folder = fs::temp_directory_path() / "sixrung_refusal_files";
  fs::create_directories(folder);
  std::string text = (folder / "text.so").string();
  std::ofstream(text) << "no library at all";
  expectPart(refusal(registry, text), "is no ELF or Mach-O shared library");
  std::string empty = (folder / "empty.so").string();
  std::ofstream{empty};
  expectPart(refusal(registry, empty), "is no ELF or Mach-O shared library");
  expectPart(refusal(registry, folder.string()), "is a folder");
  expectPart(refusal(registry, (folder / "absent.so").string()), "No such file");
  EXPECT_TRUE(registry.plugins().empty());
  fs::remove_all(folder);
}

TEST(RefusalFiles, Checksum) {
  Registry registry(testHost());
  LoadOptions pinned;
  pinned.sha256 = std::string(64, '0');
  expectPart(refusal(registry, probe("good"), pinned), "but 0000000");
  EXPECT_TRUE(registry.plugins().empty());
  registry.load(probe("good"));
  pinned.sha256 = registry.plugins()[0].owner.sha256;
  for (char &c : pinned.sha256)
    c = static_cast<char>(std::toupper(c));
  registry.load(probe("good"), pinned);
  // A pin holds for a plugin that is loaded already, too.
  pinned.sha256 = std::string(64, '0');
  expectPart(refusal(registry, probe("good"), pinned), "is pinned");
  EXPECT_EQ(registry.plugins().size(), 1u);
}

// The loader would hand out the old code for the new file.
void loadThenReplace(const std::string &name, std::chrono::milliseconds rest) {
  fs::path folder = fs::temp_directory_path() / name;
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::string file = (folder / "changed.so").string();
  fs::copy_file(probe("good"), file);
  std::this_thread::sleep_for(rest);
  Registry first(testHost());
  first.load(file);
  first.load(file);
  EXPECT_EQ(first.plugins().size(), 1u);

  fs::remove(file);
  fs::copy_file(probe("two_keys"), file);
  expectPart(refusal(first, file), "changed since this process loaded it");
  Registry second(testHost());
  expectPart(refusal(second, file), "changed since this process loaded it");
  EXPECT_TRUE(second.plugins().empty());

  fs::remove(file); // one byte in the middle, the same length
  fs::copy_file(probe("good"), file);
  std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
  bytes.seekp(static_cast<std::streamoff>(fs::file_size(file) / 2));
  bytes.put('!');
  bytes.close();
  Registry third(testHost());
  expectPart(refusal(third, file), "restart the process");
  fs::remove_all(folder);
}

TEST(RefusalFiles, ChangedAfterItWasLoaded) {
  loadThenReplace("sixrung_changed", std::chrono::milliseconds(0));
}
// What was judged is remembered only for files that had rested before.
TEST(RefusalFiles, ChangedAfterItHadRested) {
  loadThenReplace("sixrung_rested", std::chrono::milliseconds(2200));
}

} // namespace
} // namespace sixrung::plugin
