// SPDX-License-Identifier: Apache-2.0

#include "daemon/stats/histogram.h"

#include <algorithm>
#include <limits>
#include <random>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace layered {
namespace {

constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();

TEST(Histogram, BucketsCoverAllValuesInOrder) {
  EXPECT_EQ(Histogram::BucketOf(0), 0u);
  EXPECT_EQ(Histogram::BucketOf(kMax), Histogram::kBuckets - 1);
  EXPECT_EQ(Histogram::UpperBound(Histogram::kBuckets - 1), kMax);
  for (size_t bucket = 0; bucket < Histogram::kBuckets; ++bucket) {
    const uint64_t upper = Histogram::UpperBound(bucket);
    EXPECT_EQ(Histogram::BucketOf(upper), bucket);
    if (upper == kMax) continue;
    EXPECT_EQ(Histogram::BucketOf(upper + 1), bucket + 1);
  }
}

TEST(Histogram, ABucketIsAtMostAQuarterWide) {
  for (size_t bucket = 4; bucket < Histogram::kBuckets; ++bucket) {
    const uint64_t lower = Histogram::UpperBound(bucket - 1) + 1;
    EXPECT_LE(Histogram::UpperBound(bucket) - lower, lower / 4);
  }
}

TEST(Histogram, EmptyHasZeros) {
  const Histogram histogram;
  EXPECT_EQ(histogram.Count(), 0u);
  EXPECT_EQ(histogram.Max(), 0u);
  EXPECT_EQ(histogram.Percentile(50), 0u);
}

TEST(Histogram, OneValueIsEveryPercentile) {
  Histogram histogram;
  histogram.Record(1000);
  for (double percent : {-1.0, 0.0, 50.0, 99.0, 100.0, 200.0}) {
    EXPECT_EQ(histogram.Percentile(percent), 1000u) << percent;
  }
  EXPECT_EQ(histogram.Max(), 1000u);
}

TEST(Histogram, PercentilesAreUpperBoundsWithinAQuarter) {
  std::mt19937_64 random(3);
  std::vector<uint64_t> values;
  Histogram histogram;
  for (int i = 0; i < 5000; ++i) {
    values.push_back(random() >> (random() % 60));
    histogram.Record(values.back());
  }
  std::sort(values.begin(), values.end());
  EXPECT_EQ(histogram.Count(), values.size());
  EXPECT_EQ(histogram.Max(), values.back());
  for (int percent = 1; percent <= 100; ++percent) {
    const uint64_t exact = values[values.size() * percent / 100 - 1];
    const uint64_t shown = histogram.Percentile(percent);
    EXPECT_GE(shown, exact);
    EXPECT_LE(shown - exact, exact / 4);
  }
}

TEST(Histogram, TheTailIsSeen) {
  Histogram histogram;
  for (int i = 0; i < 99; ++i) histogram.Record(10);
  histogram.Record(1'000'000);
  EXPECT_EQ(histogram.Percentile(99), Histogram::UpperBound(Histogram::BucketOf(10)));
  EXPECT_EQ(histogram.Percentile(99.5), 1'000'000u);
}

TEST(Histogram, ParallelRecordsAreAllCounted) {
  Histogram histogram;
  std::vector<std::thread> threads;
  for (uint64_t id = 0; id < 4; ++id) {
    threads.emplace_back([&histogram, id] {
      for (uint64_t i = 0; i < 10000; ++i) histogram.Record(i * 4 + id);
    });
  }
  for (int i = 0; i < 100; ++i) {
    EXPECT_LE(histogram.Percentile(50), histogram.Percentile(100));
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(histogram.Count(), 40000u);
  EXPECT_EQ(histogram.Max(), 39999u);
}

}  // namespace
}  // namespace layered
