/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The slow timer: every 100 ms, bounds what weights leave open.
 *
 *  - Waiting is bounded in real time whatever the weights: tasks that have waited for more than 2 s
 *    are moved to the local DSQ of a CPU that they may use, one slice at a time, at most 10 % of a
 *    CPU's time (no limit for tasks older than 10 s). Up to 512 tasks of a queue are looked at,
 *    from the head and from the tail in turn: the tail of a vtime queue is where starving tasks
 * are. A moved task stays counted by its record until it runs.
 *  - Occupancy: a clear bit over a counted queue should not exist (see occupancy.bpf.h). What is
 *    found so in two passes in a row is repaired and counted; the expected count is 0.
 *  - W8: an idle CPU beside a bit is woken.
 */
#ifndef LAYERED_BPF_RESCUE_BPF_H_
#define LAYERED_BPF_RESCUE_BPF_H_

#include "bpf/account.bpf.h"
#include "bpf/occupancy.bpf.h"

#define LAYERED_TIMER_NS 100000000ULL
#define LAYERED_RESCUE_AGE_NS 2000000000ULL
#define LAYERED_RESCUE_ALWAYS_NS 10000000000ULL
enum {
	LAYERED_RESCUE_TASKS = 512, /* looked at per queue and pass */
};

/* May a rescued task go to this CPU now? Takes the CPU's budget if so. Global: verified once. */
LAYERED_GLOBAL bool take_rescue_budget(u32 cpu, u64 now, u64 age, u64 slice)
{
	struct layered_cpu_ctx *cc = port_cpu_ctx(cpu);

	/*
	 * Only where a task of ours runs: under a higher class, or offline, the task would be stuck
	 * in a local DSQ; an idle CPU takes it from its queue.
	 */
	if (!cc || !LAYERED_LOAD(cc->running_slot))
		return false;
	if (age < LAYERED_RESCUE_ALWAYS_NS && now < cc->rescue_after)
		return false;
	cc->rescue_after = now + slice * 100 / LAYERED_BUDGET_PERCENT;
	return true;
}

/*
 * A CPU for a task that has waited too long, or -1: its own, else another of its affinity (a
 * different one each time).
 */
LAYERED_INLINE s32 rescue_cpu(struct task_struct *p, u64 now, u64 age, u64 slice)
{
	u32 cpu = port_task_cpu(p);

	if (bpf_cpumask_test_cpu(cpu, p->cpus_ptr) && take_rescue_budget(cpu, now, age, slice))
		return cpu;
	if (port_migration_disabled(p))
		return -1;
	cpu = bpf_cpumask_any_distribute(p->cpus_ptr);
	return cpu < layered_topo.nr_cpus && take_rescue_budget(cpu, now, age, slice) ? (s32)cpu
										      : -1;
}

/* Moves what has waited too long in one queue. */
LAYERED_GLOBAL u32 rescue_queue(u32 row, u32 llc, u64 now, u32 backwards)
{
	struct layered_revision *rev = port_revision(0);
	struct layered_cpu_ctx *cc = port_cpu_ctx(port_this_cpu());
	struct bpf_iter_scx_dsq it;
	u32 i, moved = 0;

	if (!rev || !cc)
		return 0;
	bpf_rcu_read_lock();
	if (bpf_iter_scx_dsq_new(&it, dsq_id(row, llc), backwards ? LAYERED_DSQ_ITER_REV : 0))
		goto out;
	for (i = UNKNOWN_ZERO; i < LAYERED_RESCUE_TASKS && can_loop; STEP(i)) {
		struct task_struct *p = bpf_iter_scx_dsq_next(&it);
		struct task_ctx *tctx;
		u64 age, slice;
		u32 slot;
		s32 cpu;

		if (!p)
			break;
		tctx = port_task_ctx(p);
		if (!tctx || !tctx->waits_since || now < tctx->waits_since + LAYERED_RESCUE_AGE_NS)
			continue;
		age = now - tctx->waits_since;
		slot = word_slot(LAYERED_LOAD(tctx->word));
		slice = policy_slice(rev, slot);
		cpu = rescue_cpu(p, now, age, slice);
		if (cpu < 0)
			continue;
		if (scx_bpf_dsq_move(&it, p, LAYERED_DSQ_LOCAL_ON | cpu, 0)) {
			/* The insert alone does not interrupt a running task. */
			scx_bpf_kick_cpu(cpu, LAYERED_KICK_PREEMPT);
			SLOT_STAT(cc, slot, rescued);
			moved++;
		}
	}
out:
	bpf_iter_scx_dsq_destroy(&it);
	bpf_rcu_read_unlock();
	return moved;
}

/* All queues of one row that show a bit. */
LAYERED_GLOBAL u32 rescue_row(u32 row, u64 now, u32 backwards)
{
	struct layered_line *occ = &layered_occ.row[IDX(row, LAYERED_ROWS_POW2)];
	u64 w0 = LAYERED_LOAD(occ->w[0]), w1 = LAYERED_LOAD(occ->w[1]);
	u32 i;

	for (i = UNKNOWN_ZERO; i < LAYERED_MAX_LLCS && can_loop; STEP(i)) {
		u32 llc = next_bit128(w0, w1, 0);
		struct layered_llc_ctx *lc;

		if (llc >= LAYERED_MAX_LLCS)
			break;
		clear_bit128(&w0, &w1, llc);
		lc = port_llc_ctx(llc);
		if (lc && LAYERED_LOAD(lc->q[IDX(row, LAYERED_ROWS_POW2)].n))
			rescue_queue(row, llc, now, backwards);
	}
	return 0;
}

/* Does a queue count tasks that its bits do not show? Global: verified once. */
LAYERED_GLOBAL bool bits_missing(u32 row, u32 llc)
{
	struct layered_line *occ = &layered_occ.row[IDX(row, LAYERED_ROWS_POW2)];
	struct layered_line *work = &layered_occ.work;
	struct layered_llc_ctx *lc = port_llc_ctx(llc);

	if (!lc || !LAYERED_LOAD(lc->q[IDX(row, LAYERED_ROWS_POW2)].n))
		return false;
	return !test_bit128(LAYERED_LOAD(occ->w[0]), LAYERED_LOAD(occ->w[1]), llc) ||
	       (row < LAYERED_MAX_SLOTS &&
		!test_bit128(LAYERED_LOAD(work->w[0]), LAYERED_LOAD(work->w[1]), row));
}

/* One LLC per two passes: the first marks, the second repairs what is still so. */
LAYERED_INLINE void check_occupancy(struct slow_timer *timer, struct layered_cpu_ctx *cc)
{
	u32 nr = layered_topo.nr_llcs, llc = (timer->pass >> 1) % nr, row;
	u64 confirm = timer->pass & 1;

	for (row = UNKNOWN_ZERO; row < LAYERED_NR_ROWS && can_loop; STEP(row)) {
		u64 *suspect = &timer->suspect[IDX(row >> 6, LAYERED_SUSPECT_WORDS)];
		u64 missing = bits_missing(row, llc), mask = 1ULL << (row & 63);

		if (missing & confirm & (*suspect >> (row & 63))) {
			publish_bits(row, llc);
			STAT(cc, repairs);
			wake_any(port_this_cpu());
		}
		*suspect &= ~mask;
		*suspect |= (missing & ~confirm) << (row & 63);
	}
}

LAYERED_INLINE void op_slow_timer(struct slow_timer *timer)
{
	struct layered_cpu_ctx *cc = port_cpu_ctx(port_this_cpu());
	u64 w0 = LAYERED_LOAD(layered_occ.work.w[0]), w1 = LAYERED_LOAD(layered_occ.work.w[1]);
	u64 now = port_now();
	u32 backwards = timer->pass & 1, i;

	if (!cc)
		return;
	rescue_row(LAYERED_ROW_HIGH, now, backwards);
	rescue_row(LAYERED_ROW_LOW, now, backwards);
	for (i = UNKNOWN_ZERO; i < LAYERED_MAX_SLOTS && can_loop; STEP(i)) {
		u32 slot = next_bit128(w0, w1, 0);

		if (slot >= LAYERED_MAX_SLOTS)
			break;
		clear_bit128(&w0, &w1, slot);
		rescue_row(slot, now, backwards);
	}
	check_occupancy(timer, cc);
	if (!words_empty()) /* W8 */
		wake_any(port_this_cpu());
	timer->pass++;
}

#endif /* LAYERED_BPF_RESCUE_BPF_H_ */
