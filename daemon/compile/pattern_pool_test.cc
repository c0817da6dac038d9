// SPDX-License-Identifier: Apache-2.0

#include "daemon/compile/pattern_pool.h"

#include <memory>
#include <random>
#include <string_view>

#include "gtest/gtest.h"

namespace layered {
namespace {

class PatternPoolTest : public testing::Test {
 protected:
  // Adds and reads back.
  uint32_t Add(const std::string& text) {
    const absl::StatusOr<uint32_t> offset = pool_.Add(text);
    EXPECT_TRUE(offset.ok()) << offset.status();
    if (!offset.ok()) return 0;
    EXPECT_LE(*offset + text.size(), revision_->pool_bytes);
    EXPECT_EQ(
        std::string_view(reinterpret_cast<const char*>(revision_->pool) + *offset, text.size()),
        text);
    return *offset;
  }

  std::unique_ptr<layered_revision> revision_ = std::make_unique<layered_revision>();
  PatternPool pool_{revision_.get()};
};

TEST_F(PatternPoolTest, StoresEachTextOnce) {
  EXPECT_EQ(Add("/web"), 0u);
  EXPECT_EQ(Add("/batch"), 4u);
  EXPECT_EQ(Add("/web"), 0u);
  EXPECT_EQ(Add("/bat"), 4u) << "part of another text";
  EXPECT_EQ(revision_->pool_bytes, 10u);
}

TEST_F(PatternPoolTest, EmptyTextTakesNothing) {
  EXPECT_EQ(Add(""), 0u);
  EXPECT_EQ(revision_->pool_bytes, 0u);
}

TEST_F(PatternPoolTest, FillsToTheLastByteAndNoFurther) {
  std::mt19937 random(1);
  const auto noise = [&](size_t size) {
    std::string text;
    while (text.size() < size) text += static_cast<char>(random());
    return text;
  };
  for (int i = 0; i < 32; ++i) Add(noise(LAYERED_MAX_PATTERN));
  Add(noise(32));
  EXPECT_EQ(revision_->pool_bytes, unsigned{LAYERED_PATTERN_POOL});
  EXPECT_EQ(pool_.Add(noise(8)).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(revision_->pool_bytes, unsigned{LAYERED_PATTERN_POOL});
}

TEST_F(PatternPoolTest, RefusesATextThatIsTooLong) {
  EXPECT_EQ(pool_.Add(std::string(4096, 'x')).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace layered
