/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tasks and CPUs coming and going, ticks, and the scheduler's own start and end.
 *
 * A task is counted in its layer from enable to disable. A newborn's cgroup is not its own yet when
 * it is enabled, so it is matched and counted at its first op instead.
 */
#ifndef LAYERED_BPF_LIFECYCLE_BPF_H_
#define LAYERED_BPF_LIFECYCLE_BPF_H_

#include "bpf/account.bpf.h"
#include "bpf/match.bpf.h"
#include "bpf/occupancy.bpf.h"

/* Always 0: a task without a record is scheduled through the global DSQ, not refused. */
LAYERED_INLINE s32 op_init_task(struct task_struct *p)
{
	port_task_ctx_create(p);
	return 0;
}

LAYERED_INLINE void op_enable(struct task_struct *p)
{
	struct task_ctx *tctx = port_task_ctx(p);
	struct layered_revision *rev = port_revision(0);

	if (tctx && rev && !(p->__state & LAYERED_TASK_NEW))
		match_task(p, tctx, rev);
}

/* Class change or exit: the kernel disables a task before it forgets it. */
LAYERED_INLINE void op_disable(struct task_struct *p)
{
	struct layered_cpu_ctx *cc = port_cpu_ctx(port_this_cpu());
	struct task_ctx *tctx = port_task_ctx(p);

	if (!tctx || !cc)
		return;
	forget_counts(tctx);
	move_task_count(cc, XCHG(&tctx->word, 0), 0);
}

LAYERED_INLINE void op_tick(struct task_struct *p)
{
	u32 cpu = port_task_cpu(p);
	struct layered_cpu_ctx *cc = port_cpu_ctx(cpu);
	struct task_ctx *tctx = port_task_ctx(p);
	struct layered_revision *rev = port_revision(0);

	if (!cc || !tctx || !rev)
		return;
	account(p, tctx, cc, rev);
	if (is_stale(p, tctx, rev)) {
		tctx->stale = 1;
		port_set_slice(p, 0); /* dispatch now, and from there through enqueue */
	}
	/* W7: an idle CPU beside a bit. If the bit is stale, the CPU that it wakes clears it. */
	if (!words_empty())
		wake_any(cpu);
}

/*
 * The kernel calls this on task -> idle, after it has set the CPU's idle bit. An enqueuer that set
 * its bits before that found no idle CPU here, so the words are read once more (W3); a stale bit
 * costs one more dispatch, which clears it. The fence orders the idle bit before the reads.
 */
LAYERED_INLINE void op_update_idle(s32 cpu, bool idle)
{
	struct layered_cpu_ctx *cc;

	if (!idle)
		return;
	cc = port_cpu_ctx(cpu);
	if (!cc)
		return;
	F_OR(&cc->from_idle, 1);
	if (!words_empty()) {
		STAT(cc, kicks);
		scx_bpf_kick_cpu(cpu, 0);
	}
}

/* A higher class has taken the CPU: what waits in its local DSQ goes back through enqueue. */
LAYERED_INLINE void op_cpu_release(s32 cpu)
{
	struct layered_cpu_ctx *cc = port_cpu_ctx(cpu);

	if (cc)
		STAT(cc, reenqueued);
	port_reenqueue_local();
}

LAYERED_INLINE void op_hotplug(void)
{
	ADD(&layered_ctl.hotplug, 1);
}

/* All queues there can be, once and for ever: live layers then need no DSQ work. */
LAYERED_INLINE s32 op_init(void)
{
	u32 i;

	FOR(i, layered_topo.nr_cpus)
	{
		struct layered_cpu_ctx *cc = port_cpu_ctx(i);

		if (cc) {
			cc->cpu = i;
			cc->llc = cpu_llc(i);
		}
	}
	FOR(i, layered_topo.nr_llcs * LAYERED_NR_ROWS)
	{
		s32 err = scx_bpf_create_dsq(dsq_id(i % LAYERED_NR_ROWS, i / LAYERED_NR_ROWS), -1);

		if (err)
			return err;
	}
	return 0;
}

#endif /* LAYERED_BPF_LIFECYCLE_BPF_H_ */
