// SPDX-License-Identifier: Apache-2.0

#include "client/lib/rates.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace layered::client {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

v1::WatchResponse Sample(uint64_t time_ns) {
  v1::WatchResponse sample;
  sample.set_time_ns(time_ns);
  sample.set_instance_id("a");
  sample.mutable_machine()->set_cpus(4);
  return sample;
}

void Add(v1::WatchResponse* sample, const std::string& name, uint32_t slot, uint64_t cpu_ns,
         uint32_t generation = 1) {
  v1::LayerStats* const layer = sample->add_layers();
  layer->set_name(name);
  layer->set_slot(slot);
  layer->set_generation(generation);
  layer->set_cpu_ns(cpu_ns);
}

TEST(RatesTest, CpusAndSharesFromDifferences) {
  v1::WatchResponse earlier = Sample(10 * kSecond), later = Sample(12 * kSecond);
  Add(&earlier, "web", 0, 5 * kSecond);
  Add(&earlier, "default", 1, 0);
  Add(&later, "web", 0, 11 * kSecond);
  Add(&later, "default", 1, 2 * kSecond);
  const auto rates = RatesBetween(earlier, later);
  ASSERT_TRUE(rates.has_value());
  EXPECT_DOUBLE_EQ(rates->seconds, 2);
  EXPECT_DOUBLE_EQ(rates->cpus, 4);
  EXPECT_DOUBLE_EQ(*rates->layers[0].cpus, 3);
  EXPECT_DOUBLE_EQ(*rates->layers[0].share, 0.75);
  EXPECT_DOUBLE_EQ(*rates->layers[1].share, 0.25);
}

TEST(RatesTest, ThereAreNoRatesWithoutATrueDifference) {
  const v1::WatchResponse earlier = Sample(10 * kSecond);
  EXPECT_FALSE(RatesBetween(earlier, Sample(10 * kSecond)).has_value());  // no time
  EXPECT_FALSE(RatesBetween(earlier, Sample(9 * kSecond)).has_value());   // back in time
  v1::WatchResponse first = Sample(12 * kSecond);
  first.set_first(true);
  EXPECT_FALSE(RatesBetween(earlier, first).has_value());
  v1::WatchResponse other = Sample(12 * kSecond);
  other.set_instance_id("b");
  EXPECT_FALSE(RatesBetween(earlier, other).has_value());
}

TEST(RatesTest, ANewLayerAndASlotThatChangedHandsHaveNoRateYet) {
  v1::WatchResponse earlier = Sample(0), later = Sample(kSecond);
  Add(&earlier, "old", 0, kSecond, 1);
  Add(&earlier, "same", 1, 0);
  Add(&later, "old", 0, 2 * kSecond, 2);  // same name, next generation
  Add(&later, "new", 2, kSecond);
  Add(&later, "same", 1, kSecond / 2);
  const auto rates = RatesBetween(earlier, later);
  ASSERT_TRUE(rates.has_value());
  EXPECT_FALSE(rates->layers[0].cpus.has_value());
  EXPECT_FALSE(rates->layers[1].share.has_value());
  EXPECT_DOUBLE_EQ(*rates->layers[2].cpus, 0.5);
  EXPECT_DOUBLE_EQ(*rates->layers[2].share, 1);
}

TEST(RatesTest, AlwaysFiniteAndNeverNegative) {
  const uint64_t values[] = {0, 1, kSecond, std::numeric_limits<uint64_t>::max()};
  for (const uint64_t before : values) {
    for (const uint64_t after : values) {
      for (const uint64_t span : {uint64_t{1}, kSecond, std::numeric_limits<uint64_t>::max()}) {
        v1::WatchResponse earlier = Sample(0), later = Sample(span);
        Add(&earlier, "web", 0, before);
        Add(&later, "web", 0, after);
        const auto rates = RatesBetween(earlier, later);
        ASSERT_TRUE(rates.has_value());
        const double cpus = *rates->layers[0].cpus, share = *rates->layers[0].share;
        EXPECT_TRUE(std::isfinite(cpus) && cpus >= 0 && cpus <= 4) << cpus;
        EXPECT_TRUE(std::isfinite(share) && share >= 0 && share <= 1) << share;
      }
    }
  }
}

TEST(RatesTest, IdleLayersHaveShareZero) {
  v1::WatchResponse earlier = Sample(0), later = Sample(kSecond);
  Add(&earlier, "web", 0, 7);
  Add(&later, "web", 0, 7);
  EXPECT_EQ(RatesBetween(earlier, later)->layers[0].share, 0.0);
}

}  // namespace
}  // namespace layered::client
