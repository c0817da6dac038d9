/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The layered scheduler: the table of ops and the programs beside it. What they do stands in the
 * *.bpf.h of each concern.
 */
#include "bpf/account.bpf.h"
#include "bpf/dispatch.bpf.h"
#include "bpf/enqueue.bpf.h"
#include "bpf/lifecycle.bpf.h"
#include "bpf/rescue.bpf.h"

char _license[] LAYERED_SEC("license") = "GPL";

SEC("struct_ops/layered_select_cpu")
s32 BPF_PROG(layered_select_cpu, struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	return op_select_cpu(p, prev_cpu, wake_flags);
}

SEC("struct_ops/layered_enqueue")
void BPF_PROG(layered_enqueue, struct task_struct *p, u64 enq_flags)
{
	op_enqueue(p, enq_flags);
}

SEC("struct_ops/layered_dispatch")
void BPF_PROG(layered_dispatch, s32 cpu, struct task_struct *prev)
{
	op_dispatch(cpu, prev);
}

SEC("struct_ops/layered_tick")
void BPF_PROG(layered_tick, struct task_struct *p)
{
	op_tick(p);
}

SEC("struct_ops/layered_running")
void BPF_PROG(layered_running, struct task_struct *p)
{
	op_running(p);
}

SEC("struct_ops/layered_stopping")
void BPF_PROG(layered_stopping, struct task_struct *p, bool runnable)
{
	op_stopping(p, runnable);
	/* Some kernels disable a dead task only when its parent has reaped it. */
	if (!runnable && (p->__state & LAYERED_TASK_DEAD))
		op_disable(p);
}

SEC("struct_ops/layered_enable")
void BPF_PROG(layered_enable, struct task_struct *p)
{
	op_enable(p);
}

SEC("struct_ops/layered_disable")
void BPF_PROG(layered_disable, struct task_struct *p)
{
	op_disable(p);
}

SEC("struct_ops/layered_update_idle")
void BPF_PROG(layered_update_idle, s32 cpu, bool idle)
{
	op_update_idle(cpu, idle);
}

SEC("struct_ops/layered_cpu_release")
void BPF_PROG(layered_cpu_release, s32 cpu, struct scx_cpu_release_args *args)
{
	op_cpu_release(cpu);
}

SEC("struct_ops/layered_cpu_online")
void BPF_PROG(layered_cpu_online, s32 cpu)
{
	op_hotplug();
}

SEC("struct_ops/layered_cpu_offline")
void BPF_PROG(layered_cpu_offline, s32 cpu)
{
	op_hotplug();
}

SEC("struct_ops.s/layered_init_task")
s32 BPF_PROG(layered_init_task, struct task_struct *p, struct scx_init_task_args *args)
{
	return op_init_task(p);
}

static int slow_timer_fired(void *map, int *key, struct slow_timer *timer)
{
	op_slow_timer(timer);
	port_rearm_slow_timer(timer, LAYERED_TIMER_NS);
	return 0;
}

SEC("struct_ops.s/layered_init")
s32 BPF_PROG(layered_init)
{
	s32 err = op_init();

	return err ? err : port_start_slow_timer(slow_timer_fired, LAYERED_TIMER_NS);
}

SEC("struct_ops/layered_exit")
void BPF_PROG(layered_exit, struct scx_exit_info *info)
{
	bpf_probe_read_kernel_str(layered_ctl.exit_reason, sizeof(layered_ctl.exit_reason),
				  info->reason);
	bpf_probe_read_kernel_str(layered_ctl.exit_msg, sizeof(layered_ctl.exit_msg), info->msg);
	layered_ctl.exit_code = info->exit_code;
	XCHG(&layered_ctl.exit_kind, info->kind); /* last: tells that the rest is there */
}

/* Each new cgroup, before anything can be moved into it. */
SEC("tp_btf/cgroup_mkdir")
int BPF_PROG(on_cgroup_mkdir, struct cgroup *cgrp, const char *path)
{
	fill_cgroup(cgrp, 0);
	fill_cgroup(cgrp, 1);
	return 0;
}

/* Run by the daemon over all cgroups before it publishes the candidate. */
SEC("iter/cgroup")
int fill_cgroups(struct bpf_iter__cgroup *ctx)
{
	struct cgroup *cgrp = ctx->cgroup;

	if (cgrp)
		fill_cgroup(cgrp, 1);
	return 0;
}

SEC(".struct_ops.link")
struct sched_ext_ops layered_ops = {
	.select_cpu = (void *)layered_select_cpu,
	.enqueue = (void *)layered_enqueue,
	.dispatch = (void *)layered_dispatch,
	.tick = (void *)layered_tick,
	.running = (void *)layered_running,
	.stopping = (void *)layered_stopping,
	.enable = (void *)layered_enable,
	.disable = (void *)layered_disable,
	.update_idle = (void *)layered_update_idle,
	.cpu_release = (void *)layered_cpu_release,
	.cpu_online = (void *)layered_cpu_online,
	.cpu_offline = (void *)layered_cpu_offline,
	.init_task = (void *)layered_init_task,
	.init = (void *)layered_init,
	.exit = (void *)layered_exit,
	.flags = LAYERED_OPS_KEEP_BUILTIN_IDLE | LAYERED_OPS_ENQ_LAST | LAYERED_OPS_ENQ_EXITING |
		 LAYERED_OPS_ALLOW_QUEUED_WAKEUP,
	.timeout_ms = 30000,
	.name = "layered",
};
