// Capabilities beyond the host table (ABI-6).
#include "core/lower/session.hpp"
#include "sixrung/extensions.h"

#include <gtest/gtest.h>

#include <cstring>

namespace sixrung::lower {
namespace {

const void *ask(const char *name) { return hostTable()->get_extension({name, std::strlen(name)}); }

TEST(Extensions, AnUnknownNameIsNull) {
  EXPECT_EQ(ask("org.sixrung.call_arg_strides/2"), nullptr);
  EXPECT_EQ(ask(""), nullptr);
  EXPECT_EQ(hostTable()->get_extension({nullptr, 0}), nullptr);
}

TEST(Extensions, AStaleCallIsAnErrorAndLeavesOutParametersAlone) {
  auto strides =
      reinterpret_cast<sixrung_call_arg_strides_fn>(const_cast<void *>(ask(SIXRUNG_EXT_CALL_ARG_STRIDES)));
  ASSERT_NE(strides, nullptr);
  const int64_t *out = nullptr;
  uint32_t rank = 7;
  int64_t offset = 9;
  sixrung_status *status = strides(sixrung_call{uint64_t(5) << 32}, 0, &out, &rank, &offset);
  ASSERT_NE(status, nullptr);
  EXPECT_EQ(hostTable()->status_code(status), SIXRUNG_STALE_HANDLE);
  hostTable()->status_release(status);
  EXPECT_EQ(out, nullptr);
  EXPECT_EQ(rank, 7u);
  EXPECT_EQ(offset, 9);
}

} // namespace
} // namespace sixrung::lower
