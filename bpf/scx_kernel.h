/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel as the scheduler sees it: only the types and fields in use, relocated at load time
 * (CO-RE), so that one object serves every supported kernel. Member order and absence are free in
 * structs that carry preserve_access_index; structs handed to kfuncs by value layout are marked.
 *
 * In a user-space build (no __bpf__) the same structs are plain C: the simulated kernel fills them.
 */
#ifndef LAYERED_BPF_SCX_KERNEL_H_
#define LAYERED_BPF_SCX_KERNEL_H_

#ifdef __bpf__
typedef unsigned char u8, __u8;
typedef unsigned short u16, __u16, __be16, __sum16;
typedef unsigned int u32, __u32, __be32, __wsum;
typedef unsigned long long u64, __u64, __be64;
typedef signed char s8, __s8;
typedef short s16, __s16;
typedef int s32, __s32;
typedef long long s64, __s64;
#define LAYERED_CORE __attribute__((preserve_access_index))
#else
#include <stdint.h>
#define LAYERED_CORE
#endif

#ifndef __cplusplus
#include <stdbool.h>
#endif
#include <stddef.h>

#include "bpf/layered_shared.h"

/* Map types and flags of the BPF UAPI that are in use. */
enum {
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_ARRAY_OF_MAPS = 12,
	BPF_MAP_TYPE_TASK_STORAGE = 29,
	BPF_MAP_TYPE_CGRP_STORAGE = 32,
};
enum {
	BPF_F_NO_PREALLOC = 1U << 0,
	BPF_F_MMAPABLE = 1U << 10,
};
enum {
	BPF_LOCAL_STORAGE_GET_F_CREATE = 1U << 0,
};

struct kernfs_node {
	u64 id;
	struct kernfs_node *__parent;
	const char *name;
} LAYERED_CORE;

struct cgroup {
	struct kernfs_node *kn;
} LAYERED_CORE;

struct css_set {
	struct cgroup *dfl_cgrp;
} LAYERED_CORE;

typedef struct {
	u32 val;
} LAYERED_CORE kuid_t;

struct cred {
	kuid_t euid;
} LAYERED_CORE;

struct cpumask {
	unsigned long bits[1];
} LAYERED_CORE;
typedef struct cpumask cpumask_t;

struct sched_ext_entity {
	u32 flags;
	u32 weight; /* 1..10000, from nice and 100 by default */
	u64 slice;
	u64 dsq_vtime;
} LAYERED_CORE;

struct thread_info {
	u32 cpu;
} LAYERED_CORE;

struct task_struct {
	struct thread_info thread_info;
	unsigned int __state;
	unsigned int flags;
	int static_prio;
	int nr_cpus_allowed;
	const cpumask_t *cpus_ptr;
	unsigned short migration_disabled;
	int pid;
	int tgid;
	struct task_struct *group_leader;
	const struct cred *real_cred; /* not cred: the kernel overrides that for a while */
	char comm[16];
	struct css_set *cgroups;
	struct sched_ext_entity scx;
} LAYERED_CORE;

/* Values that have been the same in every kernel. */
enum {
	LAYERED_PF_KTHREAD = 0x00200000,
	LAYERED_TASK_DEAD = 0x00000080,
	LAYERED_TASK_NEW = 0x00000800, /* newborn, not yet woken for the first time */
	LAYERED_DEFAULT_PRIO = 120,    /* static_prio of nice 0 */
	LAYERED_SCX_TASK_QUEUED = 1U << 0,
	LAYERED_KICK_PREEMPT = 1U << 1,
};
#define LAYERED_DSQ_FLAG_BUILTIN (1ULL << 63)
#define LAYERED_DSQ_GLOBAL (LAYERED_DSQ_FLAG_BUILTIN | 1ULL)
#define LAYERED_DSQ_LOCAL (LAYERED_DSQ_FLAG_BUILTIN | 2ULL)
#define LAYERED_DSQ_LOCAL_ON (LAYERED_DSQ_FLAG_BUILTIN | (1ULL << 62))

/* Values that moved between kernels: names for CO-RE, any placeholder value. */
enum scx_enq_flags {
	SCX_ENQ_WAKEUP = 1ULL,
	SCX_ENQ_HEAD = 16ULL,
	SCX_ENQ_CPU_SELECTED = 1024ULL,
	SCX_ENQ_PREEMPT = 1ULL << 32,
	SCX_ENQ_REENQ = 1ULL << 40,
	SCX_ENQ_LAST = 1ULL << 41,
};
enum { /* struct sched_ext_ops.flags */
	LAYERED_OPS_KEEP_BUILTIN_IDLE = 1 << 0,
	LAYERED_OPS_ENQ_LAST = 1 << 1,
	LAYERED_OPS_ENQ_EXITING = 1 << 2,
	LAYERED_OPS_ALLOW_QUEUED_WAKEUP = 1 << 5,
};

#ifdef __bpf__
struct bpf_timer {
	u64 opaque[2];
} __attribute__((aligned(8)));
#endif

#ifdef __bpf__
struct bpf_iter_num {
	u64 opaque[1];
} __attribute__((aligned(8)));
#endif

struct bpf_iter_meta;
struct bpf_iter__cgroup { /* a context: never relocated */
	struct bpf_iter_meta *meta;
	struct cgroup *cgroup;
};

struct scx_init_task_args {
	bool fork;
} LAYERED_CORE;

struct scx_cpu_release_args;

enum scx_exit_kind {
	SCX_EXIT_NONE,
};

struct scx_exit_info {
	enum scx_exit_kind kind;
	s64 exit_code;
	const char *reason;
	char *msg;
} LAYERED_CORE;

/* Ours: the kernel matches members by name. */
struct sched_ext_ops {
	s32 (*select_cpu)(struct task_struct *p, s32 prev_cpu, u64 wake_flags);
	void (*enqueue)(struct task_struct *p, u64 enq_flags);
	void (*dispatch)(s32 cpu, struct task_struct *prev);
	void (*tick)(struct task_struct *p);
	void (*running)(struct task_struct *p);
	void (*stopping)(struct task_struct *p, bool runnable);
	void (*enable)(struct task_struct *p);
	void (*disable)(struct task_struct *p);
	void (*update_idle)(s32 cpu, bool idle);
	void (*cpu_release)(s32 cpu, struct scx_cpu_release_args *args);
	void (*cpu_online)(s32 cpu);
	void (*cpu_offline)(s32 cpu);
	s32 (*init_task)(struct task_struct *p, struct scx_init_task_args *args);
	s32 (*init)(void);
	void (*exit)(struct scx_exit_info *info);
	u64 flags;
	u32 timeout_ms;
	u64 hotplug_seq;
	char name[128];
};

#endif /* LAYERED_BPF_SCX_KERNEL_H_ */
