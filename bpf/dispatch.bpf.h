/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a CPU runs next. Cost: stages + tries, never layers x LLCs.
 *
 *   1 high fallback       2 low fallback, if its share is due
 *   3 slot stages, in the order that the CPU's plan gives; in a stage a slot by weight
 *   4 rest of the low fallback, and both fallbacks of other LLCs
 *
 * A still runnable prev is in no queue; it is a candidate where its slot (or fallback) stands, else
 * two layers with one hog per CPU would alternate 1:1 whatever their weights.
 *
 * Weight among slots: per CPU and slot a service, += run time x 100 / weight. Of at most four
 * candidates (prev's slot or else the last winner's, the best of those beaten at the last look, the
 * next occupied ones after a cursor) the smallest
 * wins; vmin is the largest service of a winner so far. Whenever a service is looked at it is
 * clamped around vmin, so that a slot that comes back needs no detection: it neither claims the
 * time it slept through nor pays for ever. The last winner and the best of the beaten stay
 * candidates, so shares hold for more slots than candidates: a slot that waits with the least
 * service is not forgotten while others, found by the cursor, run ahead of it.
 */
#ifndef LAYERED_BPF_DISPATCH_BPF_H_
#define LAYERED_BPF_DISPATCH_BPF_H_

#include "bpf/account.bpf.h"
#include "bpf/match.bpf.h"
#include "bpf/occupancy.bpf.h"

enum {
	LAYERED_CANDIDATES = 4,
	LAYERED_NEXT_CANDIDATES = 2, /* of them, the next occupied ones */
	LAYERED_PLAN_RETRIES = 3,
	LAYERED_MAX_STEPS = LAYERED_MAX_STAGES * LAYERED_PLAN_RETRIES,
	LAYERED_SVC_BEHIND = 2, /* slices that a slot can be owed at most */
	LAYERED_SVC_AHEAD = 8,	/* slices that a slot can owe at most */
	LAYERED_MAX_SELF_KICKS = 2,
	LAYERED_NO_SLOT = LAYERED_MAX_SLOTS,
};

enum serve_result {		/* flags; the first two as in walk_result */
	SERVE_TOOK = WALK_TOOK, /* a task is in the local DSQ */
	SERVE_SEEN = WALK_SEEN, /* tasks are counted that could not be taken; beside any other */
	SERVE_KEEP = 1 << 2,	/* prev goes on */
	SERVE_STALE = 1 << 3,	/* the plan was switched under us */
};

/* The slot's service on this CPU, clamped. Global: its branches are verified once. */
LAYERED_GLOBAL u64 slot_service(struct layered_cpu_ctx *cc, struct layered_revision *rev, u32 slot)
{
	const struct layered_policy *policy;
	u64 slice, svc, floor, ceiling;

	if (!cc || !rev)
		return 0;
	policy = &rev->policy[IDX(slot, LAYERED_MAX_SLOTS)];
	slice = policy->slice_ns;
	svc = cc->svc[IDX(slot, LAYERED_MAX_SLOTS)];
	floor = cc->vmin > LAYERED_SVC_BEHIND * slice ? cc->vmin - LAYERED_SVC_BEHIND * slice : 0;
	ceiling = cc->vmin + LAYERED_SVC_AHEAD * slice * LAYERED_DEFAULT_WEIGHT / policy->weight;

	if (cc->svc_generation[IDX(slot, LAYERED_MAX_SLOTS)] != policy->generation) {
		cc->svc_generation[IDX(slot, LAYERED_MAX_SLOTS)] = policy->generation;
		svc = cc->vmin;
	}
	if (svc < floor)
		svc = floor;
	if (svc > ceiling)
		svc = ceiling;
	cc->svc[IDX(slot, LAYERED_MAX_SLOTS)] = svc;
	return svc;
}

/*
 * Adds a slot to the candidates {c0, c1}, if it is in {w0, w1}. Numbers beyond the last wrap:
 * "none" (128) stands for slot 0, which is as good a candidate as any if it is in the set.
 */
LAYERED_INLINE void add_candidate(u64 *c0, u64 *c1, u64 w0, u64 w1, u32 slot)
{
	u64 second = second_word(slot), bit = 1ULL << (slot & 63);

	*c0 |= bit & ~second & w0;
	*c1 |= bit & second & w1;
}

/* A candidate is (service - vmin) x slots + slot, in the order of services; "none" is the last. */
#define LAYERED_NO_CANDIDATE (1LL << 62)

/*
 * Of the slots in {w0, w1} (not empty; prev's among them, if it competes) the one to serve.
 * Global: verified once.
 */
LAYERED_GLOBAL u32 choose_slot(struct layered_cpu_ctx *cc, struct layered_revision *rev, u64 w0,
			       u64 w1)
{
	s64 first = LAYERED_NO_CANDIDATE + UNKNOWN_ZERO, second = first;
	u64 c0 = 0, c1 = 0, best_svc;
	u32 best, next, i;

	if (!cc || !rev)
		return LAYERED_NO_SLOT;
	if (!(w1 | (w0 & (w0 - 1)))) { /* one slot: nothing to choose, but vmin follows it */
		best = ctz64(w0);
		best_svc = cc->svc[IDX(best, LAYERED_MAX_SLOTS)];
		goto out;
	}
	add_candidate(&c0, &c1, w0, w1,
		      cc->prev_slot < LAYERED_MAX_SLOTS ? cc->prev_slot : cc->last_slot);
	add_candidate(&c0, &c1, w0, w1, cc->runner_up);
	for (i = UNKNOWN_ZERO; i < LAYERED_NEXT_CANDIDATES && can_loop; STEP(i)) {
		next = next_bit128(w0 & ~c0, w1 & ~c1, cc->cursor);
		cc->cursor = next + 1;
		add_candidate(&c0, &c1, w0, w1, next);
	}
	for (i = UNKNOWN_ZERO; (c0 | c1) && i < LAYERED_CANDIDATES && can_loop; STEP(i)) {
		u32 slot = next_bit128(c0, c1, 0);
		s64 key = (s64)(slot_service(cc, rev, slot) - cc->vmin) * LAYERED_MAX_SLOTS + slot;

		second = min64(second, max64(first, key));
		first = min64(first, key);
		clear_bit128(&c0, &c1, slot);
	}
	best = first & (LAYERED_MAX_SLOTS - 1);
	best_svc = cc->svc[IDX(best, LAYERED_MAX_SLOTS)];
	cc->runner_up = second & (LAYERED_MAX_SLOTS - 1);
out:
	cc->last_slot = best;
	if (best_svc > cc->vmin)
		cc->vmin = best_svc;
	return best;
}

/*
 * The slot has won and counts tasks, but none can run here now (all are of other CPUs, or on their
 * way). It pays as if it had run, or it would win each time and use up the tries. A slot that only
 * showed a stale bit pays nothing: it would pay for every sleep of its tasks.
 */
LAYERED_INLINE void pass_over(struct layered_cpu_ctx *cc, struct layered_revision *rev, u32 slot)
{
	cc->svc[IDX(slot, LAYERED_MAX_SLOTS)] +=
		policy_slice(rev, slot) * LAYERED_DEFAULT_WEIGHT / policy_weight(rev, slot);
}

/*
 * Prev's slot has won. Does prev go on, or does the head of its queue come first? Global: its
 * branches are verified once.
 */
LAYERED_GLOBAL bool prev_first(struct layered_revision *rev, struct task_ctx *prev, u32 slot,
			       u32 llc)
{
	struct layered_llc_ctx *lc = port_llc_ctx(llc);
	u64 head;

	if (!prev || !lc || !rev || !LAYERED_LOAD(lc->q[IDX(slot, LAYERED_ROWS_POW2)].n))
		return true;
	place_vtime(prev, slot, llc, policy_slice(rev, slot));
	head = port_head_vtime(dsq_id(slot, llc));
	return head == LAYERED_NO_VTIME || (s64)(head - prev->vtime) >= 0;
}

/*
 * One stage: serves the slots {w0, w1}, by weight. prev as in walk_stages(). Returns a
 * serve_result. Global: verified once.
 */
LAYERED_GLOBAL u32 serve_stage(struct layered_cpu_ctx *cc, struct layered_revision *rev,
			       struct task_ctx *prev, u64 w0, u64 w1)
{
	u32 ret = UNKNOWN_ZERO, tries, max_tries, got;
	struct layered_cpu_plan *plan;

	if (!cc || !rev)
		return 0;
	/* A CPU without prev would go idle beside what it did not try. */
	max_tries = cc->prev_slot < LAYERED_MAX_SLOTS ? LAYERED_MAX_TRIES : LAYERED_MAX_SLOTS;
	LAYERED_OPAQUE(max_tries);
	plan = port_cpu_plan(cc->cpu);
	if (!plan)
		return 0;
	for (tries = UNKNOWN_ZERO; (w0 | w1) && tries < max_tries && can_loop; STEP(tries)) {
		u32 slot;

		if (LAYERED_LOAD(plan->seq) != cc->plan_seq)
			return ret | SERVE_STALE;
		slot = choose_slot(cc, rev, w0, w1);
		if (slot == cc->prev_slot && prev_first(rev, prev, slot, cc->llc))
			return SERVE_KEEP | ret;
		got = walk_row(cc, slot, ~0ULL, ~0ULL);
		ret |= got;
		if (got & WALK_TOOK)
			return ret;
		if (slot == cc->prev_slot)
			return SERVE_KEEP | ret;
		if (got & WALK_SEEN)
			pass_over(cc, rev, slot);
		clear_bit128(&w0, &w1, slot);
	}
	return ret | (w0 | w1 ? SERVE_SEEN : 0);
}

/*
 * The slot stages of one CPU. prev is the record of a runnable prev that came from a slot, else
 * NULL. Returns a serve_result. Global: verified once.
 *
 * The plan may be switched at any time: its sequence word is compared before each try, and on a
 * difference the walk begins anew; the third time the fixed steps must do, and the CPU is kicked to
 * look again.
 */
LAYERED_GLOBAL u32 walk_stages(struct layered_cpu_ctx *cc, struct layered_revision *rev,
			       struct task_ctx *prev)
{
	u32 stage = UNKNOWN_ZERO, retries = UNKNOWN_ZERO, ret = UNKNOWN_ZERO, step;
	struct layered_cpu_plan *plan;
	u64 prev0 = 0, prev1 = 0;

	if (!cc || !rev)
		return 0;
	plan = port_cpu_plan(cc->cpu);
	if (!plan)
		return 0;
	cc->prev_slot = LAYERED_NO_SLOT;
	if (prev) {
		cc->prev_slot = word_slot(LAYERED_LOAD(prev->word));
		add_candidate(&prev0, &prev1, ~0ULL, ~0ULL, cc->prev_slot);
	}
	cc->plan_seq = LAYERED_LOAD(plan->seq);
	for (step = UNKNOWN_ZERO; step < LAYERED_MAX_STEPS && can_loop; STEP(step)) {
		struct layered_plan_buf *buf = &plan->buf[cc->plan_seq & 1];
		u64 *slots = buf->stage[LAYERED_STAGES_NORMAL][IDX(stage, LAYERED_MAX_STAGES)];
		u64 w0, w1;

		if (stage >= buf->nr_stages[LAYERED_STAGES_NORMAL])
			break;
		STEP(stage);
		w0 = (LAYERED_LOAD(layered_occ.work.w[0]) | prev0) & slots[0];
		w1 = (LAYERED_LOAD(layered_occ.work.w[1]) | prev1) & slots[1];
		if (!(w0 | w1))
			continue;
		ret |= serve_stage(cc, rev, prev, w0, w1);
		if (ret & (SERVE_TOOK | SERVE_KEEP))
			break;
		if (!(ret & SERVE_STALE))
			continue;
		cc->stats.plan_retries++;
		STEP(retries);
		if (retries >= LAYERED_PLAN_RETRIES) {
			scx_bpf_kick_cpu(cc->cpu, 0);
			break;
		}
		ret &= ~SERVE_STALE;
		cc->plan_seq = LAYERED_LOAD(plan->seq);
		stage = UNKNOWN_ZERO;
	}
	return ret;
}

/*
 * The whole order. prev is the record of a runnable prev, else NULL. Returns a serve_result;
 * without SERVE_TOOK and SERVE_KEEP there is nothing to run. Global: verified once.
 */
LAYERED_GLOBAL u32 serve(struct layered_cpu_ctx *cc, struct layered_revision *rev,
			 struct task_ctx *prev)
{
	u32 prev_row = prev ? prev->row : LAYERED_NR_ROWS;
	u64 own0 = 0, own1 = 0;
	u32 ret = UNKNOWN_ZERO;

	if (!cc || !rev)
		return 0;
	LAYERED_OPAQUE(prev_row);
	add_candidate(&own0, &own1, ~0ULL, ~0ULL, cc->llc);
	if (row_bits(LAYERED_ROW_HIGH))
		ret |= walk_row(cc, LAYERED_ROW_HIGH, own0, own1);
	if (ret & SERVE_TOOK)
		return ret;
	if (prev_row == LAYERED_ROW_HIGH)
		return SERVE_KEEP;

	if (cc->low_svc <= cc->vmin) {
		if (row_bits(LAYERED_ROW_LOW))
			ret |= walk_row(cc, LAYERED_ROW_LOW, own0, own1);
		if (ret & SERVE_TOOK)
			return ret;
		if (prev_row == LAYERED_ROW_LOW)
			return SERVE_KEEP;
	}

	ret |= walk_stages(cc, rev, prev_row < LAYERED_MAX_SLOTS ? prev : NULL);
	if (ret & (SERVE_TOOK | SERVE_KEEP))
		return ret;

	if (row_bits(LAYERED_ROW_LOW))
		ret |= walk_row(cc, LAYERED_ROW_LOW, ~0ULL, ~0ULL);
	if (ret & SERVE_TOOK)
		return ret;
	if (prev)
		return SERVE_KEEP;
	if (row_bits(LAYERED_ROW_HIGH))
		ret |= walk_row(cc, LAYERED_ROW_HIGH, ~0ULL, ~0ULL);
	return ret;
}

/* Lets prev go on with a new slice. */
LAYERED_INLINE void keep_prev(struct task_struct *prev, struct task_ctx *tctx,
			      struct layered_cpu_ctx *cc, struct layered_revision *rev)
{
	struct layered_llc_ctx *lc = port_llc_ctx(cc->llc);
	u32 slot = word_slot(LAYERED_LOAD(tctx->word));

	if (lc)
		advance_clock(tctx, lc, slot, cc->llc);
	cc->stats.kept++;
	port_set_slice(prev, policy_slice(rev, slot));
}

/*
 * Nothing to run. Two ways to miss a task that is just being queued, each answered by one more
 * look: W4, our idle bit was claimed when we began, so an enqueuer may have found no idle CPU
 * after our look (the second look finds the bit set); W5, a queue counts a task that is still in
 * flight, or not for this CPU, hence the limit.
 */
LAYERED_INLINE void before_idle(struct layered_cpu_ctx *cc, bool claimed, bool seen)
{
	cc->stats.empty++;
	if (!claimed) {
		if (!seen || cc->self_kicks >= LAYERED_MAX_SELF_KICKS)
			return;
		cc->self_kicks++;
	}
	STAT(cc, kicks);
	scx_bpf_kick_cpu(cc->cpu, 0);
}

/* A thread of the daemon that has used up its budget goes on as a task of its layer. */
LAYERED_INLINE void end_privilege(const struct task_struct *prev, struct task_ctx *tctx)
{
	if (tctx->row == LAYERED_ROW_HIGH && prev->tgid == layered_ctl.daemon_tgid &&
	    !daemon_within_budget(port_now()))
		tctx->row = word_slot(LAYERED_LOAD(tctx->word));
}

LAYERED_INLINE void op_dispatch(s32 cpu, struct task_struct *prev)
{
	struct layered_cpu_ctx *cc = port_cpu_ctx(cpu);
	struct layered_revision *rev;
	bool from_idle, claimed;
	struct task_ctx *tctx;
	u32 got = 0;

	if (!cc)
		return;
	cc->stats.dispatches++;
	if (prev && (prev->scx.flags & LAYERED_SCX_TASK_QUEUED)) {
		tctx = port_task_ctx(prev);
		rev = port_revision(0);
		if (tctx && rev) {
			account(prev, tctx, cc, rev);
			end_privilege(prev, tctx);
		}
		/* A prev whose layer is in doubt is no candidate: it goes through enqueue. */
		got = serve(cc, rev, tctx && !tctx->stale ? tctx : NULL);
		if ((got & SERVE_KEEP) && tctx && rev)
			keep_prev(prev, tctx, cc, rev);
		/* Some prevs the kernel queues itself, and would go idle beside them. */
		if (!(got & (SERVE_KEEP | SERVE_TOOK)))
			scx_bpf_kick_cpu(cpu, 0);
		return;
	}
	from_idle = cc->from_idle;
	claimed = from_idle && !port_idle_bit(cpu);
	if (!words_empty())
		got = serve(cc, port_revision(0), NULL);
	if (!(got & SERVE_TOOK))
		before_idle(cc, claimed, got & SERVE_SEEN);
	else if (from_idle && more_work(cc->took_row, cc->llc))
		wake_any(cpu); /* W6: who queued what is left may have found no idle CPU but this */
}

#endif /* LAYERED_BPF_DISPATCH_BPF_H_ */
