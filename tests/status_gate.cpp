// Gate (h): whatever a test does with statuses, none is alive when it ends (ABI-7). Linked into every test
// executable whose tests cross the boundary.
#include "core/plugin/registry.hpp"

#include <gtest/gtest.h>

namespace {

class StatusGate : public ::testing::EmptyTestEventListener {
  void OnTestStart(const ::testing::TestInfo &) override { before_ = sixrung::plugin::liveStatuses(); }
  void OnTestEnd(const ::testing::TestInfo &) override {
    EXPECT_EQ(sixrung::plugin::liveStatuses(), before_) << "statuses leaked (ABI-7)";
  }
  int64_t before_ = 0;
};

[[maybe_unused]] const bool installed = [] {
  ::testing::UnitTest::GetInstance()->listeners().Append(new StatusGate);
  return true;
}();

} // namespace
