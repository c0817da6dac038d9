/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a task's run costs whom: its own vtime (by nice), its layer's service on this CPU (by the
 * layer's weight), the layer's CPU time.
 *
 * One helper charges the time since the last charge. It is called in tick, at the start of dispatch
 * for prev, and in stopping: a prev whose slice is refilled is not stopped, so charging in stopping
 * alone would let it win for ever.
 *
 * vtime belongs to one queue (slot, LLC) and its clock. A task that changes queue carries its lag.
 */
#ifndef LAYERED_BPF_ACCOUNT_BPF_H_
#define LAYERED_BPF_ACCOUNT_BPF_H_

#include "bpf/occupancy.bpf.h"
#include "bpf/state.bpf.h"

enum {
	LAYERED_LAG_BACK = 1,  /* slices that a sleeper keeps at most */
	LAYERED_LAG_AHEAD = 8, /* slices that a task can be behind its queue at most */
	LAYERED_BUDGET_PERCENT = 10,
};
#define LAYERED_BUDGET_WINDOW_NS 100000000ULL

/* The daemon's own threads: time that they used in the current window. */
LAYERED_INLINE void charge_daemon(u64 now, u64 ns)
{
	u64 window = now / LAYERED_BUDGET_WINDOW_NS;

	if (LAYERED_LOAD(layered_ctl.daemon_window) != window) {
		layered_ctl.daemon_window = window;
		layered_ctl.daemon_used_ns = 0;
	}
	ADD(&layered_ctl.daemon_used_ns, ns);
}

/* May a thread of the daemon use the high fallback now? */
LAYERED_INLINE bool daemon_within_budget(u64 now)
{
	return LAYERED_LOAD(layered_ctl.daemon_window) != now / LAYERED_BUDGET_WINDOW_NS ||
	       LAYERED_LOAD(layered_ctl.daemon_used_ns) <
		       LAYERED_BUDGET_WINDOW_NS * LAYERED_BUDGET_PERCENT / 100;
}

/*
 * Charges a running task for the time since its last charge; cc is of its CPU, weight and tgid are
 * its own. Global: its branches are verified once.
 */
LAYERED_GLOBAL int charge(struct task_ctx *tctx, struct layered_cpu_ctx *cc,
			  struct layered_revision *rev, u32 weight, u32 tgid)
{
	u64 ns, now = port_now(), floor;
	u32 slot;

	if (!tctx || !cc || !rev || !tctx->charged_at)
		return 0;
	slot = word_slot(LAYERED_LOAD(tctx->word));
	ns = now > tctx->charged_at ? now - tctx->charged_at : 0;
	tctx->charged_at = now;
	tctx->weight = weight;
	tctx->vtime += ns * LAYERED_DEFAULT_WEIGHT / weight;
	cc->svc[IDX(slot, LAYERED_MAX_SLOTS)] +=
		ns * LAYERED_DEFAULT_WEIGHT / policy_weight(rev, slot);
	cc->slot[IDX(slot, LAYERED_ROWS_POW2)].cpu_ns += ns;
	if (tctx->row >= LAYERED_MAX_SLOTS)
		cc->slot[IDX(tctx->row, LAYERED_ROWS_POW2)].cpu_ns += ns;
	if (tctx->row == LAYERED_ROW_LOW) {
		floor = cc->vmin > LAYERED_DEFAULT_SLICE_NS ? cc->vmin - LAYERED_DEFAULT_SLICE_NS
							    : 0;
		cc->low_svc = (cc->low_svc > floor ? cc->low_svc : floor) + ns;
	}
	if (tgid == layered_ctl.daemon_tgid)
		charge_daemon(now, ns);
	return 0;
}

LAYERED_INLINE void account(struct task_struct *p, struct task_ctx *tctx,
			    struct layered_cpu_ctx *cc, struct layered_revision *rev)
{
	charge(tctx, cc, rev, p->scx.weight, p->tgid);
}

/*
 * Makes vtime one of the clock of (slot, llc), within the bounds of a queue. Global: its branches
 * are verified once.
 */
LAYERED_GLOBAL int place_vtime(struct task_ctx *tctx, u32 slot, u32 llc, u64 slice)
{
	struct layered_llc_ctx *lc = port_llc_ctx(llc);
	u64 clock, ahead;
	s64 lag;

	if (!tctx || !lc)
		return 0;
	clock = lc->q[IDX(slot, LAYERED_ROWS_POW2)].vtime;

	if (tctx->vtime_slot == slot && tctx->vtime_llc == llc) {
		lag = tctx->vtime - clock;
	} else {
		struct layered_llc_ctx *old = port_llc_ctx(tctx->vtime_llc);

		lag = old ? tctx->vtime - old->q[IDX(tctx->vtime_slot, LAYERED_ROWS_POW2)].vtime
			  : 0;
		tctx->vtime_slot = slot;
		tctx->vtime_llc = llc;
	}
	if (lag < -(s64)(slice * LAYERED_LAG_BACK))
		lag = -(s64)(slice * LAYERED_LAG_BACK);
	/* A light task's one slice counts for many. */
	ahead = slice * LAYERED_LAG_AHEAD;
	if (tctx->weight && tctx->weight < LAYERED_DEFAULT_WEIGHT)
		ahead = ahead * LAYERED_DEFAULT_WEIGHT / tctx->weight;
	if (lag > (s64)ahead)
		lag = ahead;
	tctx->vtime = clock + lag;
	return 0;
}

/* The clock of a queue follows the largest vtime that has run from it. */
LAYERED_INLINE void advance_clock(const struct task_ctx *tctx, struct layered_llc_ctx *lc, u32 slot,
				  u32 llc)
{
	struct layered_queue *q = &lc->q[IDX(slot, LAYERED_ROWS_POW2)];

	if (tctx->vtime_slot == slot && tctx->vtime_llc == llc && (s64)(tctx->vtime - q->vtime) > 0)
		LAYERED_STORE(q->vtime, tctx->vtime);
}

/* ---- home: how many runnable tasks of a slot each LLC has; only with several LLCs ---- */

LAYERED_INLINE void leave_home(struct task_ctx *tctx)
{
	struct layered_llc_ctx *lc;

	if (!tctx->homed)
		return;
	tctx->homed = 0;
	lc = port_llc_ctx(tctx->home_llc);
	if (lc)
		ADD(&lc->q[IDX(tctx->home_slot, LAYERED_ROWS_POW2)].runnable, -1);
}

LAYERED_INLINE void set_home(struct task_ctx *tctx, struct layered_llc_ctx *lc, u32 slot, u32 llc)
{
	if (layered_topo.nr_llcs < 2 ||
	    (tctx->homed && tctx->home_llc == llc && tctx->home_slot == slot))
		return;
	leave_home(tctx);
	tctx->home_slot = slot;
	tctx->home_llc = llc;
	tctx->homed = 1;
	ADD(&lc->q[IDX(slot, LAYERED_ROWS_POW2)].runnable, 1);
}

/* Forgets everything that is counted for a task which leaves us (class change, exit). */
LAYERED_INLINE void forget_counts(struct task_ctx *tctx)
{
	leave_queue(tctx);
	leave_home(tctx);
	tctx->waits_since = 0;
	tctx->charged_at = 0;
}

/* ---- ops ---- */

LAYERED_INLINE void op_running(struct task_struct *p)
{
	u32 cpu = port_task_cpu(p);
	struct layered_cpu_ctx *cc = port_cpu_ctx(cpu);
	struct task_ctx *tctx = port_task_ctx(p);
	struct layered_llc_ctx *lc;
	u32 slot, llc;

	if (!cc)
		return;
	cc->from_idle = 0;
	cc->self_kicks = 0;
	if (!tctx)
		return;
	leave_queue(tctx);
	slot = word_slot(LAYERED_LOAD(tctx->word));
	llc = cpu_llc(cpu);
	lc = port_llc_ctx(llc);
	if (lc) {
		advance_clock(tctx, lc, slot, llc);
		set_home(tctx, lc, slot, llc);
	}
	tctx->waits_since = 0;
	tctx->charged_at = port_now();
	LAYERED_STORE(cc->running_slot, slot + 1);
}

LAYERED_INLINE void op_stopping(struct task_struct *p, bool runnable)
{
	struct layered_cpu_ctx *cc = port_cpu_ctx(port_task_cpu(p));
	struct task_ctx *tctx = port_task_ctx(p);
	struct layered_revision *rev = port_revision(0);

	if (!cc || !tctx || !rev)
		return;
	account(p, tctx, cc, rev);
	tctx->charged_at = 0;
	LAYERED_STORE(cc->running_slot, 0);
	if (!runnable)
		leave_home(tctx);
}

#endif /* LAYERED_BPF_ACCOUNT_BPF_H_ */
