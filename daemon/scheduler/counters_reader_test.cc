// SPDX-License-Identifier: Apache-2.0

#include "daemon/scheduler/counters_reader.h"

#include <vector>

#include "gtest/gtest.h"

namespace layered {
namespace {

TEST(SumCounters, SumsOverCpusAndLlcs) {
  std::vector<layered_cpu_ctx> cpus(3);
  std::vector<layered_llc_ctx> llcs(2);
  for (auto& cpu : cpus) {
    cpu.slot[5].cpu_ns = 100;
    cpu.slot[5].enqueues = 2;
    cpu.slot[LAYERED_ROW_LOW].enqueues = 7;
    cpu.stats.dispatches = 10;
    cpu.stats.plan_retries = 1;
  }
  llcs[0].q[5].n = 3;
  llcs[1].q[5].n = 4;
  const Counters sum = SumCounters(42, cpus, llcs);
  EXPECT_EQ(sum.time_ns, 42u);
  EXPECT_EQ(sum.rows[5].cpu_ns, 300u);
  EXPECT_EQ(sum.rows[5].enqueues, 6u);
  EXPECT_EQ(sum.rows[5].queued, 7u);
  EXPECT_EQ(sum.rows[LAYERED_ROW_LOW].enqueues, 21u);
  EXPECT_EQ(sum.machine.dispatches, 30u);
  EXPECT_EQ(sum.machine.plan_retries, 3u);
  EXPECT_EQ(sum.rows[4].cpu_ns, 0u);
}

// A task joins on one CPU and leaves on another: only the sum means something.
TEST(SumCounters, TasksAreJoinedMinusLeftOverAllCpus) {
  std::vector<layered_cpu_ctx> cpus(2);
  cpus[0].slot[1].tasks = 5;
  cpus[1].slot[1].tasks = -3;
  cpus[1].slot[2].tasks = -1;
  const Counters sum = SumCounters(0, cpus, {});
  EXPECT_EQ(sum.rows[1].tasks, 2u);
  EXPECT_EQ(sum.rows[2].tasks, 0u) << "a sum read mid-way must not wrap";
}

TEST(SumCounters, NegativeQueueLengthReadsAsEmpty) {
  std::vector<layered_llc_ctx> llcs(2);
  llcs[0].q[1].n = static_cast<u32>(-1);
  llcs[1].q[1].n = 2;
  EXPECT_EQ(SumCounters(0, {}, llcs).rows[1].queued, 2u);
}

TEST(SumCounters, CountsRunningTasksBySlot) {
  std::vector<layered_cpu_ctx> cpus(6);
  cpus[0].running_slot = 7 + 1;
  cpus[1].running_slot = 7 + 1;
  cpus[2].running_slot = 0;                      // none of ours, or never ran one
  cpus[3].running_slot = 0 + 1;                  // slot 0 is a slot like any other
  cpus[4].running_slot = LAYERED_MAX_SLOTS + 1;  // garbage must not index
  cpus[5].running_slot = 0xffffffff;
  const Counters sum = SumCounters(0, cpus, {});
  EXPECT_EQ(sum.rows[7].running, 2u);
  EXPECT_EQ(sum.rows[0].running, 1u);
  uint64_t all = 0;
  for (const SlotCounters& row : sum.rows) all += row.running;
  EXPECT_EQ(all, 3u);
}

}  // namespace
}  // namespace layered
