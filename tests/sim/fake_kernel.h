// SPDX-License-Identifier: GPL-2.0-only
//
// What the scheduler's code needs of a kernel, in plain memory: maps, a clock that stands still
// until it is moved, queues, an idle mask. It is no simulation: nothing runs by itself, a test
// calls the ops in the order that it wants. Affinities and the idle mask end at CPU 63.
//
// As in the kernel, an insert takes effect after the op that asked for it has returned.
//
// Thread-safety: one thread.
// Ownership: owns all maps; tasks are the test's. While one exists it is *the* kernel that
// bpf/port_user.h talks to; its constructor resets the scheduler's global state.
// Failure: an insert into a queue that was not created, or of a task that is in one, fails the
// test, where a real kernel would eject the scheduler.

#ifndef LAYERED_TESTS_SIM_FAKE_KERNEL_H_
#define LAYERED_TESTS_SIM_FAKE_KERNEL_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/sim/scheduler.h"

namespace layered::sim {

// A cgroup and the nodes of its path. Depth and length are not limited.
class FakeCgroup {
 public:
  // "/a/b"; "/" is the root.
  explicit FakeCgroup(const std::string& path);
  FakeCgroup(const FakeCgroup&) = delete;

  cgroup* get() { return &cgroup_; }
  uint64_t kn() const { return reinterpret_cast<uint64_t>(cgroup_.kn); }

 private:
  std::vector<std::string> names_;
  std::vector<kernfs_node> nodes_;  // from the root
  cgroup cgroup_{};
};

// A task with everything that a task_struct leads to. `p` is first: the kernel's pointer is ours.
struct FakeTask {
  explicit FakeTask(FakeCgroup* in);
  FakeTask(const FakeTask&) = delete;

  void SetComm(const std::string& comm);

  int cpu() const { return static_cast<int>(p.thread_info.cpu); }
  void SetCpu(int cpu) { p.thread_info.cpu = static_cast<uint32_t>(cpu); }

  // The slot that the task's word names.
  uint32_t slot() const { return sim_word_slot(ctx.word); }

  task_struct p{};
  task_ctx ctx{};
  css_set set{};
  cred credentials{};
  cpumask mask{{~0ul}};
  std::optional<uint64_t> queue;  // DSQ that it is in
};

class FakeKernel {
 public:
  // CPUs, LLCs and nodes are dealt out in equal blocks; each count divides the one before. The
  // revision has `slots` live layers in slots 0.. with default policies and no rules.
  FakeKernel(int cpus, int llcs, int nodes, int slots = 0);
  ~FakeKernel();
  FakeKernel(const FakeKernel&) = delete;

  // Ops, each with what the kernel does after it.
  void Enqueue(FakeTask& task, uint64_t flags = 0);
  void Dispatch(int cpu, FakeTask* prev = nullptr);

  // Takes the first task of the CPU's local queue and tells the scheduler that it runs; null if
  // there is none.
  FakeTask* RunNext(int cpu);

  // Tasks in a queue of the scheduler.
  size_t QueueSize(uint32_t slot, uint32_t llc) const;
  uint64_t FailedProbes() const;

  uint64_t now = 1'000'000'000;
  uint64_t idle = 0;        // CPU bits
  std::vector<int> kicked;  // in order
  std::unique_ptr<layered_revision> revision;
  std::vector<layered_cpu_ctx> cpus;
  std::vector<layered_cpu_plan> plans;
  std::vector<layered_llc_ctx> llcs;
  std::map<cgroup*, cgroup_cache> cgroup_caches;
  path_buf path{};

  // The half that port_user.h's functions use.
  void Insert(FakeTask* task, uint64_t dsq, uint64_t key);
  bool Move(uint64_t dsq, FakeTask* task, int cpu);
  std::multimap<uint64_t, FakeTask*>& Queue(uint64_t dsq);
  std::set<uint64_t> created;
  int this_cpu = 0;

 private:
  struct Pending {
    FakeTask* task;
    uint64_t dsq;
    uint64_t key;
  };
  void FinishOp();

  std::optional<Pending> pending_;
  uint64_t fifo_ = 0;  // key of the next insert without one
  std::map<uint64_t, std::multimap<uint64_t, FakeTask*>> queues_;
  std::vector<std::vector<FakeTask*>> local_;
};

}  // namespace layered::sim

#endif  // LAYERED_TESTS_SIM_FAKE_KERNEL_H_
