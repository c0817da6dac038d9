/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Every struct and limit that both sides of the kernel border see, written once.
 *
 * Compiled by clang -target bpf, by gcc as C11 and by g++ as C++20. Only fixed-width types,
 * explicit padding. LAYERED_LAYOUT_VERSION rises with every change of a struct; the object carries
 * it and the sizes in .rodata, and the daemon compares them before it loads.
 *
 * Ownership of the tables:
 *  - struct revision: filled by the daemon in a fresh map, frozen, published; never written again.
 *  - struct cpu_plan: the daemon writes buf[(seq + 1) & 1], then raises seq; BPF only reads.
 *  - struct topo: written by the daemon before the scheduler attaches, then read only.
 *  - struct cpu_ctx: written by its own CPU (counters), read by the daemon without locks.
 *  - struct llc_ctx: n by atomics from every CPU; vtime by CPUs of any LLC that serve the queue.
 */
#ifndef LAYERED_BPF_LAYERED_SHARED_H_
#define LAYERED_BPF_LAYERED_SHARED_H_

#if !defined(__bpf__)
#include <stdint.h>
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;
#endif

#define LAYERED_LAYOUT_VERSION 1

/* Limits. Powers of two where the value indexes a table (see IDX() in port.h). */
enum layered_limits {
	LAYERED_MAX_LAYERS = 64, /* layers of one revision */
	LAYERED_MAX_SLOTS = 128, /* layers and the ones that still drain */
	LAYERED_SLOT_WORDS = 2,	 /* u64 words of a bitmap of slots */
	LAYERED_ROW_HIGH = 128,	 /* high fallback: a row after the slots */
	LAYERED_ROW_LOW = 129,	 /* low fallback */
	LAYERED_NR_ROWS = 130,
	LAYERED_ROWS_POW2 = 256, /* table size for rows */
	LAYERED_MAX_LLCS = 128,
	LAYERED_LLC_WORDS = 2,
	LAYERED_MAX_NODES = 64,
	LAYERED_MAX_CPUS = 1024,
	LAYERED_MAX_BLOCKS = 1024, /* OR-blocks of a revision */
	LAYERED_MAX_BLOCKS_PER_LAYER = 64,
	LAYERED_BLOCK_WORDS = 16,
	LAYERED_MAX_PREDICATES = 256,
	LAYERED_PREDICATE_WORDS = 4,
	LAYERED_PATTERN_POOL = 131072, /* bytes of all cgroup patterns together */
	LAYERED_MAX_PATTERN = 4095,    /* bytes of one cgroup pattern */
	LAYERED_MAX_PATH = 4096,       /* longest cgroup path looked at; longer ones match less */
	LAYERED_COMM_LEN = 16,	       /* with the terminator */
	LAYERED_MAX_STAGES = 8,	       /* slot stages of a dispatch */
	LAYERED_MAX_TRIES = 4,	       /* slots tried per stage */
	LAYERED_NAME_LEN = 64,
	LAYERED_MSG_LEN = 1024,
	LAYERED_DUMP_LEN = 16384,
	LAYERED_MAX_WEIGHT = 10000,
	LAYERED_DEFAULT_WEIGHT = 100,
};

#define LAYERED_DEFAULT_SLICE_NS 5000000ULL
#define LAYERED_MIN_SLICE_NS 500000ULL
#define LAYERED_MAX_SLICE_NS 100000000ULL
#define LAYERED_NO_CPU 0xffffffffU

/* ---- the revision: rules and policies, immutable once published ---- */

enum layered_pred_kind {
	LAYERED_PRED_CGROUP = 0, /* text in the pool; evaluated once per cgroup */
	LAYERED_PRED_COMM,	 /* text inline */
	LAYERED_PRED_LEADER,	 /* text inline */
	LAYERED_PRED_UID,	 /* lo..hi */
	LAYERED_PRED_NICE,	 /* lo..hi */
	LAYERED_PRED_KTHREAD,
};

enum layered_form {
	LAYERED_FORM_EXACT = 0,
	LAYERED_FORM_PREFIX,
	LAYERED_FORM_SUFFIX,
	LAYERED_FORM_CONTAINS,
	LAYERED_FORM_SUBTREE, /* the value itself or value + "/..." */
};

/* Attributes that a revision's rules look at; others are not compared at wake-ups. */
enum layered_attr {
	LAYERED_ATTR_CGROUP = 1 << 0,
	LAYERED_ATTR_COMM = 1 << 1,
	LAYERED_ATTR_LEADER = 1 << 2,
	LAYERED_ATTR_UID = 1 << 3,
	LAYERED_ATTR_NICE = 1 << 4,
};

struct layered_predicate {
	u8 kind;    /* enum layered_pred_kind */
	u8 form;    /* enum layered_form, for texts */
	u16 len;    /* bytes of the text, no terminator */
	u32 offset; /* of the text in the pool (cgroup) */
	/*
	 * uid, nice: the range, both ends inclusive. comm, leader: masks of the bytes of text[0..7]
	 * and text[8..15] that count, first byte lowest; all of them for EXACT.
	 */
	s64 lo;
	s64 hi;
	u8 text[LAYERED_COMM_LEN]; /* comm, leader; zero padded */
};

struct layered_policy { /* by slot; of every slot, used or not */
	u64 slice_ns;	/* never 0 */
	u32 weight;	/* 1..10000, never 0 */
	u32 generation; /* 24 bits; 0 = slot never used */
	u8 live;	/* a layer of this revision */
	u8 pad[7];
};

struct layered_revision {
	u64 revision; /* the daemon's number */
	u32 publish;  /* rises by one per published table, from 1; never 0 */
	u32 nr_predicates;
	u32 nr_blocks;
	u32 nr_words; /* words of block bitmaps in use: (nr_blocks + 63) / 64 */
	u32 attrs;    /* enum layered_attr */
	u32 pool_bytes;
	u64 all_blocks[LAYERED_BLOCK_WORDS]; /* bit per block that exists */
	u8 block_slot[LAYERED_MAX_BLOCKS];   /* blocks in match order */
	/* alive &= hit ? ~forbid[p] : ~need[p]; the first block left alive is the rule. */
	u64 need[LAYERED_MAX_PREDICATES][LAYERED_BLOCK_WORDS];
	u64 forbid[LAYERED_MAX_PREDICATES][LAYERED_BLOCK_WORDS];
	struct layered_predicate predicate[LAYERED_MAX_PREDICATES];
	struct layered_policy policy[LAYERED_MAX_SLOTS];
	u8 pool[LAYERED_PATTERN_POOL];
};

/* ---- the CPU plan ---- */

enum layered_stage_list {
	LAYERED_STAGES_NORMAL = 0,
	LAYERED_STAGES_PROTECT,
	LAYERED_NR_STAGE_LISTS,
};

struct layered_plan_buf {
	u64 stage[LAYERED_NR_STAGE_LISTS][LAYERED_MAX_STAGES][LAYERED_SLOT_WORDS];
	u32 nr_stages[LAYERED_NR_STAGE_LISTS];
	u32 owner; /* slot that owns this CPU, LAYERED_MAX_SLOTS if none */
	u32 pad;
	u64 pad_line[6];
};

struct layered_cpu_plan { /* by CPU; array map "cpu_plans" */
	u64 seq;	  /* buf[seq & 1] is in force */
	u64 pad[7];
	struct layered_plan_buf buf[2];
};

/* ---- topology ---- */

struct layered_topo { /* section .data.topo */
	u32 nr_cpus;  /* highest possible CPU id + 1 */
	u32 nr_llcs;  /* dense ids 0..nr_llcs-1 given by the daemon */
	u32 nr_nodes; /* dense ids */
	u32 pad;
	u16 cpu_llc[LAYERED_MAX_CPUS]; /* of every possible CPU; 0 for one that is not online */
	u16 llc_node[LAYERED_MAX_LLCS];
	u16 llc_nr_cpus[LAYERED_MAX_LLCS]; /* online CPUs */
	u16 llc_first_cpu[LAYERED_MAX_LLCS];
	u64 node_llcs[LAYERED_MAX_NODES][LAYERED_LLC_WORDS];
};

/* ---- occupancy ---- */

struct layered_line { /* two words on a line of their own */
	u64 w[2];
	u64 pad[6];
};

struct layered_occ {				    /* section .data.occ */
	struct layered_line work;		    /* bit per slot */
	struct layered_line row[LAYERED_ROWS_POW2]; /* bit per LLC */
};

struct layered_queue { /* one (row, LLC) */
	u64 vtime;     /* clock of the queue: largest vtime that has run from it */
	u32 n;	       /* tasks counted in, by our own records */
	u32 runnable;  /* tasks at home here, queued or on a CPU; kept with several LLCs only */
	u32 prober;    /* CPU + 1 that probed it last; a hint */
	u32 pad[3];
};

struct layered_llc_ctx { /* by LLC; array map "llc_ctxs" */
	struct layered_queue q[LAYERED_ROWS_POW2];
};

/* ---- per-CPU state and counters ---- */

struct layered_slot_stats { /* cumulative; the daemon sums over CPUs */
	u64 cpu_ns;
	s64 tasks; /* joined minus left, on this CPU: only the sum means something */
	u64 enqueues;
	u64 direct; /* inserted straight into an idle CPU's local DSQ */
	u64 rematches;
	u64 rescued;
	u64 pad[2];
};

struct layered_cpu_stats {
	u64 dispatches;
	u64 empty;  /* dispatches that found nothing and kept nothing */
	u64 probes; /* calls of move_to_local */
	u64 failed_probes;
	u64 kept;
	u64 kicks;
	u64 fallbacks; /* a record or table entry was missing or out of range */
	u64 repairs;
	u64 reenqueued; /* times a higher class took the CPU */
	u64 clears_undone;
	u64 plan_retries;
	u64 pad[5];
};

struct layered_cpu_ctx { /* by CPU; array map "cpu_ctxs" */
	/* weights among slots at dispatch */
	u64 vmin;	  /* monotonic: largest service of a winner */
	u64 low_svc;	  /* service of the low fallback */
	u32 cursor;	  /* where the next look for candidates starts */
	u32 last_slot;	  /* last winner */
	u32 running_slot; /* slot + 1 of the task on this CPU; 0 if none of ours */
	u32 from_idle;	  /* the CPU has not run a task since it was idle */
	u32 self_kicks;	  /* in a row (rule W5) */
	u32 rotation;	  /* of LLCs of equal distance */
	u32 runner_up;	  /* second best of the last look */
	u32 prev_slot;	  /* of the walk under way: prev's, LAYERED_MAX_SLOTS without one */
	u64 rescue_after; /* no rescued task for this CPU before, ns */
	u64 plan_seq;	  /* of the walk under way: sequence word that it has read its plan under */
	u32 cpu;	  /* set by ops.init */
	u32 llc;
	u32 took_row; /* row of the task that the last successful probe took */
	u32 pad0;
	u64 probing; /* DSQ that this CPU is probing right now; 0: none */
	u64 pad[5];
	u64 svc[LAYERED_MAX_SLOTS];
	u32 svc_generation[LAYERED_MAX_SLOTS];
	struct layered_cpu_stats stats;
	struct layered_slot_stats slot[LAYERED_ROWS_POW2]; /* by row */
};

/* ---- control and exit ---- */

struct layered_ctl {	    /* section .data.ctl */
	u32 layout_version; /* set by the object: LAYERED_LAYOUT_VERSION */
	u32 daemon_tgid;    /* its threads use the high fallback within a budget */
	u32 live_publish;   /* newest publish number that an op has worked with */
	u32 hotplug;	    /* counts cpu_online and cpu_offline */
	u64 daemon_window;  /* budget of the daemon's threads: window number, ns used in it */
	u64 daemon_used_ns;
	u64 cgroup_misses;   /* cgroups evaluated by an op, not before */
	u64 truncated_paths; /* cgroups whose path is too long or too deep: they match less */
	/* exit: kind is written last, 0 until then */
	u32 exit_kind;
	u32 zero; /* always 0; the verifier does not know, see UNKNOWN_ZERO */
	s64 exit_code;
	char exit_reason[LAYERED_NAME_LEN * 2];
	char exit_msg[LAYERED_MSG_LEN];
};

/* The sizes that the daemon compares with its own before it loads the object (.rodata). */
struct layered_layout {
	u32 version;
	u32 revision_size;
	u32 cpu_plan_size;
	u32 topo_size;
	u32 occ_size;
	u32 llc_ctx_size;
	u32 cpu_ctx_size;
	u32 ctl_size;
};

#ifdef __cplusplus
#define LAYERED_STATIC_ASSERT(c, m) static_assert(c, m)
#else
#define LAYERED_STATIC_ASSERT(c, m) _Static_assert(c, m)
#endif
LAYERED_STATIC_ASSERT(LAYERED_SLOT_WORDS * 64 == LAYERED_MAX_SLOTS, "slot bitmap");
LAYERED_STATIC_ASSERT(LAYERED_LLC_WORDS * 64 == LAYERED_MAX_LLCS, "LLC bitmap");
LAYERED_STATIC_ASSERT(LAYERED_BLOCK_WORDS * 64 == LAYERED_MAX_BLOCKS, "block bitmap");
LAYERED_STATIC_ASSERT(LAYERED_PREDICATE_WORDS * 64 == LAYERED_MAX_PREDICATES, "predicate bitmap");
LAYERED_STATIC_ASSERT(LAYERED_MAX_SLOTS >= 2 * LAYERED_MAX_LAYERS, "a whole set can be replaced");
LAYERED_STATIC_ASSERT(sizeof(struct layered_line) == 64, "one line");
LAYERED_STATIC_ASSERT(sizeof(struct layered_slot_stats) == 64, "one line");
LAYERED_STATIC_ASSERT(sizeof(struct layered_predicate) == 40, "no hidden padding");
LAYERED_STATIC_ASSERT(sizeof(struct layered_policy) == 24, "no hidden padding");
LAYERED_STATIC_ASSERT(sizeof(struct layered_revision) % 8 == 0, "array value");
LAYERED_STATIC_ASSERT(sizeof(struct layered_cpu_plan) % 64 == 0, "whole lines");
LAYERED_STATIC_ASSERT(sizeof(struct layered_cpu_ctx) % 64 == 0, "whole lines");

#endif /* LAYERED_BPF_LAYERED_SHARED_H_ */
