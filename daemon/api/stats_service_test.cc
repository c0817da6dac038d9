// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/stats_service.h"

#include <gtest/gtest.h>

#include "daemon/config/violation.h"

namespace layered::api {
namespace {

v1::WatchRequest WithInterval(int64_t seconds, int32_t nanos) {
  v1::WatchRequest request;
  request.mutable_interval()->set_seconds(seconds);
  request.mutable_interval()->set_nanos(nanos);
  return request;
}

TEST(ToHubOptionsTest, DefaultsToOneSecondAndAllLayers) {
  const auto options = ToHubOptions({}, Limits{});
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->interval_ns, 1'000'000'000);
  EXPECT_TRUE(options->layers.empty());
}

TEST(ToHubOptionsTest, TheRangeOfTheIntervalIsInclusive) {
  EXPECT_EQ(ToHubOptions(WithInterval(0, 100'000'000), Limits{})->interval_ns, 100'000'000);
  EXPECT_EQ(ToHubOptions(WithInterval(3600, 0), Limits{})->interval_ns, 3'600'000'000'000);
  for (const auto& request :
       {WithInterval(0, 99'999'999), WithInterval(0, 0), WithInterval(3600, 1), WithInterval(-1, 0),
        WithInterval(0, 2'000'000'000), WithInterval(1, -1), WithInterval(INT64_MAX, 0)}) {
    const auto options = ToHubOptions(request, Limits{});
    ASSERT_FALSE(options.ok()) << request.ShortDebugString();
    const Violations violations = FromStatus(options.status());
    ASSERT_EQ(violations.size(), 1u);
    EXPECT_EQ(violations[0].field, "interval");
  }
}

TEST(ToHubOptionsTest, AllFaultsAtOnce) {
  Limits limits;
  limits.watch_layers = 2;
  v1::WatchRequest request = WithInterval(0, 1);
  for (int i = 0; i < 3; ++i) request.add_layers("x");
  const Violations violations = FromStatus(ToHubOptions(request, limits).status());
  ASSERT_EQ(violations.size(), 2u);
  EXPECT_EQ(violations[0].field, "interval");
  EXPECT_EQ(violations[1].field, "layers");
}

}  // namespace
}  // namespace layered::api
