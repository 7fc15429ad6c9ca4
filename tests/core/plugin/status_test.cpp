// Statuses and the crossings to and from Error (ABI-7).
#include "core/plugin/crossing.hpp"
#include "core/plugin/registry.hpp"

#include <gtest/gtest.h>

#include <map>
#include <thread>

namespace sixrung::plugin {
namespace {

class Status : public ::testing::Test {
protected:
  Status() { fillPluginSlots(host); }
  ~Status() override { EXPECT_EQ(liveStatuses(), 0); }
  static std::string text(sixrung_str s) { return std::string(s.data, s.size); }
  static sixrung_str str(std::string_view s) { return {s.data(), s.size()}; }
  sixrung_host host{};
};

TEST_F(Status, CreateReadRelease) {
  sixrung_status *status = host.status_create(SIXRUNG_NOT_FOUND, "no such key", 11);
  EXPECT_EQ(liveStatuses(), 1);
  EXPECT_EQ(host.status_code(status), SIXRUNG_NOT_FOUND);
  EXPECT_EQ(text(host.status_message(status)), "no such key");
  host.status_release(status);
  EXPECT_EQ(liveStatuses(), 0);
}

TEST_F(Status, NullIsSuccess) {
  EXPECT_EQ(host.status_code(nullptr), 0u);
  EXPECT_EQ(host.status_message(nullptr).size, 0u);
  host.status_release(nullptr);
  host.status_add(nullptr, str("a"), str("b"));
  throwIfFailed(nullptr, ErrorKind::kPlugin);
}

TEST_F(Status, CodeZeroIsStillAnError) {
  sixrung_status *status = host.status_create(0, "x", 1);
  EXPECT_EQ(host.status_code(status), SIXRUNG_INTERNAL);
  host.status_release(status);
}

TEST_F(Status, BadTextIsMadeReadable) {
  sixrung_status *status = host.status_create(1, nullptr, 77);
  EXPECT_EQ(text(host.status_message(status)), "");
  host.status_release(status);
  status = host.status_create(1, "a\xff\xc0z", 4);
  EXPECT_EQ(text(host.status_message(status)), "a??z");
  host.status_release(status);
  std::string huge(1 << 20, 'x');
  huge.replace((1 << 16) - 1, 2, "\xc3\xa9"); // a character across the limit
  status = host.status_create(1, huge.data(), huge.size());
  EXPECT_EQ(host.status_message(status).size, (1u << 16) - 1);
  host.status_release(status);
}

TEST_F(Status, StrangersAreNotFollowed) {
  int stranger = 0;
  auto *wild = reinterpret_cast<sixrung_status *>(&stranger);
  host.status_release(wild);
  host.status_add(wild, str("a"), str("b"));
  EXPECT_EQ(host.status_code(wild), SIXRUNG_STALE_HANDLE);
  EXPECT_EQ(host.status_message(wild).size, 0u);
  EXPECT_THROW(throwIfFailed(wild, ErrorKind::kPlugin), Error);
  sixrung_status *status = host.status_create(1, "x", 1);
  host.status_release(status);
  host.status_release(status); // twice
}

TEST_F(Status, ErrorRoundTrip) {
  Error error(ErrorKind::kUnsupported, "cannot");
  error.with("op", "aten::x.default").with("hint", "do y");
  sixrung_status *status = toStatus(error);
  EXPECT_EQ(host.status_code(status), SIXRUNG_UNSUPPORTED);
  host.status_add(status, str("cause"), str("z"));
  try {
    throwIfFailed(status, ErrorKind::kPlugin);
    FAIL();
  } catch (const Error &back) {
    EXPECT_EQ(back.kind(), ErrorKind::kPlugin);
    EXPECT_STREQ(back.what(), "cannot");
    std::map<std::string, std::string> payload(back.payload().begin(), back.payload().end());
    EXPECT_EQ(payload["op"], "aten::x.default");
    EXPECT_EQ(payload["hint"], "do y");
    EXPECT_EQ(payload["cause"], "z");
    EXPECT_EQ(payload["code"], "UNSUPPORTED");
    // Back again: the code survives although the kind has changed.
    sixrung_status *again = toStatus(back);
    EXPECT_EQ(host.status_code(again), SIXRUNG_UNSUPPORTED);
    host.status_release(again);
  }
}

TEST_F(Status, GuardedTurnsEverythingIntoAStatus) {
  auto codeOf = [&](auto body) {
    sixrung_status *status = guarded(body);
    uint32_t code = host.status_code(status);
    host.status_release(status);
    return code;
  };
  EXPECT_EQ(codeOf([] {}), 0u);
  EXPECT_EQ(codeOf([] { throw failure(SIXRUNG_STALE_HANDLE, "x"); }), SIXRUNG_STALE_HANDLE);
  EXPECT_EQ(codeOf([] { throw Error(ErrorKind::kIo, "x"); }), SIXRUNG_IO);
  EXPECT_EQ(codeOf([] { throw std::bad_alloc(); }), SIXRUNG_INTERNAL);
  EXPECT_EQ(codeOf([] { throw std::runtime_error("x"); }), SIXRUNG_INTERNAL);
  EXPECT_EQ(codeOf([] { throw 3; }), SIXRUNG_INTERNAL);
}

TEST_F(Status, AnyThread) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i)
        host.status_release(host.status_create(1, "x", 1));
    });
  for (auto &thread : threads)
    thread.join();
}

TEST(Utf8, WellFormedAndNot) {
  EXPECT_TRUE(isUtf8("plain"));
  EXPECT_TRUE(isUtf8("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"));
  for (const char *bad :
       {"\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80", "\xff"})
    EXPECT_FALSE(isUtf8(bad));
}

} // namespace
} // namespace sixrung::plugin
