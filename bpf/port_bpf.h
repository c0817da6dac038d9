/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's half of port.h; include that one. */
#ifndef LAYERED_BPF_PORT_BPF_H_
#define LAYERED_BPF_PORT_BPF_H_

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

/* Verified once, called from many places. */
#define LAYERED_GLOBAL __attribute__((noinline))
/* An argument of a global function that is a pointer which the kernel gave us. */
#define LAYERED_TRUSTED __arg_trusted
#define LAYERED_OPAQUE(x) asm volatile("" : "+r"(x))
#define LAYERED_SEC(s) SEC(s)

/* ---- atomics ---- */
#define F_ADD(p, v)                                                   \
	({                                                            \
		__typeof__(*(p)) _o = __sync_fetch_and_add((p), (v)); \
		LAYERED_OPAQUE(_o);                                   \
		_o;                                                   \
	})
#define F_OR(p, v)                                                   \
	({                                                           \
		__typeof__(*(p)) _o = __sync_fetch_and_or((p), (v)); \
		LAYERED_OPAQUE(_o);                                  \
		_o;                                                  \
	})
#define F_AND(p, v)                                                   \
	({                                                            \
		__typeof__(*(p)) _o = __sync_fetch_and_and((p), (v)); \
		LAYERED_OPAQUE(_o);                                   \
		_o;                                                   \
	})
#define ADD(p, v) ((void)__sync_fetch_and_add((p), (v)))
#define CAS(p, old, new) __sync_val_compare_and_swap((p), (old), (new))
#define XCHG(p, v) __sync_lock_test_and_set((p), (v))

/* ---- loops ---- */
#define FOR(i, n) bpf_for (i, 0, (n))
/*
 * "and the kernel still lets us": bounds a loop for the verifier (may_goto) without unrolling it.
 * The opcode is written by hand so that every supported compiler can make it.
 */
#ifdef can_loop
#undef can_loop
#endif
#define can_loop                                                                          \
	({                                                                                \
		__label__ l_break, l_go;                                                  \
		bool _ret = true;                                                         \
		asm volatile goto("1:.byte 0xe5; .byte 0;"                                \
				  ".long ((%l[l_break] - 1b - 8) / 8) & 0xffff; .short 0" \
				  :                                                       \
				  :                                                       \
				  :                                                       \
				  : l_break);                                             \
		goto l_go;                                                                \
l_break:                                                                                  \
		_ret = false;                                                             \
l_go:;                                                                                    \
		_ret;                                                                     \
	})

/* i++ in a way that the verifier does not link to other copies of i, which would keep loops apart
 */
#define STEP(i)                    \
	({                         \
		(i)++;             \
		LAYERED_OPAQUE(i); \
		(i) &= 0xffff;     \
	})

/* ---- kfuncs; suffixes after ___ are ours, except where the kernel's name has one ---- */
extern s32 scx_bpf_create_dsq(u64 dsq_id, s32 node) __ksym;
extern s32 scx_bpf_select_cpu_dfl(struct task_struct *p, s32 prev_cpu, u64 wake_flags,
				  bool *is_idle) __ksym;
extern void scx_bpf_dsq_insert(struct task_struct *p, u64 dsq_id, u64 slice, u64 enq_flags) __ksym;
extern void scx_bpf_dsq_insert_vtime(struct task_struct *p, u64 dsq_id, u64 slice, u64 vtime,
				     u64 enq_flags) __ksym;
extern bool scx_bpf_dsq_move_to_local___v1(u64 dsq_id) __ksym __weak;
extern bool scx_bpf_dsq_move_to_local___v2___compat(u64 dsq_id, u64 enq_flags) __ksym __weak;
extern struct task_struct *scx_bpf_dsq_peek(u64 dsq_id) __ksym __weak;
extern bool scx_bpf_task_set_slice(struct task_struct *p, u64 slice) __ksym __weak;
extern s32 scx_bpf_pick_idle_cpu(const cpumask_t *cpus, u64 flags) __ksym;
extern bool scx_bpf_test_and_clear_cpu_idle(s32 cpu) __ksym;
extern void scx_bpf_kick_cpu(s32 cpu, u64 flags) __ksym;
extern const struct cpumask *scx_bpf_get_idle_cpumask(void) __ksym;
extern void scx_bpf_put_idle_cpumask(const struct cpumask *mask) __ksym;
extern bool bpf_cpumask_test_cpu(u32 cpu, const struct cpumask *mask) __ksym;
extern u32 bpf_cpumask_any_distribute(const struct cpumask *mask) __ksym;
extern u32 scx_bpf_reenqueue_local___v1(void) __ksym __weak;
extern void scx_bpf_reenqueue_local___v2___compat(void) __ksym __weak;
extern void *bpf_rdonly_cast(const void *obj, u32 btf_id) __ksym;
extern void scx_bpf_error_bstr(char *fmt, unsigned long long *data, u32 data_len) __ksym;

/* For programs that the verifier takes for sleepable: ops.init and what it arms. */
extern void bpf_rcu_read_lock(void) __ksym;
extern void bpf_rcu_read_unlock(void) __ksym;

struct bpf_iter_scx_dsq {
	u64 opaque[6];
} __attribute__((aligned(8)));
enum {
	LAYERED_DSQ_ITER_REV = 1U << 16
};
extern int bpf_iter_scx_dsq_new(struct bpf_iter_scx_dsq *it, u64 dsq_id, u64 flags) __ksym;
extern struct task_struct *bpf_iter_scx_dsq_next(struct bpf_iter_scx_dsq *it) __ksym;
extern void bpf_iter_scx_dsq_destroy(struct bpf_iter_scx_dsq *it) __ksym;
extern bool scx_bpf_dsq_move(struct bpf_iter_scx_dsq *it, struct task_struct *p, u64 dsq_id,
			     u64 enq_flags) __ksym;

#define ENQ(x) bpf_core_enum_value(enum scx_enq_flags, x)

LAYERED_INLINE bool port_move_to_local(u64 dsq)
{
	if (bpf_ksym_exists(scx_bpf_dsq_move_to_local___v2___compat))
		return scx_bpf_dsq_move_to_local___v2___compat(dsq, 0);
	return scx_bpf_dsq_move_to_local___v1(dsq);
}

LAYERED_INLINE void port_reenqueue_local(void)
{
	if (bpf_ksym_exists(scx_bpf_reenqueue_local___v2___compat))
		scx_bpf_reenqueue_local___v2___compat();
	else
		scx_bpf_reenqueue_local___v1();
}

LAYERED_INLINE void port_set_slice(struct task_struct *p, u64 slice)
{
	if (bpf_ksym_exists(scx_bpf_task_set_slice))
		scx_bpf_task_set_slice(p, slice);
	else
		p->scx.slice = slice;
}

LAYERED_INLINE u64 port_now(void)
{
	return bpf_ktime_get_ns();
}

LAYERED_INLINE u32 port_this_cpu(void)
{
	return bpf_get_smp_processor_id();
}

LAYERED_INLINE u32 port_task_cpu(const struct task_struct *p)
{
	return p->thread_info.cpu;
}

LAYERED_INLINE u32 port_random(void)
{
	return bpf_get_prandom_u32();
}

/* vtime of the first task of a vtime DSQ; LAYERED_NO_VTIME if it is empty. */
LAYERED_INLINE u64 port_head_vtime(u64 dsq)
{
	u64 vtime = LAYERED_NO_VTIME;

	if (bpf_ksym_exists(scx_bpf_dsq_peek)) {
		struct task_struct *head = scx_bpf_dsq_peek(dsq);

		if (head)
			vtime = head->scx.dsq_vtime;
	} else {
		struct bpf_iter_scx_dsq it;

		if (!bpf_iter_scx_dsq_new(&it, dsq, 0)) {
			struct task_struct *head = bpf_iter_scx_dsq_next(&it);

			if (head)
				vtime = head->scx.dsq_vtime;
		}
		bpf_iter_scx_dsq_destroy(&it);
	}
	return vtime;
}

/* Is this CPU's idle bit set? */
LAYERED_INLINE bool port_idle_bit(s32 cpu)
{
	const struct cpumask *idle = scx_bpf_get_idle_cpumask();
	bool set = bpf_cpumask_test_cpu(cpu, idle);

	scx_bpf_put_idle_cpumask(idle);
	return set;
}

/* Claims an idle CPU, whichever; negative if there is none. */
LAYERED_INLINE s32 port_pick_any_idle(void)
{
	const struct cpumask *idle = scx_bpf_get_idle_cpumask();
	s32 cpu = scx_bpf_pick_idle_cpu(idle, 0);

	scx_bpf_put_idle_cpumask(idle);
	return cpu;
}

#define port_error(fmt, ...)                                            \
	({                                                              \
		static char _fmt[] = fmt;                               \
		unsigned long long _args[] = {0, ##__VA_ARGS__};        \
		scx_bpf_error_bstr(_fmt, _args + 1, sizeof(_args) - 8); \
	})

/* ---- maps ---- */
struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct task_ctx);
} task_ctxs SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_CGRP_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct cgroup_cache);
} cgroup_caches SEC(".maps");

struct rev_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__uint(map_flags, BPF_F_MMAPABLE);
	__type(key, u32);
	__type(value, struct layered_revision);
} rev0 SEC(".maps");

struct { /* [0] in force, [1] candidate */
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 2);
	__type(key, u32);
	__array(values, struct rev_map);
} rev_cur SEC(".maps") = {.values = {[0] = &rev0}};

struct { /* by CPU; the daemon sets max_entries */
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__uint(map_flags, BPF_F_MMAPABLE);
	__type(key, u32);
	__type(value, struct layered_cpu_ctx);
} cpu_ctxs SEC(".maps");

struct { /* by CPU; the daemon sets max_entries */
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__uint(map_flags, BPF_F_MMAPABLE);
	__type(key, u32);
	__type(value, struct layered_cpu_plan);
} cpu_plans SEC(".maps");

struct { /* by LLC; the daemon sets max_entries */
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__uint(map_flags, BPF_F_MMAPABLE);
	__type(key, u32);
	__type(value, struct layered_llc_ctx);
} llc_ctxs SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct path_buf);
} path_bufs SEC(".maps");

struct slow_timer {
	struct bpf_timer timer;
	u32 pass;
	u32 pad;
	u64 suspect[LAYERED_SUSPECT_WORDS];
};
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct slow_timer);
} slow_timers SEC(".maps");

typedef int slow_timer_fn(void *map, int *key, struct slow_timer *timer);

/* Sets the slow timer to go off once; from its function: again. */
LAYERED_INLINE s32 port_rearm_slow_timer(struct slow_timer *timer, u64 ns)
{
	return bpf_timer_start(&timer->timer, ns, 0);
}

/* Makes the slow timer and sets it for the first time. */
LAYERED_INLINE s32 port_start_slow_timer(slow_timer_fn *fired, u64 ns)
{
	u32 zero = 0;
	struct slow_timer *timer = bpf_map_lookup_elem(&slow_timers, &zero);
	s32 err;

	if (!timer)
		return -1;
	err = bpf_timer_init(&timer->timer, &slow_timers, 1 /* CLOCK_MONOTONIC */);
	if (!err)
		err = bpf_timer_set_callback(&timer->timer, fired);
	return err ? err : port_rearm_slow_timer(timer, ns);
}

/* NULL until init_task has run for the task, or when the kernel had no memory then. */
LAYERED_INLINE struct task_ctx *port_task_ctx(struct task_struct *p)
{
	return bpf_task_storage_get(&task_ctxs, p, 0, 0);
}

LAYERED_INLINE struct task_ctx *port_task_ctx_create(struct task_struct *p)
{
	return bpf_task_storage_get(&task_ctxs, p, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
}

LAYERED_INLINE struct cgroup_cache *port_cgroup_cache(struct cgroup *cgrp)
{
	return bpf_cgrp_storage_get(&cgroup_caches, cgrp, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
}

/* Take it once per op and use nothing else. */
LAYERED_INLINE struct layered_revision *port_revision(u32 which)
{
	void *inner = bpf_map_lookup_elem(&rev_cur, &which);
	u32 zero = 0;

	return inner ? bpf_map_lookup_elem(inner, &zero) : NULL;
}

LAYERED_INLINE struct layered_cpu_ctx *port_cpu_ctx(u32 cpu)
{
	return bpf_map_lookup_elem(&cpu_ctxs, &cpu);
}

LAYERED_INLINE struct layered_cpu_plan *port_cpu_plan(u32 cpu)
{
	return bpf_map_lookup_elem(&cpu_plans, &cpu);
}

LAYERED_INLINE struct layered_llc_ctx *port_llc_ctx(u32 llc)
{
	return bpf_map_lookup_elem(&llc_ctxs, &llc);
}

LAYERED_INLINE struct path_buf *port_path_buf(void)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(&path_bufs, &zero);
}

LAYERED_INLINE bool port_migration_disabled(const struct task_struct *p)
{
	return bpf_core_field_exists(p->migration_disabled) && p->migration_disabled;
}

/*
 * The same task through a pointer that the verifier does not trust: reads through it cannot fault,
 * need no NULL checks (a NULL on the way reads as 0), and do not make the 6.18 verifier search the
 * kernel's type names at every pointer that is loaded.
 */
LAYERED_INLINE const struct task_struct *port_task_view(struct task_struct *p)
{
	return bpf_rdonly_cast(p, bpf_core_type_id_kernel(struct task_struct));
}

/* ---- kernfs, by address: readable from any program, also for nodes that are going away ---- */
LAYERED_INLINE u64 port_cgroup_kn(struct cgroup *cgrp)
{
	return (u64)BPF_CORE_READ(cgrp, kn);
}

LAYERED_INLINE u64 port_kernfs_parent(u64 node)
{
	return (u64)BPF_CORE_READ((struct kernfs_node *)node, __parent);
}

/* Copies a node's name; returns its length with the terminator, or a negative error. */
LAYERED_INLINE s64 port_kernfs_name(char *to, u32 size, u64 node)
{
	return bpf_probe_read_kernel_str(to, size, BPF_CORE_READ((struct kernfs_node *)node, name));
}

/* Copies a variable number of bytes (0..255) inside our own memory. */
LAYERED_INLINE void port_copy(char *to, u32 size, const char *from)
{
	bpf_probe_read_kernel(to, size, from);
}

#endif /* LAYERED_BPF_PORT_BPF_H_ */
