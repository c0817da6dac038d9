// SPDX-License-Identifier: Apache-2.0

#include "daemon/system/logging.h"

#include <string>

#include "gtest/gtest.h"
#include "spdlog/spdlog.h"

namespace layered {
namespace {

TEST(WithPriority, EveryLineCarriesIt) {
  EXPECT_EQ(WithPriority("error", "one\ntwo"), "<3>one\n<3>two");
  EXPECT_EQ(WithPriority("warning", ""), "<4>");
}

TEST(SetUpLogging, KnowsItsLevels) {
  EXPECT_FALSE(SetUpLogging("loud", true));
  for (const std::string& level : LogLevels()) EXPECT_TRUE(SetUpLogging(level, true)) << level;
}

TEST(SetUpLogging, WritesPrefixesAndHidesWhatIsBelowTheLevel) {
  testing::internal::CaptureStderr();
  SetUpLogging("info", true);
  spdlog::error("bad {}", 1);
  spdlog::warn("odd");
  spdlog::info("good");
  spdlog::debug("hidden");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "<3>bad 1\n<4>odd\n<6>good\n");
}

}  // namespace
}  // namespace layered
