/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only door from the scheduler's code to maps, atomics, loops, the clock and kfuncs.
 *
 * Behind it stand two implementations with the same names: port_bpf.h (the kernel) and port_user.h
 * (plain C11, where a simulated kernel supplies them). Everything else in bpf/ is ordinary C that
 * includes this file.
 *
 * Atomics: F_* return a value and are full barriers on every architecture; ADD has no result and no
 * order; LOAD is a volatile plain load. See occupancy.bpf.h for who needs which.
 */
#ifndef LAYERED_BPF_PORT_H_
#define LAYERED_BPF_PORT_H_

#include "bpf/scx_kernel.h"

#define LAYERED_INLINE static inline __attribute__((always_inline))
#define LAYERED_LOAD(x) (*(const volatile __typeof__(x) *)&(x))
#define LAYERED_STORE(x, v) (*(volatile __typeof__(x) *)&(x) = (v))
/* Always less than n (a power of two), in a way that the compiler cannot optimise away. */
#define IDX(i, n)                     \
	({                            \
		u64 _idx = (u64)(i);  \
		LAYERED_OPAQUE(_idx); \
		_idx &((u64)(n)-1);   \
	})

/* Attributes that rules look at. */
struct task_attrs {
	u64 cgroup_id;
	u64 comm[2];
	u64 leader[2];
	u32 uid;
	s32 nice;
};

/* One task's record, in task storage: zero when created. */
struct task_ctx {
	u64 word; /* {u32 publish, u24 generation, u8 slot}; changed only by compare-and-exchange */
	struct task_attrs attrs; /* that the word was matched with */
	/* queue accounting: where the task is counted, written at insert only */
	u8 counted;
	u8 row;
	u16 llc;
	/* queue whose clock vtime belongs to */
	u16 vtime_llc;
	u8 vtime_slot;
	/* where the task is counted as runnable (queued or on a CPU); several LLCs only */
	u8 homed;
	u16 home_llc;
	u8 home_slot;
	u8 stale;   /* the word is in doubt: enqueue matches again */
	u8 claimed; /* select_cpu has claimed the idle CPU that the task is enqueued on */
	u8 pad[3];
	u32 weight; /* of the nice value, when last charged; 0: never */
	u32 pad1;
	u64 vtime;
	u64 charged_at;	 /* time up to which the current run has been charged; 0: not running */
	u64 waits_since; /* first enqueue since it last ran; 0: not waiting */
};

/* Results of a cgroup's predicates for two revisions: [publish & 1], valid when tag == publish. */
struct cgroup_cache {
	u32 tag[2];
	u64 bits[2][LAYERED_PREDICATE_WORDS];
};

/* vtime of the head of an empty queue */
#define LAYERED_NO_VTIME (~0ULL)
/* bit per row, see rescue.bpf.h */
enum {
	LAYERED_SUSPECT_WORDS = LAYERED_ROWS_POW2 / 64
};

/* Room to build a cgroup's path, one per CPU; claimed while in use, for programs can interrupt. */
enum {
	LAYERED_PATH_SLACK = 256,
	LAYERED_PATH_DEPTH = 128
};
struct path_text {
	char name[264];					  /* of one component: 255 bytes at most */
	char text[LAYERED_MAX_PATH + LAYERED_PATH_SLACK]; /* the path ends at LAYERED_MAX_PATH */
};
struct path_buf {
	u32 busy;
	u32 pad;
	struct path_text path;
};

#ifdef __bpf__
#include "bpf/port_bpf.h"
#else
#include "bpf/port_user.h"
#endif

#endif /* LAYERED_BPF_PORT_H_ */
