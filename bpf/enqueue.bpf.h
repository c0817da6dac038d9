/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a waking or preempted task goes: straight to an idle CPU (select_cpu), else into the queue
 * (slot, LLC) of its layer, or into a fallback.
 *
 * High fallback: kernel threads that others wait for (restricted affinity, nice < 0, rcu*), and
 * the daemon's threads within their budget. Low fallback: tasks that no layer queue can serve.
 * A task without a record goes to the kernel's global DSQ and is counted.
 */
#ifndef LAYERED_BPF_ENQUEUE_BPF_H_
#define LAYERED_BPF_ENQUEUE_BPF_H_

#include "bpf/account.bpf.h"
#include "bpf/match.bpf.h"

/* Kernel threads that everything else waits for: each publish and each grace period does. */
LAYERED_INLINE bool is_rcu_kthread(const struct task_struct *p)
{
	return p->comm[0] == 'r' && p->comm[1] == 'c' && p->comm[2] == 'u';
}

LAYERED_INLINE bool wants_high_fallback(struct task_struct *p, u64 now)
{
	if (is_kthread(p))
		return (u32)p->nr_cpus_allowed < layered_topo.nr_cpus || load_nice(p) < 0 ||
		       is_rcu_kthread(p);
	return p->tgid == layered_ctl.daemon_tgid && layered_ctl.daemon_tgid &&
	       daemon_within_budget(now);
}

/*
 * Hogs must not stay where they fell: at the end of a slice a task compares its layer's runnable
 * tasks per CPU here with those of one other LLC, taken at random, and moves if it would still be
 * no worse off there. Which LLC to look at; `llc` itself for none.
 */
LAYERED_INLINE u32 candidate_llc(struct task_struct *p, const struct cpumask *cpus, u32 llc)
{
	u32 other = port_random() % layered_topo.nr_llcs;

	if ((u32)p->nr_cpus_allowed < layered_topo.nr_cpus &&
	    !bpf_cpumask_test_cpu(layered_topo.llc_first_cpu[IDX(other, LAYERED_MAX_LLCS)], cpus))
		return llc;
	return other;
}

LAYERED_GLOBAL u32 better_llc(u32 slot, u32 llc, u32 other)
{
	struct layered_llc_ctx *lc = port_llc_ctx(llc), *olc = port_llc_ctx(other);
	u32 here, there;

	if (!lc || !olc || llc == other)
		return llc;
	here = LAYERED_LOAD(lc->q[IDX(slot, LAYERED_ROWS_POW2)].runnable);
	there = LAYERED_LOAD(olc->q[IDX(slot, LAYERED_ROWS_POW2)].runnable) + 1;
	return here * layered_topo.llc_nr_cpus[IDX(other, LAYERED_MAX_LLCS)] >
			       there * layered_topo.llc_nr_cpus[IDX(llc, LAYERED_MAX_LLCS)]
		       ? other
		       : llc;
}

/* Makes the task one of queue (slot, llc), but for the count: its home, and the vtime returned. */
LAYERED_GLOBAL u64 join_queue(struct task_ctx *tctx, u32 slot, u32 llc, u64 slice)
{
	struct layered_llc_ctx *lc = port_llc_ctx(llc);

	if (!tctx || !lc)
		return 0;
	set_home(tctx, lc, slot, llc);
	place_vtime(tctx, slot, llc, slice);
	return tctx->vtime;
}

/*
 * The row for a task that is being enqueued on `cpu`; LAYERED_NR_ROWS for straight to the CPU's
 * local DSQ: when the kernel has nothing else for it; when select_cpu claimed it but did not know
 * the layer; when select_cpu was not asked (the task can run only here) and the CPU is idle; and
 * for a kernel thread that can run only here, but only as it wakes, for a CPU whose local DSQ is
 * fed in a loop never calls dispatch. Global: its branches are verified once.
 */
LAYERED_GLOBAL u32 route(struct task_ctx *tctx, u32 cpu, u64 enq_flags, u32 high,
			 u32 nr_cpus_allowed)
{
	bool wakes = (enq_flags & ENQ(SCX_ENQ_WAKEUP)) && !(enq_flags & ENQ(SCX_ENQ_REENQ));
	bool claimed;

	if (!tctx || (enq_flags & ENQ(SCX_ENQ_LAST)))
		return LAYERED_NR_ROWS;
	/* A newborn's CPU is selected too, but the kernel does not say so in the flags. */
	claimed = tctx->claimed;
	if (!claimed && wakes && !(enq_flags & ENQ(SCX_ENQ_CPU_SELECTED)))
		claimed = scx_bpf_test_and_clear_cpu_idle(cpu);
	tctx->claimed = 0;
	if (claimed || (high && wakes && nr_cpus_allowed == 1))
		return LAYERED_NR_ROWS;
	if (high)
		return LAYERED_ROW_HIGH;
	/* A CPU of an LLC without queues: no queue of the layer can serve the task there. */
	return cpu_llc(cpu) < layered_topo.nr_llcs ? word_slot(LAYERED_LOAD(tctx->word))
						   : LAYERED_ROW_LOW;
}

LAYERED_INLINE s32 op_select_cpu(struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	struct task_ctx *tctx = port_task_ctx(p);
	struct layered_revision *rev = port_revision(0);
	struct layered_cpu_ctx *cc;
	bool idle = false;
	s32 cpu = scx_bpf_select_cpu_dfl(p, prev_cpu, wake_flags, &idle);
	u32 slot;

	if (!tctx || !rev)
		return cpu; /* enqueue falls back */
	tctx->stale = is_stale(p, tctx, rev);
	tctx->claimed = idle;
	if (!idle || tctx->stale)
		return cpu;
	cc = port_cpu_ctx(port_this_cpu());
	slot = word_slot(LAYERED_LOAD(tctx->word));
	if (cc)
		SLOT_STAT(cc, slot, direct);
	leave_queue(tctx);
	tctx->claimed = 0;
	tctx->row = slot;
	scx_bpf_dsq_insert(p, LAYERED_DSQ_LOCAL, policy_slice(rev, slot), 0);
	return cpu;
}

LAYERED_INLINE void op_enqueue(struct task_struct *p, u64 enq_flags)
{
	u32 cpu = port_task_cpu(p);
	u32 llc = cpu_llc(cpu), slot;
	struct task_ctx *tctx = port_task_ctx(p);
	struct layered_revision *rev = port_revision(0);
	struct layered_llc_ctx *lc = port_llc_ctx(llc);
	struct layered_cpu_ctx *cc = port_cpu_ctx(cpu);
	bool selected = enq_flags & ENQ(SCX_ENQ_CPU_SELECTED);
	u64 now = port_now(), slice, vtime;
	const struct cpumask *cpus;
	u32 row;

	if (!tctx || !rev || !lc || !cc) {
		if (cc)
			STAT(cc, fallbacks);
		if (enq_flags & ENQ(SCX_ENQ_LAST)) {
			scx_bpf_dsq_insert(p, LAYERED_DSQ_LOCAL, LAYERED_DEFAULT_SLICE_NS,
					   enq_flags);
			scx_bpf_kick_cpu(cpu, 0);
		} else {
			scx_bpf_dsq_insert(p, LAYERED_DSQ_GLOBAL, LAYERED_DEFAULT_SLICE_NS,
					   enq_flags);
		}
		return;
	}
	leave_queue(tctx); /* a migration passes no other op: the old debt first */
	if (tctx->stale || (!selected && is_stale(p, tctx, rev)))
		slot = match_task(p, tctx, rev);
	else
		slot = word_slot(LAYERED_LOAD(tctx->word));
	slice = policy_slice(rev, slot);
	if (!tctx->waits_since)
		tctx->waits_since = now;

	cpus = p->cpus_ptr;
	row = route(tctx, cpu, enq_flags, wants_high_fallback(p, now), p->nr_cpus_allowed);
	if (row >= LAYERED_NR_ROWS) {
		tctx->row = slot;
		SLOT_STAT(cc, slot, direct);
		scx_bpf_dsq_insert(p, LAYERED_DSQ_LOCAL, slice, enq_flags);
		/* A local insert does not reschedule by itself. */
		if (enq_flags & ENQ(SCX_ENQ_LAST))
			scx_bpf_kick_cpu(cpu, 0);
		return;
	}

	SLOT_STAT(cc, row, enqueues);
	if (row >= LAYERED_MAX_SLOTS) {
		scx_bpf_dsq_insert(p, dsq_id(row, llc), slice, enq_flags);
	} else {
		if (layered_topo.nr_llcs > 1 &&
		    !(enq_flags & (ENQ(SCX_ENQ_WAKEUP) | ENQ(SCX_ENQ_REENQ))))
			llc = better_llc(slot, llc, candidate_llc(p, cpus, llc));
		vtime = join_queue(tctx, slot, llc, slice);
		scx_bpf_dsq_insert_vtime(p, dsq_id(slot, llc), slice, vtime, enq_flags);
	}
	/*
	 * The kernel inserts when this op has returned. Until then a probe for what is counted
	 * fails, so it is counted last.
	 */
	count_in(tctx, row, llc);
	wake_one(cc, cpus);
}

#endif /* LAYERED_BPF_ENQUEUE_BPF_H_ */
