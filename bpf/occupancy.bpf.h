/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Occupancy: which queues hold tasks, in words that a CPU reads instead of asking every queue.
 *
 *   n[row][llc]  tasks that we count in that queue, by each task's own record
 *   occ[row]     bit per LLC: that queue may hold tasks
 *   work         bit per slot: one of its queues may hold tasks
 *
 * Order: enqueue counts, then sets occ, then work, then looks for an idle CPU; the kernel inserts
 * after the op has returned. Whoever takes a task out only subtracts. Only a walker that has read a
 * count of 0 clears a bit; it reads the count again and, if it is not 0 any more, sets the bit
 * again, wakes an idle CPU (its window may have hidden the bit from one that has just gone to
 * sleep) and probes that queue itself. A failed probe says nothing: the task may be in flight, on
 * its way to a CPU, or not for this CPU.
 *
 * With no op in flight a bit over a non-empty queue is never clear: a clear is undone by the same
 * walker unless the count was 0 after it, and an enqueue that adds after that reads the bit after
 * its own add (both full barriers), finds it clear and sets it. Stale set bits cost one look.
 *
 * F_ADD, F_OR and F_AND are full barriers and need to be; the subtraction is not ordered, for a
 * count that is too high for a moment only costs a look.
 */
#ifndef LAYERED_BPF_OCCUPANCY_BPF_H_
#define LAYERED_BPF_OCCUPANCY_BPF_H_

#include "bpf/state.bpf.h"

/* Rounds of one walk over a row; bits that are left are looked at next time. */
enum {
	LAYERED_MAX_ROUNDS = 16
};

enum walk_result {
	WALK_TOOK = 1 << 0, /* a task is in the local DSQ */
	WALK_SEEN = 1 << 1, /* a queue counts tasks, but none could be taken */
};

/* Does this row have a bit at all? */
LAYERED_INLINE bool row_bits(u32 row)
{
	struct layered_line *occ = &layered_occ.row[IDX(row, LAYERED_ROWS_POW2)];

	return LAYERED_LOAD(occ->w[0]) | LAYERED_LOAD(occ->w[1]);
}

/*
 * Wakes one idle CPU, whichever; counted for `cpu`. Whoever claims a CPU must kick it, else its
 * idle bit is lost. Global: verified once.
 */
LAYERED_GLOBAL int wake_any(u32 cpu)
{
	struct layered_cpu_ctx *cc = port_cpu_ctx(cpu);
	s32 idle = port_pick_any_idle();

	if (idle < 0 || !cc)
		return 0;
	scx_bpf_kick_cpu(idle, 0);
	STAT(cc, kicks);
	return 1;
}

/*
 * Wakes one idle CPU of this affinity. The kick is a plain one: with SCX_KICK_IDLE it would be
 * dropped while the target is between setting its idle bit and switching to its idle task.
 */
LAYERED_INLINE void wake_one(struct layered_cpu_ctx *cc, const struct cpumask *cpus)
{
	s32 cpu = scx_bpf_pick_idle_cpu(cpus, 0);

	if (cpu >= 0) {
		scx_bpf_kick_cpu(cpu, 0);
		STAT(cc, kicks);
	}
}

/* Bottom up; writes only what is clear. Global: its branches are verified once. */
LAYERED_GLOBAL int publish_bits(u32 row, u32 llc)
{
	u64 *occ =
		&layered_occ.row[IDX(row, LAYERED_ROWS_POW2)].w[IDX(llc >> 6, LAYERED_LLC_WORDS)];
	u64 llc_bit = 1ULL << (llc & 63);

	if (!(LAYERED_LOAD(*occ) & llc_bit))
		F_OR(occ, llc_bit);
	if (row < LAYERED_MAX_SLOTS) {
		u64 *work = &layered_occ.work.w[IDX(row >> 6, LAYERED_SLOT_WORDS)];
		u64 slot_bit = 1ULL << (row & 63);

		if (!(LAYERED_LOAD(*work) & slot_bit))
			F_OR(work, slot_bit);
	}
	return 0;
}

LAYERED_GLOBAL int subtract_from_queue(u32 row, u32 llc)
{
	struct layered_llc_ctx *lc = port_llc_ctx(llc);

	if (lc)
		ADD(&lc->q[IDX(row, LAYERED_ROWS_POW2)].n, -1);
	return 0;
}

/* Takes the task out of the count that its record names, if any. */
LAYERED_INLINE void leave_queue(struct task_ctx *tctx)
{
	if (!tctx->counted)
		return;
	tctx->counted = 0;
	subtract_from_queue(tctx->row, tctx->llc);
}

/* Counts the task that this op inserts into (row, llc) and shows it; wake_one() must follow. */
LAYERED_INLINE void count_in(struct task_ctx *tctx, u32 row, u32 llc)
{
	struct layered_llc_ctx *lc = port_llc_ctx(llc);

	if (!lc)
		return;
	tctx->row = row;
	tctx->llc = llc;
	tctx->counted = 1;
	F_ADD(&lc->q[IDX(row, LAYERED_ROWS_POW2)].n, 1);
	publish_bits(row, llc);
}

/* For a walker that has read n == 0. True: a task came meanwhile, probe the queue now. */
LAYERED_GLOBAL bool clear_bit_undone(u32 cpu, u32 row, u32 llc)
{
	struct layered_llc_ctx *lc = port_llc_ctx(llc);
	struct layered_cpu_ctx *cc = port_cpu_ctx(cpu);

	F_AND(&layered_occ.row[IDX(row, LAYERED_ROWS_POW2)].w[IDX(llc >> 6, LAYERED_LLC_WORDS)],
	      ~(1ULL << (llc & 63)));
	if (!cc || !lc || !LAYERED_LOAD(lc->q[IDX(row, LAYERED_ROWS_POW2)].n))
		return false;
	publish_bits(row, llc);
	wake_any(cpu);
	STAT(cc, clears_undone);
	return true;
}

/* For a walker that has read occ[slot] == 0. True: a bit was set meanwhile. */
LAYERED_GLOBAL bool clear_work_undone(u32 cpu, u32 slot)
{
	struct layered_line *occ = &layered_occ.row[IDX(slot, LAYERED_ROWS_POW2)];
	u64 *work = &layered_occ.work.w[IDX(slot >> 6, LAYERED_SLOT_WORDS)];
	struct layered_cpu_ctx *cc = port_cpu_ctx(cpu);
	u64 bit = 1ULL << (slot & 63);

	F_AND(work, ~bit);
	if (!(LAYERED_LOAD(occ->w[0]) | LAYERED_LOAD(occ->w[1])))
		return false;
	F_OR(work, bit);
	wake_any(cpu);
	if (cc)
		STAT(cc, clears_undone);
	return true;
}

/*
 * The LLC to look at next: own, else near, else any. Among equal ones the CPU's rotation decides,
 * so that none is favoured.
 */
LAYERED_GLOBAL u32 nearest_llc(struct layered_cpu_ctx *cc, u64 w0, u64 w1)
{
	u32 node, near, from;
	u64 *llcs;

	if (!cc)
		return 0;
	if (test_bit128(w0, w1, cc->llc))
		return cc->llc;
	from = cc->rotation++;
	node = layered_topo.llc_node[IDX(cc->llc, LAYERED_MAX_LLCS)];
	llcs = layered_topo.node_llcs[IDX(node, LAYERED_MAX_NODES)];
	near = next_bit128(w0 & llcs[0], w1 & llcs[1], from);
	return near < LAYERED_MAX_LLCS ? near : next_bit128(w0, w1, from);
}

/*
 * Is another CPU about to take the one task that the queue counts? The kernel unlinks a task before
 * it gets the lock of the task's CPU, which can take long, and a probe fails meanwhile. A hint: the
 * answer has the consequences of a failed probe, no others.
 */
LAYERED_INLINE bool is_probed(const struct layered_queue *q, u64 dsq)
{
	struct layered_cpu_ctx *prober = port_cpu_ctx(LAYERED_LOAD(q->prober) - 1);

	return prober && LAYERED_LOAD(prober->probing) == dsq;
}

/* One queue: takes a task if one is counted. Returns a walk_result. Global: verified once. */
LAYERED_GLOBAL u32 probe(struct layered_cpu_ctx *cc, u32 row, u32 llc)
{
	struct layered_llc_ctx *lc = port_llc_ctx(llc);
	struct layered_queue *q;
	u64 dsq = dsq_id(row, llc);
	bool took;
	u32 n;

	if (!lc || !cc)
		return 0;
	q = &lc->q[IDX(row, LAYERED_ROWS_POW2)];
	n = LAYERED_LOAD(q->n);
	if (!n && !clear_bit_undone(cc->cpu, row, llc))
		return 0;
	if (n == 1 && is_probed(q, dsq))
		return WALK_SEEN;
	cc->stats.probes++;
	LAYERED_STORE(cc->probing, dsq);
	LAYERED_STORE(q->prober, cc->cpu + 1);
	took = port_move_to_local(dsq);
	LAYERED_STORE(cc->probing, 0);
	if (took) {
		cc->took_row = row;
		return WALK_TOOK;
	}
	cc->stats.failed_probes++;
	return WALK_SEEN;
}

/*
 * Looks for a task of one row in the LLCs {m0, m1}, nearest first, and moves it to the local DSQ.
 * Returns a walk_result. A walk that has cleared the row's last bit also clears the slot's, so that
 * a CPU which goes idle after it finds the words empty. Global: verified once.
 */
LAYERED_GLOBAL u32 walk_row(struct layered_cpu_ctx *cc, u32 row, u64 m0, u64 m1)
{
	struct layered_line *occ = &layered_occ.row[IDX(row, LAYERED_ROWS_POW2)];
	u32 round, ret = UNKNOWN_ZERO;
	u64 w0, w1;

	if (!cc)
		return 0;
	w0 = LAYERED_LOAD(occ->w[0]) & m0;
	w1 = LAYERED_LOAD(occ->w[1]) & m1;
	for (round = UNKNOWN_ZERO; (w0 | w1) && round < LAYERED_MAX_ROUNDS && can_loop;
	     STEP(round)) {
		u32 llc = nearest_llc(cc, w0, w1);

		ret |= probe(cc, row, llc);
		if (ret & WALK_TOOK)
			return ret;
		clear_bit128(&w0, &w1, llc);
	}
	if (w0 | w1)
		return ret | WALK_SEEN;
	/* Undone: whoever set the bit meanwhile takes the task, or the CPU just woken. */
	if (row < LAYERED_MAX_SLOTS && !row_bits(row) && clear_work_undone(cc->cpu, row))
		ret |= WALK_SEEN;
	return ret;
}

/*
 * For a CPU that came from idle and has just taken a task of `row` (rule W6): is there more? Bits
 * of other rows may be stale; the CPU that is woken for them clears them.
 */
LAYERED_INLINE bool more_work(u32 row, u32 llc)
{
	struct layered_line *occ = &layered_occ.row[IDX(row, LAYERED_ROWS_POW2)];
	u64 slots0 = LAYERED_LOAD(layered_occ.work.w[0]);
	u64 slots1 = LAYERED_LOAD(layered_occ.work.w[1]);
	u64 llcs0 = LAYERED_LOAD(occ->w[0]), llcs1 = LAYERED_LOAD(occ->w[1]);
	struct layered_llc_ctx *lc = port_llc_ctx(llc);

	if (row < LAYERED_MAX_SLOTS)
		clear_bit128(&slots0, &slots1, row);
	clear_bit128(&llcs0, &llcs1, llc);
	if (slots0 | slots1 | llcs0 | llcs1)
		return true;
	if (lc && LAYERED_LOAD(lc->q[IDX(row, LAYERED_ROWS_POW2)].n) > 1)
		return true;
	return (row != LAYERED_ROW_HIGH && row_bits(LAYERED_ROW_HIGH)) ||
	       (row != LAYERED_ROW_LOW && row_bits(LAYERED_ROW_LOW));
}

/* Nothing queued, as far as the words tell. */
LAYERED_INLINE bool words_empty(void)
{
	return !(LAYERED_LOAD(layered_occ.work.w[0]) | LAYERED_LOAD(layered_occ.work.w[1]) |
		 row_bits(LAYERED_ROW_HIGH) | row_bits(LAYERED_ROW_LOW));
}

#endif /* LAYERED_BPF_OCCUPANCY_BPF_H_ */
