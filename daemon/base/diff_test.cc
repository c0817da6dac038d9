// SPDX-License-Identifier: Apache-2.0

#include "daemon/base/diff.h"

#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace layered {
namespace {

constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();

TEST(SaturatingSub, IsTheDifferenceOrZero) {
  EXPECT_EQ(SaturatingSub(7, 3), 4u);
  EXPECT_EQ(SaturatingSub(3, 3), 0u);
  EXPECT_EQ(SaturatingSub(3, 7), 0u);
  EXPECT_EQ(SaturatingSub(0, kMax), 0u);
  EXPECT_EQ(SaturatingSub(kMax, 0), kMax);
}

}  // namespace
}  // namespace layered
