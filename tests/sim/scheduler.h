// SPDX-License-Identifier: GPL-2.0-only
//
// The scheduler's code as a C library: the ops as the kernel calls them, and those inner functions
// that tests look at by themselves. Their meaning stands where they are defined (bpf/*.bpf.h).
//
// Thread-safety: as in the kernel, any thread; its state is global (layered_topo, layered_occ,
// layered_ctl) and in the maps that the user of bpf/port_user.h supplies.
// Failure: as in the kernel.

#ifndef LAYERED_TESTS_SIM_SCHEDULER_H_
#define LAYERED_TESTS_SIM_SCHEDULER_H_

#include "bpf/port.h"

#ifdef __cplusplus
extern "C" {
#endif

extern struct layered_topo layered_topo;
extern struct layered_occ layered_occ;
extern struct layered_ctl layered_ctl;

// ---- ops ----
s32 layered_select_cpu(struct task_struct* p, s32 prev_cpu, u64 wake_flags);
void layered_enqueue(struct task_struct* p, u64 enq_flags);
void layered_dispatch(s32 cpu, struct task_struct* prev);
void layered_running(struct task_struct* p);
void layered_stopping(struct task_struct* p, bool runnable);
void layered_enable(struct task_struct* p);
void layered_disable(struct task_struct* p);
s32 layered_init(void);

// ---- bits.bpf.h ----
u32 next_bit128(u64 w0, u64 w1, u32 from);
u32 sim_ctz64(u64 x);
bool sim_test_bit128(u64 w0, u64 w1, u32 bit);
void sim_clear_bit128(u64* w0, u64* w1, u32 bit);

// ---- match.bpf.h, cgroup.bpf.h ----
bool comm_matches(const struct layered_predicate* pred, u64 name0, u64 name1);
u32 build_path(u64 kn_addr, struct path_text* path);
bool path_matches(struct layered_revision* rev, u32 index, struct path_text* path, u32 begin);

// ---- dispatch.bpf.h, occupancy.bpf.h ----
// choose_slot() on this CPU; prev_slot LAYERED_MAX_SLOTS: no prev competes.
u32 sim_choose_slot(u32 cpu, u64 w0, u64 w1, u32 prev_slot);
// nearest_llc() as this CPU sees it.
u32 sim_nearest_llc(u32 cpu, u64 w0, u64 w1);
u64 sim_dsq_id(u32 row, u32 llc);
u32 sim_word_slot(u64 word);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // LAYERED_TESTS_SIM_SCHEDULER_H_
