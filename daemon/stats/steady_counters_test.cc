// SPDX-License-Identifier: Apache-2.0

#include "daemon/stats/steady_counters.h"

#include "gtest/gtest.h"

namespace layered {
namespace {

Counters Reading(uint64_t cpu_ns, uint64_t dispatches) {
  Counters counters;
  counters.rows[3].cpu_ns = cpu_ns;
  counters.rows[3].tasks = 2;
  counters.machine.dispatches = dispatches;
  return counters;
}

TEST(SteadyCounters, PassReadingsThrough) {
  SteadyCounters steady;
  EXPECT_EQ(steady.Continue(Reading(100, 10)).rows[3].cpu_ns, 100u);
  EXPECT_EQ(steady.Continue(Reading(100, 10)).rows[3].cpu_ns, 100u);
  EXPECT_EQ(steady.Continue(Reading(250, 12)).machine.dispatches, 12u);
}

TEST(SteadyCounters, GoOnAfterTheSchedulerWasLoadedAnew) {
  SteadyCounters steady;
  steady.Continue(Reading(100, 10));
  Counters counters = steady.Continue(Reading(30, 1));
  EXPECT_EQ(counters.rows[3].cpu_ns, 130u);
  EXPECT_EQ(counters.machine.dispatches, 11u);
  counters = steady.Continue(Reading(50, 4));
  EXPECT_EQ(counters.rows[3].cpu_ns, 150u);
  counters = steady.Continue(Reading(0, 0));
  EXPECT_EQ(counters.rows[3].cpu_ns, 150u);
  EXPECT_EQ(steady.Continue(Reading(7, 2)).rows[3].cpu_ns, 157u);
}

TEST(SteadyCounters, OneFallenCounterMeansAllStartedAnew) {
  SteadyCounters steady;
  steady.Continue(Reading(100, 10));
  // By now more dispatches than the earlier load had in all.
  const Counters counters = steady.Continue(Reading(30, 40));
  EXPECT_EQ(counters.rows[3].cpu_ns, 130u);
  EXPECT_EQ(counters.machine.dispatches, 50u);
}

TEST(SteadyCounters, EveryCumulativeFieldIsCoveredAndNoOther) {
  Counters full;
  full.time_ns = 9;
  for (SlotCounters& row : full.rows) row = {10, 10, 10, 10, 10, 10, 10, 10};
  u64* const machine = reinterpret_cast<u64*>(&full.machine);
  constexpr size_t kFields = offsetof(layered_cpu_stats, pad) / sizeof(u64);
  for (size_t i = 0; i < kFields; ++i) machine[i] = 10;
  SteadyCounters steady;
  steady.Continue(full);
  const Counters after = steady.Continue(Counters());
  EXPECT_EQ(after.time_ns, 0u);
  for (const SlotCounters& row : after.rows) {
    EXPECT_EQ(row.cpu_ns, 10u);
    EXPECT_EQ(row.enqueues, 10u);
    EXPECT_EQ(row.direct, 10u);
    EXPECT_EQ(row.rematches, 10u);
    EXPECT_EQ(row.rescued, 10u);
    EXPECT_EQ(row.tasks, 0u);
    EXPECT_EQ(row.queued, 0u);
    EXPECT_EQ(row.running, 0u);
  }
  const u64* const now = reinterpret_cast<const u64*>(&after.machine);
  for (size_t i = 0; i < kFields; ++i) EXPECT_EQ(now[i], 10u) << "field " << i;
}

}  // namespace
}  // namespace layered
