// SPDX-License-Identifier: GPL-2.0-only

#include "tests/sim/fake_kernel.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "gtest/gtest.h"

namespace layered::sim {
namespace {

FakeKernel* current = nullptr;

static_assert(std::is_standard_layout_v<FakeTask>, "p is at its beginning");
FakeTask* TaskOf(task_struct* p) { return reinterpret_cast<FakeTask*>(p); }

template <typename T>
T* At(std::vector<T>& table, uint32_t index) {
  return index < table.size() ? &table[index] : nullptr;
}

}  // namespace

FakeCgroup::FakeCgroup(const std::string& path) {
  for (size_t begin = 1; begin < path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    names_.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  static uint64_t next_id = 1;
  nodes_.push_back({next_id++, nullptr, ""});
  nodes_.reserve(names_.size() + 1);
  for (const std::string& name : names_) {
    nodes_.push_back({next_id++, &nodes_.back(), name.c_str()});
  }
  cgroup_.kn = &nodes_.back();
}

FakeTask::FakeTask(FakeCgroup* in) {
  set.dfl_cgrp = in->get();
  p.cgroups = &set;
  p.real_cred = &credentials;
  p.group_leader = &p;
  p.cpus_ptr = &mask;
  p.nr_cpus_allowed = 64;
  p.static_prio = LAYERED_DEFAULT_PRIO;
  p.scx.weight = 100;
  p.pid = p.tgid = 1000;
}

void FakeTask::SetComm(const std::string& comm) {
  std::memset(p.comm, 0, sizeof(p.comm));
  std::memcpy(p.comm, comm.data(), std::min(comm.size(), sizeof(p.comm) - 1));
}

FakeKernel::FakeKernel(int nr_cpus, int nr_llcs, int nr_nodes, int slots)
    : revision(std::make_unique<layered_revision>()),
      cpus(nr_cpus),
      plans(nr_cpus),
      llcs(nr_llcs),
      local_(nr_cpus) {
  layered_topo = {};
  layered_occ = {};
  layered_ctl = {};
  layered_topo.nr_cpus = nr_cpus;
  layered_topo.nr_llcs = nr_llcs;
  layered_topo.nr_nodes = nr_nodes;
  for (int cpu = nr_cpus - 1; cpu >= 0; --cpu) {
    const int llc = cpu * nr_llcs / nr_cpus;
    layered_topo.cpu_llc[cpu] = llc;
    ++layered_topo.llc_nr_cpus[llc];
    layered_topo.llc_first_cpu[llc] = cpu;
  }
  for (int llc = 0; llc < nr_llcs; ++llc) {
    const int node = llc * nr_nodes / nr_llcs;
    layered_topo.llc_node[llc] = node;
    layered_topo.node_llcs[node][llc / 64] |= 1ull << (llc % 64);
  }
  revision->publish = revision->revision = 1;
  for (layered_policy& policy : revision->policy) {
    policy = {
        .slice_ns = LAYERED_DEFAULT_SLICE_NS, .weight = 100, .generation = 0, .live = 0, .pad = {}};
  }
  for (layered_cpu_plan& plan : plans) {
    plan.buf[0].nr_stages[LAYERED_STAGES_NORMAL] = 1;
    plan.buf[0].owner = LAYERED_MAX_SLOTS;
  }
  for (int slot = 0; slot < slots; ++slot) {
    revision->policy[slot].generation = revision->policy[slot].live = 1;
    for (layered_cpu_plan& plan : plans) {
      plan.buf[0].stage[LAYERED_STAGES_NORMAL][0][slot / 64] |= 1ull << (slot % 64);
    }
  }
  current = this;
  EXPECT_EQ(layered_init(), 0);
}

FakeKernel::~FakeKernel() { current = nullptr; }

void FakeKernel::Enqueue(FakeTask& task, uint64_t flags) {
  this_cpu = task.cpu();
  layered_enqueue(&task.p, flags);
  FinishOp();
}

void FakeKernel::Dispatch(int cpu, FakeTask* prev) {
  this_cpu = cpu;
  if (local_[cpu].empty()) layered_dispatch(cpu, prev == nullptr ? nullptr : &prev->p);
  FinishOp();
}

FakeTask* FakeKernel::RunNext(int cpu) {
  if (local_[cpu].empty()) return nullptr;
  FakeTask* const task = local_[cpu].front();
  local_[cpu].erase(local_[cpu].begin());
  task->queue.reset();
  task->SetCpu(this_cpu = cpu);
  layered_running(&task->p);
  return task;
}

size_t FakeKernel::QueueSize(uint32_t slot, uint32_t llc) const {
  const auto found = queues_.find(sim_dsq_id(slot, llc));
  return found == queues_.end() ? 0 : found->second.size();
}

uint64_t FakeKernel::FailedProbes() const {
  uint64_t sum = 0;
  for (const layered_cpu_ctx& cpu : cpus) sum += cpu.stats.failed_probes;
  return sum;
}

void FakeKernel::Insert(FakeTask* task, uint64_t dsq, uint64_t key) {
  EXPECT_FALSE(pending_.has_value()) << "two inserts in one op";
  EXPECT_FALSE(task->queue.has_value()) << "the task is queued already";
  pending_ = {task, dsq, key == LAYERED_NO_VTIME ? fifo_++ : key};
}

void FakeKernel::FinishOp() {
  if (!pending_) return;
  const Pending insert = *pending_;
  pending_.reset();
  insert.task->queue = insert.dsq;
  if (insert.dsq == LAYERED_DSQ_LOCAL) {
    local_[insert.task->cpu()].push_back(insert.task);
  } else {
    Queue(insert.dsq).emplace(insert.key, insert.task);
  }
}

std::multimap<uint64_t, FakeTask*>& FakeKernel::Queue(uint64_t dsq) {
  EXPECT_TRUE(dsq == LAYERED_DSQ_GLOBAL || created.contains(dsq)) << "no queue " << std::hex << dsq;
  return queues_[dsq];
}

bool FakeKernel::Move(uint64_t dsq, FakeTask* task, int cpu) {
  auto& queue = Queue(dsq);
  const auto at = std::find_if(queue.begin(), queue.end(), [&](const auto& entry) {
    return task == nullptr ? entry.second->mask.bits[0] >> cpu & 1 : entry.second == task;
  });
  if (at == queue.end()) return false;
  at->second->queue = LAYERED_DSQ_LOCAL;
  local_[cpu].push_back(at->second);
  queue.erase(at);
  return true;
}

}  // namespace layered::sim

// ---- bpf/port_user.h ----

using layered::sim::At;
using layered::sim::current;
using layered::sim::FakeTask;
using layered::sim::TaskOf;

extern "C" {

u64 port_now(void) { return current->now; }
u32 port_this_cpu(void) { return current->this_cpu; }
u32 port_random(void) { return 0; }

task_ctx* port_task_ctx(task_struct* p) { return &TaskOf(p)->ctx; }
task_ctx* port_task_ctx_create(task_struct* p) { return &TaskOf(p)->ctx; }
cgroup_cache* port_cgroup_cache(cgroup* cgrp) { return &current->cgroup_caches[cgrp]; }
layered_revision* port_revision(u32 which) {
  return which == 0 ? current->revision.get() : nullptr;
}
layered_cpu_ctx* port_cpu_ctx(u32 cpu) { return At(current->cpus, cpu); }
layered_cpu_plan* port_cpu_plan(u32 cpu) { return At(current->plans, cpu); }
layered_llc_ctx* port_llc_ctx(u32 llc) { return At(current->llcs, llc); }
path_buf* port_path_buf(void) { return &current->path; }

s32 scx_bpf_create_dsq(u64 dsq, s32) { return current->created.insert(dsq).second ? 0 : -17; }
s32 scx_bpf_select_cpu_dfl(task_struct* p, s32 prev_cpu, u64, bool* is_idle) {
  const s32 cpu = scx_bpf_pick_idle_cpu(p->cpus_ptr, 0);
  *is_idle = cpu >= 0;
  return cpu >= 0 ? cpu : prev_cpu;
}
void scx_bpf_dsq_insert(task_struct* p, u64 dsq, u64 slice, u64) {
  p->scx.slice = slice;
  current->Insert(TaskOf(p), dsq, LAYERED_NO_VTIME);
}
void scx_bpf_dsq_insert_vtime(task_struct* p, u64 dsq, u64 slice, u64 vtime, u64) {
  p->scx.slice = slice;
  p->scx.dsq_vtime = vtime;
  current->Insert(TaskOf(p), dsq, vtime);
}
s32 scx_bpf_pick_idle_cpu(const cpumask_t* cpus, u64) {
  const u64 found = current->idle & cpus->bits[0];
  if (found == 0) return -16;
  current->idle &= ~(found & -found);
  return std::countr_zero(found);
}
bool scx_bpf_test_and_clear_cpu_idle(s32 cpu) {
  const bool was_idle = port_idle_bit(cpu);
  current->idle &= ~(1ull << cpu);
  return was_idle;
}
void scx_bpf_kick_cpu(s32 cpu, u64) { current->kicked.push_back(cpu); }
bool bpf_cpumask_test_cpu(u32 cpu, const cpumask* mask) { return mask->bits[0] >> cpu & 1; }
u32 bpf_cpumask_any_distribute(const cpumask* mask) { return std::countr_zero(mask->bits[0]); }
void bpf_rcu_read_lock(void) {}
void bpf_rcu_read_unlock(void) {}

// The iterator walks a snapshot: opaque is {DSQ, its tasks, position}.
int bpf_iter_scx_dsq_new(bpf_iter_scx_dsq* it, u64 dsq, u64 flags) {
  auto* const tasks = new std::vector<FakeTask*>;
  for (const auto& [vtime, task] : current->Queue(dsq)) tasks->push_back(task);
  if (flags & LAYERED_DSQ_ITER_REV) std::reverse(tasks->begin(), tasks->end());
  *it = {{dsq, reinterpret_cast<u64>(tasks), 0, 0, 0, 0}};
  return 0;
}
task_struct* bpf_iter_scx_dsq_next(bpf_iter_scx_dsq* it) {
  const auto& tasks = *reinterpret_cast<std::vector<FakeTask*>*>(it->opaque[1]);
  return it->opaque[2] < tasks.size() ? &tasks[it->opaque[2]++]->p : nullptr;
}
void bpf_iter_scx_dsq_destroy(bpf_iter_scx_dsq* it) {
  delete reinterpret_cast<std::vector<FakeTask*>*>(it->opaque[1]);
}
bool scx_bpf_dsq_move(bpf_iter_scx_dsq* it, task_struct* p, u64 dsq, u64) {
  return current->Move(it->opaque[0], TaskOf(p), static_cast<int>(dsq & 0xffff));
}

bool port_move_to_local(u64 dsq) { return current->Move(dsq, nullptr, current->this_cpu); }
void port_reenqueue_local(void) {}
u64 port_head_vtime(u64 dsq) {
  const auto& queue = current->Queue(dsq);
  return queue.empty() ? LAYERED_NO_VTIME : queue.begin()->first;
}
bool port_idle_bit(s32 cpu) { return current->idle >> cpu & 1; }
s32 port_pick_any_idle(void) {
  static const cpumask all{{~0ul}};
  return scx_bpf_pick_idle_cpu(&all, 0);
}

s32 port_start_slow_timer(slow_timer_fn*, u64) { return 0; }
s32 port_rearm_slow_timer(slow_timer*, u64) { return 0; }

}  // extern "C"
