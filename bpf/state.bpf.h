/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mutable state outside the array maps, each struct in a section (so a map) of its own, and the
 * small accessors that every concern uses. All state is zero at start except the control block, so
 * an instance is reset by clearing it.
 */
#ifndef LAYERED_BPF_STATE_BPF_H_
#define LAYERED_BPF_STATE_BPF_H_

#include "bpf/bits.bpf.h"
#include "bpf/port.h"

struct layered_topo layered_topo LAYERED_SEC(".data.topo") = {};
struct layered_occ layered_occ LAYERED_SEC(".data.occ") = {};
struct layered_ctl layered_ctl LAYERED_SEC(".data.ctl") = {};

/*
 * 0, but unknown to the verifier: a loop that starts here is verified once for a range of counts
 * instead of once per count.
 */
#define UNKNOWN_ZERO LAYERED_LOAD(layered_ctl.zero)

/* Compared by the daemon with its own before it loads this object. */
const volatile struct layered_layout layered_layout = {
	.version = LAYERED_LAYOUT_VERSION,
	.revision_size = sizeof(struct layered_revision),
	.cpu_plan_size = sizeof(struct layered_cpu_plan),
	.topo_size = sizeof(struct layered_topo),
	.occ_size = sizeof(struct layered_occ),
	.llc_ctx_size = sizeof(struct layered_llc_ctx),
	.cpu_ctx_size = sizeof(struct layered_cpu_ctx),
	.ctl_size = sizeof(struct layered_ctl),
};

/* Identifiers of DSQs: never 0, never with the kernel's own top bits. */
#define LAYERED_DSQ_BASE 0x1000000ULL
LAYERED_INLINE u64 dsq_id(u32 row, u32 llc)
{
	return LAYERED_DSQ_BASE | ((u64)llc << 8) | row;
}

/* Counters may be touched from other CPUs (remote wake-ups), so they are added atomically. */
#define STAT(cc, field) ADD(&(cc)->stats.field, 1)
#define SLOT_STAT(cc, row, field) ADD(&(cc)->slot[IDX(row, LAYERED_ROWS_POW2)].field, 1)

/* LLC of a CPU. The daemon gives every possible CPU one, also those that are not online. */
LAYERED_INLINE u32 cpu_llc(u32 cpu)
{
	return layered_topo.cpu_llc[IDX(cpu, LAYERED_MAX_CPUS)] & (LAYERED_MAX_LLCS - 1);
}

LAYERED_INLINE u32 word_publish(u64 word)
{
	return word >> 32;
}

LAYERED_INLINE u32 word_generation(u64 word)
{
	return (word >> 8) & 0xffffff;
}

LAYERED_INLINE u32 word_slot(u64 word)
{
	return word & (LAYERED_MAX_SLOTS - 1);
}

LAYERED_INLINE u64 make_word(u32 publish, u32 generation, u32 slot)
{
	return ((u64)publish << 32) | ((u64)(generation & 0xffffff) << 8) | slot;
}

LAYERED_INLINE bool is_kthread(const struct task_struct *p)
{
	return p->flags & LAYERED_PF_KTHREAD;
}

/* The daemon fills the policy of every slot, used or not: never 0. */
LAYERED_INLINE u64 policy_slice(const struct layered_revision *rev, u32 slot)
{
	return rev->policy[IDX(slot, LAYERED_MAX_SLOTS)].slice_ns;
}

LAYERED_INLINE u32 policy_weight(const struct layered_revision *rev, u32 slot)
{
	return rev->policy[IDX(slot, LAYERED_MAX_SLOTS)].weight;
}

#endif /* LAYERED_BPF_STATE_BPF_H_ */
