// SPDX-License-Identifier: GPL-2.0-only
//
// What a CPU runs when not everything that is queued can run on it.

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/sim/fake_kernel.h"

namespace layered::sim {
namespace {

constexpr uint64_t kSlice = LAYERED_DEFAULT_SLICE_NS;

// Four slots whose tasks run on CPU 0 only, which never comes to run them: as many slots as a
// dispatch tries while it has a prev. Two slots with one task each run on CPU 3.
class PinnedTasks : public testing::Test {
 protected:
  PinnedTasks() {
    for (uint32_t slot = 0; slot < 4; ++slot) kernel_.Enqueue(Add(slot, 0), SCX_ENQ_WAKEUP);
    first_ = &Add(5, 3);
    second_ = &Add(6, 3);
    kernel_.Enqueue(*first_, SCX_ENQ_WAKEUP);
    kernel_.Enqueue(*second_, SCX_ENQ_WAKEUP);
  }

  FakeTask& Add(uint32_t slot, int cpu) {
    FakeTask& task = *tasks_.emplace_back(std::make_unique<FakeTask>(&root_));
    task.SetCpu(cpu);
    task.mask.bits[0] = 1ul << cpu;
    task.ctx.word = uint64_t{kernel_.revision->publish} << 32 | 1u << 8 | slot;
    return task;
  }

  // Slices by task on CPU 3. With `keeps` the task whose slice has ended is offered as prev, as
  // the kernel does; else it is queued again before.
  std::map<FakeTask*, int> Run(int slices, bool keeps) {
    std::map<FakeTask*, int> count;
    FakeTask* running = nullptr;
    for (int i = 0; i < slices; ++i) {
      kernel_.now += kSlice;
      if (running != nullptr && !keeps) Requeue(running);
      if (running != nullptr && keeps) running->p.scx.flags |= LAYERED_SCX_TASK_QUEUED;
      kernel_.Dispatch(3, keeps ? running : nullptr);
      if (FakeTask* const next = kernel_.RunNext(3)) {
        if (running != nullptr && keeps) Requeue(running);
        running = next;
      } else if (!keeps) {
        running = nullptr;
      }
      ++count[running];
    }
    return count;
  }

  void Requeue(FakeTask* task) {
    layered_stopping(&task->p, true);
    kernel_.Enqueue(*task);
  }

  FakeKernel kernel_{4, 1, 1, 8};
  FakeCgroup root_{"/"};
  std::vector<std::unique_ptr<FakeTask>> tasks_;
  FakeTask *first_, *second_;
};

TEST_F(PinnedTasks, ForOtherCpusDoNotStarveThoseForThis) {
  auto count = Run(400, true);
  EXPECT_NEAR(count[first_], 200, 20);
  EXPECT_NEAR(count[second_], 200, 20);
}

TEST_F(PinnedTasks, ForOtherCpusDoNotLetThisGoIdleBesideWork) {
  auto count = Run(400, false);
  EXPECT_EQ(count[nullptr], 0);
  EXPECT_NEAR(count[first_], 200, 20);
}

// A bit that a task left behind as it went to run costs its slot nothing.
TEST(Dispatch, StaleBitIsNotCharged) {
  FakeKernel kernel(2, 1, 1, 8);
  FakeCgroup root("/");
  FakeTask sleeper(&root), other(&root);
  for (auto [task, slot] : {std::pair{&sleeper, 2u}, {&other, 5u}}) {
    task->ctx.word = uint64_t{kernel.revision->publish} << 32 | 1u << 8 | slot;
    kernel.Enqueue(*task, SCX_ENQ_WAKEUP);
  }
  auto& cpu = kernel.cpus[1];
  for (uint32_t slot = 0; slot < 8; ++slot) cpu.svc_generation[slot] = 1;
  cpu.vmin = 100 * kSlice;
  cpu.svc[2] = 99 * kSlice;
  cpu.svc[5] = 101 * kSlice;
  kernel.Dispatch(0);
  FakeTask* const taken = kernel.RunNext(0);  // its slot's bits stay
  kernel.Dispatch(1);
  kernel.RunNext(1);
  EXPECT_EQ(cpu.svc[2], 99 * kSlice) << "CPU 0 took slot " << taken->slot();
  EXPECT_EQ(cpu.svc[5], 101 * kSlice);
}

// The kernel itself queues a prev that is exiting, and leaves the CPU idle beside it.
TEST(Dispatch, PrevThatIsNotKeptIsLookedAtAgain) {
  FakeKernel kernel(2, 1, 1, 8);
  FakeCgroup root("/");
  FakeTask task(&root);
  task.ctx.word = uint64_t{kernel.revision->publish} << 32 | 1u << 8 | 2;
  task.ctx.stale = 1;
  task.SetCpu(1);
  task.p.scx.flags |= LAYERED_SCX_TASK_QUEUED;
  kernel.Dispatch(1, &task);
  EXPECT_EQ(kernel.kicked, std::vector<int>{1});
}

}  // namespace
}  // namespace layered::sim
