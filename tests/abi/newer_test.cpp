// Entries of ABI 1.1: taken, refused, and asked of a host that does not have them (gates c and e).
#include "core/plugin/registry.hpp"
#include "tests/abi/truncated_table.hpp"

#include <cstring>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <vector>

namespace sixrung::plugin {
namespace {

std::string probe(const std::string &name) { return SIXRUNG_BUILD_DIR "/tests/probes/" + name + ".so"; }

// The host's table as 1.0 had it.
const sixrung_host *oldHost() {
  static const test::TruncatedTable table = test::TruncatedTable::of(0);
  return table.table();
}

std::string refusal(Registry &registry, const std::string &name, const LoadOptions &options = {}) {
  try {
    registry.load(probe(name), options);
  } catch (const Error &error) {
    return error.what();
  }
  ADD_FAILURE() << name << " was loaded";
  return {};
}

void expectPart(const std::string &text, std::string_view part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' does not stand in: " << text;
}

TEST(Newer, TheTableOf10EndsWhereItDid) {
  EXPECT_EQ(oldHost()->struct_size, 240u);
  EXPECT_FALSE(SIXRUNG_HAS(oldHost(), add_composite));
  EXPECT_TRUE(SIXRUNG_HAS(lower::hostTable(), partition_cut));
}

TEST(Newer, EntriesAreCommitted) {
  Registry registry(lower::hostTable());
  registry.load(probe("newer"));
  const CompositeEntry *scale = registry.composite("probe_scale");
  ASSERT_NE(scale, nullptr);
  EXPECT_EQ(scale->version, 2u);
  EXPECT_EQ(scale->inputs, (std::vector<std::string>{"x", "bias"}));
  ASSERT_EQ(scale->attributes.size(), 5u);
  EXPECT_EQ(std::get<double>(scale->attributes[0].fallback.value), 2.0);
  EXPECT_EQ(std::get<std::string>(scale->attributes[1].fallback.value), "fast");
  EXPECT_EQ(std::get<int64_t>(scale->attributes[2].fallback.value), 3);
  EXPECT_TRUE(std::holds_alternative<graph::NoneArg>(scale->attributes[3].fallback.value));
  EXPECT_TRUE(scale->attributes[4].optional);
  EXPECT_EQ(registry.strategyNames(), (std::vector<std::string>{"probe_by_name", "probe_failing"}));
  registry.load(probe("newer_plain"));
  EXPECT_NE(registry.composite("plain_relu"), nullptr);
  EXPECT_NE(registry.strategy("plain_all"), nullptr);
}

TEST(Newer, AnOldHostRefusesItInOneSentence) {
  Registry registry(oldHost());
  for (const char *name : {"newer", "newer_plain"}) {
    expectPart(refusal(registry, name), "needs host ABI 1.1, this is 1.0");
    EXPECT_TRUE(registry.plugins().empty());
  }
  registry.load(probe("good")); // one of 1.0 loads
}

// One that gets past the manifest, as in a host that does not look, says so itself.
TEST(Newer, ThePluginSaysWhatItNeeds) {
  Registry registry(lower::hostTable());
  registry.load(probe("newer"));
  registry.load(probe("newer_plain"));
  for (const char *name : {"newer", "newer_plain"}) {
    void *library = ::dlopen(probe(name).c_str(), RTLD_NOW | RTLD_NOLOAD);
    ASSERT_NE(library, nullptr);
    auto entry = reinterpret_cast<sixrung_entry_fn>(::dlsym(library, SIXRUNG_ENTRY_NAME_STRING));
    void *state = nullptr;
    sixrung_status *status = entry()->init(oldHost(), sixrung_transaction{0}, &state);
    ASSERT_NE(status, nullptr);
    EXPECT_EQ(oldHost()->status_code(status), SIXRUNG_VERSION);
    sixrung_str message = oldHost()->status_message(status);
    expectPart(std::string(message.data, message.size), "needs host ABI 1.1");
    oldHost()->status_release(status);
  }
}

TEST(Newer, AMinimumBelowWhatItBringsIsRefused) {
  Registry registry(lower::hostTable());
  expectPart(refusal(registry, "newer_understated"), "it must say 'min-host 1'");
  expectPart(refusal(registry, "newer_missing"),
             "its manifest declares composites init did not add: probe_op");
  EXPECT_TRUE(registry.plugins().empty());
}

TEST(Newer, ACompositeIsTakenWithPermissionOnly) {
  Registry registry(lower::hostTable());
  registry.load(probe("newer"));
  std::string refused = refusal(registry, "newer_rival");
  expectPart(refused, "the composite 'probe_scale' is already registered by org.sixrung.test.newer 1.0.0");
  expectPart(refused, "--allow-override composite:probe_scale");
  EXPECT_EQ(registry.composite("probe_scale")->body.owner->id, "org.sixrung.test.newer");
  LoadOptions options;
  options.allowOverride = {"composite:probe_scale"};
  registry.load(probe("newer_rival"), options);
  EXPECT_EQ(registry.composite("probe_scale")->body.owner->id, "org.sixrung.test.rival11");
  EXPECT_EQ(registry.composite("probe_scale")->over, "org.sixrung.test.newer");
  EXPECT_TRUE(registry.isOverridden("composite:probe_scale"));
  EXPECT_FALSE(registry.isOverridden("composite:probe_failing"));
}

// Malformed entries: each is refused by the slot, and nothing is read that is not there.
class Slot : public ::testing::Test {
protected:
  static sixrung_status *body(const sixrung_host *, void *, sixrung_call) { return nullptr; }
  static sixrung_str str(const char *text) { return {text, std::strlen(text)}; }
  sixrung_str input = str("x"), output = str("y");
  sixrung_composite good() {
    sixrung_composite c{};
    c.struct_size = sizeof c;
    c.version = 1;
    c.input_count = 1;
    c.output_count = 1;
    c.name = str("probe");
    c.input_names = &input;
    c.output_names = &output;
    c.body = body;
    return c;
  }
};

TEST_F(Slot, AStaleTransactionIsTold) {
  sixrung_composite c = good();
  const sixrung_host *host = lower::hostTable();
  sixrung_status *status = host->add_composite(sixrung_transaction{(uint64_t{77} << 32) | 1}, &c);
  ASSERT_NE(status, nullptr);
  EXPECT_EQ(host->status_code(status), SIXRUNG_STALE_HANDLE);
  host->status_release(status);
  sixrung_strategy s{};
  status = host->add_strategy(sixrung_transaction{0}, &s);
  EXPECT_EQ(host->status_code(status), SIXRUNG_STALE_HANDLE);
  host->status_release(status);
}

} // namespace
} // namespace sixrung::plugin
