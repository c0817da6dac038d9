/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which layer a task belongs to.
 *
 * Level-triggered: the task's record keeps the values that its word was matched with; each wake-up
 * and each tick compares those that the revision's rules look at, by direct loads. On a difference,
 * or when the word is of another publish number, the task is marked stale and enqueue, which it
 * passes next, matches it again. So nothing depends on an event that fires once, has no hook, or
 * was lost.
 *
 * Matching walks the distinct predicates, not the rules: each narrows a bitmap of the blocks that
 * are still alive; the first one left is the rule. The catch-all's block has no predicate, so one
 * is always left.
 */
#ifndef LAYERED_BPF_MATCH_BPF_H_
#define LAYERED_BPF_MATCH_BPF_H_

#include "bpf/cgroup.bpf.h"
#include "bpf/state.bpf.h"

struct match_input {
	u64 comm[2];
	u64 leader[2];
	u64 cgroup[LAYERED_PREDICATE_WORDS];
	u32 uid;
	s32 nice;
	u32 kthread;
	u32 pad;
};

LAYERED_INLINE void load_comm(const struct task_struct *p, u64 out[2])
{
	__builtin_memcpy(out, p->comm, LAYERED_COMM_LEN);
}

LAYERED_INLINE void load_leader_comm(struct task_struct *p, u64 out[2])
{
	struct task_struct *leader = p->group_leader;

	if (leader)
		load_comm(leader, out);
	else
		out[0] = out[1] = 0;
}

LAYERED_INLINE u32 load_uid(struct task_struct *p)
{
	const struct cred *cred = p->cred;

	return cred ? cred->euid.val : 0;
}

LAYERED_INLINE s32 load_nice(const struct task_struct *p)
{
	return p->static_prio - LAYERED_DEFAULT_PRIO;
}

LAYERED_INLINE struct cgroup *load_cgroup(struct task_struct *p)
{
	struct css_set *set = p->cgroups;

	return set ? set->dfl_cgrp : NULL;
}

LAYERED_INLINE u64 load_cgroup_id(struct task_struct *p)
{
	struct cgroup *cgrp = load_cgroup(p);
	struct kernfs_node *kn = cgrp ? cgrp->kn : NULL;

	return kn ? kn->id : 0;
}

/*
 * Does an attribute that the rules look at differ from what the word was matched with? Global: its
 * branches are verified once.
 */
LAYERED_GLOBAL bool attrs_changed(struct task_struct *p LAYERED_TRUSTED, const struct task_ctx *tctx, u32 attrs)
{
	u64 name[2];

	if (!tctx)
		return false;
	if ((attrs & LAYERED_ATTR_CGROUP) && load_cgroup_id(p) != tctx->cgroup_id)
		return true;
	if (attrs & LAYERED_ATTR_COMM) {
		load_comm(p, name);
		if ((name[0] ^ tctx->comm[0]) | (name[1] ^ tctx->comm[1]))
			return true;
	}
	if (attrs & LAYERED_ATTR_LEADER) {
		load_leader_comm(p, name);
		if ((name[0] ^ tctx->leader[0]) | (name[1] ^ tctx->leader[1]))
			return true;
	}
	if ((attrs & LAYERED_ATTR_UID) && load_uid(p) != tctx->uid)
		return true;
	return (attrs & LAYERED_ATTR_NICE) && load_nice(p) != tctx->nice;
}

/* Number of the first zero byte of a word, 8 if there is none. */
LAYERED_INLINE u32 first_zero_byte(u64 word)
{
	u64 zeros = (word - 0x0101010101010101ULL) & ~word & 0x8080808080808080ULL;

	return zeros ? ctz64(zeros) >> 3 : 8;
}

/* Bytes of a name before its terminator. */
LAYERED_INLINE u32 comm_len(const u64 name[2])
{
	u32 len = first_zero_byte(name[0]);

	return len < 8 ? len : 8 + first_zero_byte(name[1]);
}

/* The name from byte `at` on (both words), as far as it goes; no branch. */
LAYERED_INLINE void comm_from(const u64 name[2], u32 at, u64 out[2])
{
	u32 shift = (at & 7) * 8;
	u64 second = -(u64)((at >> 3) & 1), w0, w1;

	LAYERED_OPAQUE(second);
	w0 = (name[0] & ~second) | (name[1] & second);
	w1 = name[1] & ~second;
	out[0] = (w0 >> shift) | ((w1 << 1) << (63 - shift));
	out[1] = w1 >> shift;
}

/*
 * Compares a name with the predicate's text, in words whose first byte is the lowest, as on every
 * architecture that the object is built for. The predicate brings the mask of the bytes that count.
 */
LAYERED_GLOBAL bool comm_matches(const struct layered_predicate *pred, u64 name0, u64 name1)
{
	u64 name[2] = { name0, name1 }, text[2], part[2];
	u32 len, have, at, last;

	if (!pred)
		return false;
	__builtin_memcpy(text, pred->text, LAYERED_COMM_LEN);
	len = pred->len & 15;
	have = comm_len(name);
	at = last = UNKNOWN_ZERO;
	if (pred->form >= LAYERED_FORM_SUFFIX) {
		if (len > have)
			return false;
		last = have - len;
		if (pred->form == LAYERED_FORM_SUFFIX)
			at = last;
	}
	for (; at <= last && can_loop; STEP(at)) {
		comm_from(name, at, part);
		if (!(((part[0] ^ text[0]) & (u64)pred->lo) | ((part[1] ^ text[1]) & (u64)pred->hi)))
			return true;
	}
	return false;
}

/* One predicate, by its kind. Global: its branches are verified once. */
LAYERED_GLOBAL u32 predicate_holds(const struct layered_predicate *pred, u32 index,
				   const struct match_input *in)
{
	if (!pred || !in)
		return false;
	switch (pred->kind) {
	case LAYERED_PRED_CGROUP:
		return (in->cgroup[IDX(index >> 6, LAYERED_PREDICATE_WORDS)] >> (index & 63)) & 1;
	case LAYERED_PRED_COMM:
		return comm_matches(pred, in->comm[0], in->comm[1]);
	case LAYERED_PRED_LEADER:
		return comm_matches(pred, in->leader[0], in->leader[1]);
	case LAYERED_PRED_UID:
		return (s64)in->uid >= pred->lo && (s64)in->uid <= pred->hi;
	case LAYERED_PRED_NICE:
		return in->nice >= pred->lo && in->nice <= pred->hi;
	case LAYERED_PRED_KTHREAD:
		return in->kthread;
	}
	return false;
}

/* The slot of the first block that takes the task. */
LAYERED_GLOBAL u32 match_slot(struct layered_revision *rev, const struct match_input *in)
{
	u64 holds[LAYERED_PREDICATE_WORDS] = {};
	u32 i, w;

	if (!rev || !in)
		return 0;
	for (i = UNKNOWN_ZERO; i < rev->nr_predicates && i < LAYERED_MAX_PREDICATES && can_loop; STEP(i)) {
		u64 held = predicate_holds(&rev->predicate[IDX(i, LAYERED_MAX_PREDICATES)], i, in) & 1;

		holds[IDX(i >> 6, LAYERED_PREDICATE_WORDS)] |= held << (i & 63);
	}
	for (w = UNKNOWN_ZERO; w < rev->nr_words && w < LAYERED_BLOCK_WORDS && can_loop; STEP(w)) {
		u64 alive = rev->all_blocks[IDX(w, LAYERED_BLOCK_WORDS)];

		for (i = UNKNOWN_ZERO; i < rev->nr_predicates && i < LAYERED_MAX_PREDICATES && can_loop; STEP(i)) {
			u64 at = IDX(i, LAYERED_MAX_PREDICATES), word = IDX(w, LAYERED_BLOCK_WORDS);
			u64 held = -((holds[IDX(i >> 6, LAYERED_PREDICATE_WORDS)] >> (i & 63)) & 1);

			LAYERED_OPAQUE(held);
			alive &= ~((rev->forbid[at][word] & held) | (rev->need[at][word] & ~held));
		}
		if (alive)
			return rev->block_slot[IDX(w * 64 + ctz64(alive), LAYERED_MAX_BLOCKS)];
	}
	return 0;
}

/* Moves the layers' task counts from one word's slot to another's; 0 words count nowhere. */
LAYERED_INLINE void move_task_count(struct layered_cpu_ctx *cc, u64 from, u64 to)
{
	if (word_generation(from))
		ADD(&cc->slot[IDX(word_slot(from), LAYERED_ROWS_POW2)].tasks, -1);
	if (word_generation(to))
		ADD(&cc->slot[IDX(word_slot(to), LAYERED_ROWS_POW2)].tasks, 1);
}

/*
 * Matches the task against the revision in force, whatever its word says. Returns its slot. Global:
 * verified once.
 */
LAYERED_GLOBAL u32 match_task(struct task_struct *p LAYERED_TRUSTED, struct task_ctx *tctx)
{
	struct layered_cpu_ctx *cc = port_cpu_ctx(port_this_cpu());
	struct layered_revision *rev = port_revision(0);
	struct match_input in = {};
	struct cgroup *cgrp;
	u64 old, new;
	u32 slot;

	if (!tctx || !rev || !cc)
		return 0;
	old = LAYERED_LOAD(tctx->word);
	tctx->stale = 0;
	load_comm(p, in.comm);
	load_leader_comm(p, in.leader);
	in.uid = load_uid(p);
	in.nice = load_nice(p);
	in.kthread = (p->flags & LAYERED_PF_KTHREAD) / LAYERED_PF_KTHREAD;
	__builtin_memcpy(tctx->comm, in.comm, sizeof(in.comm));
	__builtin_memcpy(tctx->leader, in.leader, sizeof(in.leader));
	tctx->uid = in.uid;
	tctx->nice = in.nice;
	if (rev->attrs & LAYERED_ATTR_CGROUP) {
		cgrp = load_cgroup(p);
		/* Without a result now the task is matched again at its next op. */
		tctx->cgroup_id = cgrp && load_cgroup_bits(cgrp, rev, in.cgroup) ? load_cgroup_id(p) : 0;
	}

	slot = match_slot(rev, &in) & (LAYERED_MAX_SLOTS - 1);
	new = make_word(rev->publish, rev->policy[slot].generation, slot);
	if (CAS(&tctx->word, old, new) == old) {
		move_task_count(cc, old, new);
		SLOT_STAT(cc, slot, rematches);
		if (layered_ctl.live_publish != rev->publish)
			layered_ctl.live_publish = rev->publish;
	}
	return slot;
}

/* Is the word of another publish number, or matched with other values than the task has now? */
LAYERED_INLINE bool is_stale(struct task_struct *p, const struct task_ctx *tctx,
			     const struct layered_revision *rev)
{
	return word_publish(LAYERED_LOAD(tctx->word)) != rev->publish ||
	       (rev->attrs && attrs_changed(p, tctx, rev->attrs));
}

#endif /* LAYERED_BPF_MATCH_BPF_H_ */
