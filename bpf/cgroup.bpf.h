/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cgroup predicates: evaluated once per cgroup and revision, kept in the cgroup's storage.
 *
 * A cgroup's path is one string, "/a/b" as in /proc/PID/cgroup ("/" for the root). A path that is
 * too long or too deep for the buffer matches no cgroup predicate and is counted: it loses a match,
 * never the scheduler.
 *
 * The cache has two entries, for publish numbers of either parity: the one in force and the
 * candidate. An entry is rewritten only when its revision is two publishes old, and a publish
 * returns only after the ops that used the revision before it have ended.
 */
#ifndef LAYERED_BPF_CGROUP_BPF_H_
#define LAYERED_BPF_CGROUP_BPF_H_

#include "bpf/state.bpf.h"

/* Steps of one comparison; a longer search counts as no match. */
enum {
	LAYERED_MATCH_STEPS = 65000
};

/*
 * Writes the path of a kernfs node to the end of text[], from the leaf backwards. Returns where it
 * begins; LAYERED_MAX_PATH if it does not fit.
 */
LAYERED_GLOBAL u32 build_path(u64 kn_addr, struct path_text *path)
{
	u32 begin = LAYERED_MAX_PATH + UNKNOWN_ZERO, i;
	u64 node = kn_addr;

	if (!path)
		return LAYERED_MAX_PATH;
	for (i = UNKNOWN_ZERO; i < LAYERED_PATH_DEPTH && can_loop; STEP(i)) {
		u64 parent = node ? port_kernfs_parent(node) : 0;
		u32 len;
		s64 n;

		if (!parent) { /* the root has no name of its own */
			if (begin == LAYERED_MAX_PATH)
				path->text[--begin & (LAYERED_MAX_PATH - 1)] = '/';
			return begin;
		}
		n = port_kernfs_name(path->name, sizeof(path->name), node);
		if (n <= 1 || n > 256)
			return LAYERED_MAX_PATH;
		len = n - 1;
		if (begin < len + 1)
			return LAYERED_MAX_PATH;
		begin -= len;
		port_copy(&path->text[IDX(begin, LAYERED_MAX_PATH)], len & 255, path->name);
		begin--;
		path->text[IDX(begin, LAYERED_MAX_PATH)] = '/';
		node = parent;
	}
	return LAYERED_MAX_PATH; /* deeper than we look */
}

/* Does cgroup predicate `index` hold for this path? */
LAYERED_GLOBAL bool path_matches(struct layered_revision *rev, u32 index, struct path_text *path,
				 u32 begin)
{
	u32 at = begin, same = UNKNOWN_ZERO, len = LAYERED_MAX_PATH - begin, step, want;
	struct layered_predicate *pred;
	bool slide = false;

	if (!rev || !path)
		return false;
	pred = &rev->predicate[IDX(index, LAYERED_MAX_PREDICATES)];
	want = pred->len;
	switch (pred->form) {
	case LAYERED_FORM_EXACT:
		if (want != len)
			return false;
		break;
	case LAYERED_FORM_SUBTREE:
		if (!want)
			return true;
		if (want > len ||
		    (want < len && path->text[IDX(begin + want, LAYERED_MAX_PATH)] != '/'))
			return false;
		break;
	case LAYERED_FORM_SUFFIX:
		if (want > len)
			return false;
		at = LAYERED_MAX_PATH - want;
		break;
	case LAYERED_FORM_CONTAINS:
		slide = true;
		break;
	}
	for (step = UNKNOWN_ZERO; step < LAYERED_MATCH_STEPS && can_loop; STEP(step)) {
		if (same >= want)
			return true;
		if (at + same >= LAYERED_MAX_PATH)
			return false;
		if (rev->pool[IDX(pred->offset + same, LAYERED_PATTERN_POOL)] ==
		    (u8)path->text[IDX(at + same, LAYERED_MAX_PATH)]) {
			STEP(same);
		} else {
			if (!slide)
				return false;
			STEP(at);
			same = UNKNOWN_ZERO;
		}
	}
	return false;
}

/*
 * Evaluates all cgroup predicates (they come first) into the cache. False: another program of this
 * CPU is using the buffer; try again later.
 */
LAYERED_GLOBAL bool evaluate_path(struct layered_revision *rev, u64 kn_addr,
				  struct cgroup_cache *cache)
{
	struct path_buf *buf = port_path_buf();
	u64 bits[LAYERED_PREDICATE_WORDS] = {};
	u32 i, begin;

	if (!rev || !cache || !buf || CAS(&buf->busy, 0, 1))
		return false;
	begin = build_path(kn_addr, &buf->path);
	if (begin >= LAYERED_MAX_PATH)
		ADD(&layered_ctl.truncated_paths, 1);
	for (i = UNKNOWN_ZERO; i < rev->nr_predicates && can_loop; STEP(i)) {
		if (rev->predicate[IDX(i, LAYERED_MAX_PREDICATES)].kind != LAYERED_PRED_CGROUP)
			break;
		bits[IDX(i >> 6, LAYERED_PREDICATE_WORDS)] |=
			(u64)path_matches(rev, i, &buf->path, begin) << (i & 63);
	}
	XCHG(&buf->busy, 0);
	__builtin_memcpy(cache->bits[rev->publish & 1], bits, sizeof(bits));
	XCHG(&cache->tag[rev->publish & 1], rev->publish);
	return true;
}

/* Copies the results of the task's cgroup for this revision. False: they cannot be had now. */
LAYERED_INLINE bool load_cgroup_bits(struct task_struct *p, struct layered_revision *rev,
				     u64 bits[LAYERED_PREDICATE_WORDS])
{
	struct css_set *set = p->cgroups;
	struct cgroup *cgrp = set ? set->dfl_cgrp : NULL;
	struct cgroup_cache *cache = cgrp ? port_cgroup_cache(cgrp) : NULL;
	u32 which = rev->publish & 1;

	if (!cache)
		return false;
	if (LAYERED_LOAD(cache->tag[which]) != rev->publish) {
		ADD(&layered_ctl.cgroup_misses, 1);
		if (!evaluate_path(rev, port_cgroup_kn(cgrp), cache))
			return false;
	}
	__builtin_memcpy(bits, cache->bits[which], sizeof(cache->bits[which]));
	return true;
}

/*
 * For the hooks that meet a cgroup first: fills the entry of one revision (0 in force, 1 candidate)
 * if it is missing. Global: verified once.
 */
LAYERED_GLOBAL int fill_cgroup(struct cgroup *cgrp LAYERED_TRUSTED, u32 which)
{
	struct layered_revision *rev = port_revision(which);
	struct cgroup_cache *cache;

	if (!rev || !(rev->attrs & LAYERED_ATTR_CGROUP))
		return 0;
	cache = port_cgroup_cache(cgrp);
	if (cache && LAYERED_LOAD(cache->tag[rev->publish & 1]) != rev->publish)
		evaluate_path(rev, port_cgroup_kn(cgrp), cache);
	return 0;
}

#endif /* LAYERED_BPF_CGROUP_BPF_H_ */
