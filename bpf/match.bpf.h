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
	struct task_attrs attrs;
	u64 cgroup[LAYERED_PREDICATE_WORDS];
	u64 kthread;
};

LAYERED_INLINE s32 load_nice(const struct task_struct *p)
{
	return p->static_prio - LAYERED_DEFAULT_PRIO;
}

/* Does an attribute that `used` names differ from what the task was matched with? */
LAYERED_INLINE bool attrs_differ(struct task_struct *p, const struct task_attrs *was, u32 used)
{
	const struct task_struct *view = port_task_view(p);
	u64 differ = UNKNOWN_ZERO, name[2];

	if (used & LAYERED_ATTR_CGROUP)
		differ |= view->cgroups->dfl_cgrp->kn->id ^ was->cgroup_id;
	if (used & LAYERED_ATTR_COMM) {
		__builtin_memcpy(name, p->comm, LAYERED_COMM_LEN);
		differ |= (name[0] ^ was->comm[0]) | (name[1] ^ was->comm[1]);
	}
	if (used & LAYERED_ATTR_LEADER) {
		__builtin_memcpy(name, view->group_leader->comm, LAYERED_COMM_LEN);
		differ |= (name[0] ^ was->leader[0]) | (name[1] ^ was->leader[1]);
	}
	if (used & LAYERED_ATTR_UID)
		differ |= view->real_cred->euid.val ^ was->uid;
	if (used & LAYERED_ATTR_NICE)
		differ |= (u32)(load_nice(p) ^ was->nice);
	return differ;
}

LAYERED_INLINE void load_attrs(struct task_struct *p, struct task_attrs *out)
{
	const struct task_struct *view = port_task_view(p);

	out->cgroup_id = view->cgroups->dfl_cgrp->kn->id;
	__builtin_memcpy(out->comm, p->comm, LAYERED_COMM_LEN);
	__builtin_memcpy(out->leader, view->group_leader->comm, LAYERED_COMM_LEN);
	out->uid = view->real_cred->euid.val;
	out->nice = load_nice(p);
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
	u64 name[2] = {name0, name1}, text[2], part[2];
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
		if (!(((part[0] ^ text[0]) & (u64)pred->lo) |
		      ((part[1] ^ text[1]) & (u64)pred->hi)))
			return true;
	}
	return false;
}

/* Kinds and forms that match_slot() does not decide itself. Global: its branches are verified once.
 */
LAYERED_GLOBAL u64 predicate_holds(const struct layered_predicate *pred, u32 index,
				   const struct match_input *in)
{
	if (!pred || !in)
		return false;
	switch (pred->kind) {
	case LAYERED_PRED_CGROUP:
		return (in->cgroup[IDX(index >> 6, LAYERED_PREDICATE_WORDS)] >> (index & 63)) & 1;
	case LAYERED_PRED_COMM:
		return comm_matches(pred, in->attrs.comm[0], in->attrs.comm[1]);
	case LAYERED_PRED_LEADER:
		return comm_matches(pred, in->attrs.leader[0], in->attrs.leader[1]);
	case LAYERED_PRED_UID:
		return (s64)in->attrs.uid >= pred->lo && (s64)in->attrs.uid <= pred->hi;
	case LAYERED_PRED_NICE:
		return in->attrs.nice >= pred->lo && in->attrs.nice <= pred->hi;
	case LAYERED_PRED_KTHREAD:
		return in->kthread;
	}
	return false;
}

/* A whole thread name or its beginning: what most rules ask for, so it needs no call. */
LAYERED_INLINE u64 comm_begins(const struct layered_predicate *pred, const struct match_input *in)
{
	u64 text[2];

	__builtin_memcpy(text, pred->text, LAYERED_COMM_LEN);
	return !(((in->attrs.comm[0] ^ text[0]) & (u64)pred->lo) |
		 ((in->attrs.comm[1] ^ text[1]) & (u64)pred->hi));
}

/* The slot of the first block that takes the task. */
LAYERED_GLOBAL u32 match_slot(struct layered_revision *rev, const struct match_input *in)
{
	u64 holds[LAYERED_PREDICATE_WORDS] = {};
	u32 i, w;

	if (!rev || !in)
		return 0;
	for (i = UNKNOWN_ZERO; i < rev->nr_predicates && i < LAYERED_MAX_PREDICATES && can_loop;
	     STEP(i)) {
		struct layered_predicate *pred = &rev->predicate[IDX(i, LAYERED_MAX_PREDICATES)];
		u64 held = pred->kind == LAYERED_PRED_COMM && pred->form <= LAYERED_FORM_PREFIX
				   ? comm_begins(pred, in)
				   : predicate_holds(pred, i, in);

		holds[IDX(i >> 6, LAYERED_PREDICATE_WORDS)] |= (held & 1) << (i & 63);
	}
	for (w = UNKNOWN_ZERO; w < rev->nr_words && w < LAYERED_BLOCK_WORDS && can_loop; STEP(w)) {
		u64 alive = rev->all_blocks[IDX(w, LAYERED_BLOCK_WORDS)];

		for (i = UNKNOWN_ZERO;
		     i < rev->nr_predicates && i < LAYERED_MAX_PREDICATES && can_loop; STEP(i)) {
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
 * Gives the task the slot that `in` leads to in the revision that `in` was made with, and returns
 * it. Global: verified once.
 */
LAYERED_GLOBAL u32 assign_slot(struct task_ctx *tctx, struct layered_revision *rev,
			       const struct match_input *in)
{
	struct layered_cpu_ctx *cc = port_cpu_ctx(port_this_cpu());
	u64 old, new;
	u32 slot;

	if (!tctx || !in || !rev || !cc)
		return 0;
	old = LAYERED_LOAD(tctx->word);
	slot = match_slot(rev, in) & (LAYERED_MAX_SLOTS - 1);
	new = make_word(rev->publish, rev->policy[slot].generation, slot);
	if (CAS(&tctx->word, old, new) == old) {
		move_task_count(cc, old, new);
		SLOT_STAT(cc, slot, rematches);
		if (layered_ctl.live_publish != rev->publish)
			layered_ctl.live_publish = rev->publish;
	}
	return slot;
}

/* Matches the task against the revision in force, whatever its word says. Returns its slot. */
LAYERED_INLINE u32 match_task(struct task_struct *p, struct task_ctx *tctx,
			      struct layered_revision *rev)
{
	struct match_input in = {};

	tctx->stale = 0;
	load_attrs(p, &in.attrs);
	in.kthread = (p->flags & LAYERED_PF_KTHREAD) / LAYERED_PF_KTHREAD;
	/* Without a result for its cgroup now the task is matched again at its next op. */
	if ((rev->attrs & LAYERED_ATTR_CGROUP) && !load_cgroup_bits(p, rev, in.cgroup))
		in.attrs.cgroup_id = 0;
	tctx->attrs = in.attrs;
	return assign_slot(tctx, rev, &in);
}

/* Is the word of another publish number, or matched with other values than the task has now? */
LAYERED_INLINE bool is_stale(struct task_struct *p, const struct task_ctx *tctx,
			     const struct layered_revision *rev)
{
	return word_publish(LAYERED_LOAD(tctx->word)) != rev->publish ||
	       (rev->attrs && attrs_differ(p, &tctx->attrs, rev->attrs));
}

#endif /* LAYERED_BPF_MATCH_BPF_H_ */
