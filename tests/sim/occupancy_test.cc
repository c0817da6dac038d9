// SPDX-License-Identifier: GPL-2.0-only
//
// Occupancy words: what enqueue, leave and walk do to n, occ and work, one after the other. (What
// they do at the same time is model-checked, see bpf/occupancy.bpf.h.)

#include <algorithm>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/sim/fake_kernel.h"

namespace layered::sim {
namespace {

// A machine whose tasks have their slot already: all rules aside.
class Machine {
 public:
  Machine(int cpus, int llcs, int nodes, int slots) : kernel(cpus, llcs, nodes, slots) {}

  FakeTask& Add(uint32_t slot, int cpu) {
    FakeTask& task = *tasks.emplace_back(std::make_unique<FakeTask>(&root_));
    task.SetCpu(cpu);
    task.ctx.word = uint64_t{kernel.revision->publish} << 32 | 1u << 8 | slot;
    return task;
  }

  uint32_t N(uint32_t slot, uint32_t llc) const { return kernel.llcs[llc].q[slot].n; }
  bool Occ(uint32_t slot, uint32_t llc) const {
    return layered_occ.row[slot].w[llc / 64] >> (llc % 64) & 1;
  }
  bool Work(uint32_t slot) const { return layered_occ.work.w[slot / 64] >> (slot % 64) & 1; }

  FakeKernel kernel;
  std::vector<std::unique_ptr<FakeTask>> tasks;

 private:
  FakeCgroup root_{"/"};
};

TEST(Occupancy, EnqueueCountsAndShows) {
  Machine machine(8, 4, 2, 8);
  machine.kernel.Enqueue(machine.Add(3, 2));  // CPU 2 is of LLC 1
  EXPECT_EQ(machine.N(3, 1), 1u);
  EXPECT_TRUE(machine.Occ(3, 1));
  EXPECT_TRUE(machine.Work(3));
  EXPECT_FALSE(machine.Occ(3, 0));
  EXPECT_FALSE(machine.Work(2));
  EXPECT_EQ(machine.kernel.QueueSize(3, 1), 1u);
}

TEST(Occupancy, TakenTaskStaysCountedUntilItRuns) {
  Machine machine(1, 1, 1, 8);
  FakeTask& task = machine.Add(3, 0);
  machine.kernel.Enqueue(task);
  machine.kernel.Dispatch(0);
  EXPECT_EQ(machine.N(3, 0), 1u);
  EXPECT_EQ(machine.kernel.RunNext(0), &task);
  EXPECT_EQ(machine.N(3, 0), 0u);
}

// Two CPUs at once for one task: the second does not probe, and nothing is forgotten.
TEST(Occupancy, TaskThatAnotherCpuIsTakingIsNotProbedFor) {
  Machine machine(2, 1, 1, 8);
  FakeTask& task = machine.Add(3, 0);
  machine.kernel.Enqueue(task);
  auto& other = machine.kernel.cpus[0];
  machine.kernel.llcs[0].q[3].prober = 1;
  other.probing = sim_dsq_id(3, 0);
  machine.kernel.Dispatch(1);
  EXPECT_EQ(machine.kernel.cpus[1].stats.probes, 0u);
  EXPECT_TRUE(machine.Occ(3, 0));
  EXPECT_TRUE(machine.Work(3));
  other.probing = 0;  // it failed: the task is not for CPU 0
  machine.kernel.Dispatch(1);
  EXPECT_EQ(machine.kernel.RunNext(1), &task);
  EXPECT_EQ(machine.kernel.cpus[1].probing, 0u);
}

// Leaving subtracts only; the bits go with the next walk that looks.
TEST(Occupancy, OnlyWalkersClear) {
  Machine machine(1, 1, 1, 8);
  machine.kernel.Enqueue(machine.Add(3, 0));
  machine.kernel.Dispatch(0);
  machine.kernel.RunNext(0);
  EXPECT_TRUE(machine.Occ(3, 0));
  EXPECT_TRUE(machine.Work(3));
  machine.kernel.Dispatch(0);
  EXPECT_FALSE(machine.Occ(3, 0));
  EXPECT_FALSE(machine.Work(3));
  EXPECT_EQ(machine.kernel.FailedProbes(), 0u);
}

// A task that is counted but cannot be taken (its insert is still to come) keeps its bits.
TEST(Occupancy, FailedProbeClearsNothing) {
  Machine machine(1, 1, 1, 8);
  FakeTask& task = machine.Add(3, 0);
  machine.kernel.Enqueue(task);
  machine.kernel.Queue(*task.queue).clear();
  machine.kernel.Dispatch(0);
  EXPECT_EQ(machine.kernel.FailedProbes(), 1u);
  EXPECT_TRUE(machine.Occ(3, 0));
  EXPECT_TRUE(machine.Work(3));
}

// The kernel takes a task out for a migration without an op: the next enqueue pays first.
TEST(Occupancy, ReenqueueElsewherePaysTheOldDebt) {
  Machine machine(4, 2, 1, 8);
  FakeTask& task = machine.Add(3, 0);
  machine.kernel.Enqueue(task);
  machine.kernel.Queue(*task.queue).clear();
  task.queue.reset();
  task.SetCpu(3);
  machine.kernel.Enqueue(task, SCX_ENQ_WAKEUP);
  EXPECT_EQ(machine.N(3, 0), 0u);
  EXPECT_EQ(machine.N(3, 1), 1u);
}

TEST(Occupancy, DisableGivesBackTheCount) {
  Machine machine(1, 1, 1, 8);
  FakeTask& task = machine.Add(3, 0);
  machine.kernel.Enqueue(task);
  layered_disable(&task.p);
  layered_disable(&task.p);
  EXPECT_EQ(machine.N(3, 0), 0u);
}

TEST(Occupancy, EnqueueWakesAnIdleCpuOfTheAffinity) {
  Machine machine(4, 1, 1, 8);
  FakeTask& task = machine.Add(3, 0);
  task.mask.bits[0] = 0b0100;
  machine.kernel.idle = 0b1110;
  machine.kernel.Enqueue(task);
  EXPECT_EQ(machine.kernel.kicked, std::vector<int>{2});
}

// The third CPU of eight, LLCs of two CPUs, nodes of two LLCs: own LLC 1, near 0, far 2 and 3.
TEST(Occupancy, NearestLlcFirst) {
  Machine machine(8, 4, 2, 8);
  for (int cpu = 0; cpu < 8; cpu += 2) machine.kernel.Enqueue(machine.Add(3, cpu));
  std::vector<int> order;
  for (int i = 0; i < 4; ++i) {
    machine.kernel.Dispatch(2);
    FakeTask* const task = machine.kernel.RunNext(2);
    ASSERT_NE(task, nullptr);
    order.push_back(task->ctx.llc);
  }
  EXPECT_EQ(order[0], 1);
  EXPECT_EQ(order[1], 0);
  EXPECT_TRUE(std::is_permutation(order.begin() + 2, order.end(), std::begin({2, 3})));
  EXPECT_EQ(machine.kernel.FailedProbes(), 0u);
}

TEST(Occupancy, NearestLlcAgainstTheDefinition) {
  constexpr int kLlcs = 120, kNodes = 6;
  FakeKernel kernel(kLlcs, kLlcs, kNodes);
  std::mt19937_64 random(20260104);
  for (int i = 0; i < 50'000; ++i) {
    uint64_t w0 = random(), w1 = random();
    for (int thin = static_cast<int>(random() % 8); thin > 0; --thin) {
      w0 &= random();
      w1 &= random();
    }
    w1 &= (1ull << (kLlcs - 64)) - 1;
    if ((w0 | w1) == 0) continue;
    const uint32_t own = random() % kLlcs, from = random() % LAYERED_MAX_LLCS;
    const auto set = [&](uint32_t llc) { return sim_test_bit128(w0, w1, llc); };
    const auto near = [&](uint32_t llc) {
      return llc / (kLlcs / kNodes) == own / (kLlcs / kNodes);
    };
    uint32_t want = own;
    for (const bool far : {false, true}) {
      for (uint32_t step = 0; step < LAYERED_MAX_LLCS && !set(want); ++step) {
        const uint32_t llc = (from + step) % LAYERED_MAX_LLCS;
        if (set(llc) && (far || near(llc))) want = llc;
      }
    }
    kernel.cpus[own].rotation = from;
    ASSERT_EQ(sim_nearest_llc(own, w0, w1), want) << own << " from " << from;
  }
}

// Any sequence of whole ops: counts equal queues and what is taken but not running yet; no queue
// with tasks lacks its bits; an idle machine with work is found by every dispatch.
TEST(Occupancy, RandomSequences) {
  constexpr int kCpus = 8, kLlcs = 4, kSlots = 6, kTasks = 24;
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    Machine machine(kCpus, kLlcs, 2, kSlots);
    std::mt19937 random(seed);
    std::deque<FakeTask*> asleep;
    std::vector<FakeTask*> running(kCpus);
    for (int i = 0; i < kTasks; ++i) asleep.push_back(&machine.Add(i % kSlots, 0));
    for (int step = 0; step < 3'000; ++step) {
      machine.kernel.now += 1'000'000;
      const int cpu = static_cast<int>(random() % kCpus);
      if (random() % 2 == 0 && !asleep.empty()) {
        FakeTask* const task = asleep.front();
        asleep.pop_front();
        task->SetCpu(cpu);
        machine.kernel.Enqueue(*task, SCX_ENQ_WAKEUP);
      } else {
        if (running[cpu] != nullptr) {
          layered_stopping(&running[cpu]->p, false);
          asleep.push_back(running[cpu]);
        }
        machine.kernel.Dispatch(cpu);
        running[cpu] = machine.kernel.RunNext(cpu);
      }
      size_t queued = 0;
      for (uint32_t slot = 0; slot < kSlots; ++slot) {
        for (uint32_t llc = 0; llc < kLlcs; ++llc) {
          const size_t size = machine.kernel.QueueSize(slot, llc);
          queued += size;
          ASSERT_EQ(machine.N(slot, llc), size) << "seed " << seed << " step " << step;
          if (size == 0) continue;
          ASSERT_TRUE(machine.Occ(slot, llc)) << "seed " << seed << " step " << step;
          ASSERT_TRUE(machine.Work(slot)) << "seed " << seed << " step " << step;
        }
      }
      const auto busy = std::count_if(running.begin(), running.end(), [](auto* t) { return t; });
      ASSERT_EQ(queued + asleep.size() + busy, size_t{kTasks}) << "seed " << seed;
    }
    EXPECT_EQ(machine.kernel.FailedProbes(), 0u) << "seed " << seed;
  }
}

}  // namespace
}  // namespace layered::sim
