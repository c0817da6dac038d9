/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The user-space half of port.h; include that one. Plain C11 (and, for its types, C++).
 *
 * The same names as in port_bpf.h. What is only arithmetic or a pointer away is done here; maps,
 * clock, randomness and kfuncs are declared, and whoever links the scheduler's code (a test, a
 * simulated kernel) supplies them. Nothing here keeps state.
 *
 * An address (u64) of the kernel is a pointer here. Null answers of the accessors mean what they
 * mean in the kernel: no such entry, no memory.
 */
#ifndef LAYERED_BPF_PORT_USER_H_
#define LAYERED_BPF_PORT_USER_H_

#include <string.h>

#define LAYERED_GLOBAL
#define LAYERED_TRUSTED
#define LAYERED_OPAQUE(x) __asm__ volatile("" : "+r"(x))
#define LAYERED_SEC(s)

/* ---- of <bpf/bpf_helpers.h> and <bpf/bpf_tracing.h>: a program is an ordinary function ---- */
#define SEC(s)
#define BPF_PROG(name, ...) name(__VA_ARGS__)

/* ---- atomics: sequentially consistent where the kernel's are full barriers ---- */
#define F_ADD(p, v) __atomic_fetch_add((p), (v), __ATOMIC_SEQ_CST)
#define F_OR(p, v) __atomic_fetch_or((p), (v), __ATOMIC_SEQ_CST)
#define F_AND(p, v) __atomic_fetch_and((p), (v), __ATOMIC_SEQ_CST)
#define ADD(p, v) ((void)__atomic_fetch_add((p), (v), __ATOMIC_RELAXED))
#define CAS(p, old, new)                                                                     \
	({                                                                                   \
		__typeof__(*(p)) _expected = (old);                                          \
		__atomic_compare_exchange_n((p), &_expected, (new), false, __ATOMIC_SEQ_CST, \
					    __ATOMIC_SEQ_CST);                               \
		_expected;                                                                   \
	})
#define XCHG(p, v) __atomic_exchange_n((p), (v), __ATOMIC_SEQ_CST)

/* ---- loops ---- */
#define FOR(i, n) for ((i) = 0; (i) < (n); (i)++)
#define can_loop true
#define STEP(i) ((i) = ((i) + 1) & 0xffff)

#define ENQ(x) ((u64)(x))

enum {
	LAYERED_DSQ_ITER_REV = 1U << 16
};
struct bpf_iter_scx_dsq {
	u64 opaque[6];
};

struct slow_timer {
	u32 pass;
	u32 pad;
	u64 suspect[LAYERED_SUSPECT_WORDS];
};

#ifdef __cplusplus
extern "C" {
#endif

/* ---- supplied by the user: clock, CPU, randomness ---- */
u64 port_now(void);
u32 port_this_cpu(void);
u32 port_random(void);

/* ---- supplied by the user: maps ---- */
struct task_ctx *port_task_ctx(struct task_struct *p);
struct task_ctx *port_task_ctx_create(struct task_struct *p);
struct cgroup_cache *port_cgroup_cache(struct cgroup *cgrp);
struct layered_revision *port_revision(u32 which);
struct layered_cpu_ctx *port_cpu_ctx(u32 cpu);
struct layered_cpu_plan *port_cpu_plan(u32 cpu);
struct layered_llc_ctx *port_llc_ctx(u32 llc);
struct path_buf *port_path_buf(void);

/* ---- supplied by the user: the kernel ---- */
s32 scx_bpf_create_dsq(u64 dsq_id, s32 node);
s32 scx_bpf_select_cpu_dfl(struct task_struct *p, s32 prev_cpu, u64 wake_flags, bool *is_idle);
void scx_bpf_dsq_insert(struct task_struct *p, u64 dsq_id, u64 slice, u64 enq_flags);
void scx_bpf_dsq_insert_vtime(struct task_struct *p, u64 dsq_id, u64 slice, u64 vtime,
			      u64 enq_flags);
s32 scx_bpf_pick_idle_cpu(const cpumask_t *cpus, u64 flags);
bool scx_bpf_test_and_clear_cpu_idle(s32 cpu);
void scx_bpf_kick_cpu(s32 cpu, u64 flags);
bool bpf_cpumask_test_cpu(u32 cpu, const struct cpumask *mask);
u32 bpf_cpumask_any_distribute(const struct cpumask *mask);
void bpf_rcu_read_lock(void);
void bpf_rcu_read_unlock(void);
int bpf_iter_scx_dsq_new(struct bpf_iter_scx_dsq *it, u64 dsq_id, u64 flags);
struct task_struct *bpf_iter_scx_dsq_next(struct bpf_iter_scx_dsq *it);
void bpf_iter_scx_dsq_destroy(struct bpf_iter_scx_dsq *it);
bool scx_bpf_dsq_move(struct bpf_iter_scx_dsq *it, struct task_struct *p, u64 dsq_id,
		      u64 enq_flags);

/* kfuncs whose form differs between kernels */
bool port_move_to_local(u64 dsq);
void port_reenqueue_local(void);
u64 port_head_vtime(u64 dsq); /* LAYERED_NO_VTIME: empty */
bool port_idle_bit(s32 cpu);
s32 port_pick_any_idle(void);

/* the timer of rescue.bpf.h */
typedef int slow_timer_fn(void *map, int *key, struct slow_timer *timer);
s32 port_start_slow_timer(slow_timer_fn *fired, u64 ns);
s32 port_rearm_slow_timer(struct slow_timer *timer, u64 ns);

#ifdef __cplusplus
}
#endif

/* ---- a pointer away ---- */
LAYERED_INLINE u32 port_task_cpu(const struct task_struct *p)
{
	return p->thread_info.cpu;
}

LAYERED_INLINE void port_set_slice(struct task_struct *p, u64 slice)
{
	p->scx.slice = slice;
}

LAYERED_INLINE bool port_migration_disabled(const struct task_struct *p)
{
	return p->migration_disabled;
}

/* In the kernel a NULL on the way reads as 0; here every pointer of a task must lead somewhere. */
LAYERED_INLINE const struct task_struct *port_task_view(struct task_struct *p)
{
	return p;
}

LAYERED_INLINE u64 port_cgroup_kn(struct cgroup *cgrp)
{
	return (u64)cgrp->kn;
}

LAYERED_INLINE u64 port_kernfs_parent(u64 node)
{
	return (u64)((const struct kernfs_node *)node)->__parent;
}

/* Copies a string, cut to `size` with the terminator; returns the bytes written. */
LAYERED_INLINE long bpf_probe_read_kernel_str(void *to, u32 size, const void *from)
{
	const char *end = (const char *)memchr(from, 0, size - 1);
	u32 len = end ? (u32)(end - (const char *)from) : size - 1;

	memcpy(to, from, len);
	((char *)to)[len] = 0;
	return len + 1;
}

LAYERED_INLINE s64 port_kernfs_name(char *to, u32 size, u64 node)
{
	return bpf_probe_read_kernel_str(to, size, ((const struct kernfs_node *)node)->name);
}

LAYERED_INLINE void port_copy(char *to, u32 size, const char *from)
{
	memcpy(to, from, size);
}

#endif /* LAYERED_BPF_PORT_USER_H_ */
