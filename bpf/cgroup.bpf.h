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
enum { LAYERED_MATCH_STEPS = 65000 };

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

		if (!parent) {	/* the root has no name of its own */
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
	return LAYERED_MAX_PATH;	/* deeper than we look */
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
			same++;
		} else {
			if (!slide)
				return false;
			at++;
			same = UNKNOWN_ZERO;
		}
	}
	return false;
}

/* Evaluates all cgroup predicates (they come first) into bits[]. False: try again later. */
LAYERED_GLOBAL bool evaluate_path(struct layered_revision *rev, u64 kn_addr, struct cgroup_cache *cache)
{
	struct path_buf *buf = port_path_buf();
	struct layered_cpu_ctx *cc = port_cpu_ctx(port_this_cpu());
	u64 bits[LAYERED_PREDICATE_WORDS] = {};
	struct path_text *path;
	u32 level, i, begin;

	if (!rev || !cache || !buf)
		return false;
	for (level = UNKNOWN_ZERO; level < LAYERED_PATH_NESTING && can_loop; STEP(level))
		if (!CAS(&buf->busy[IDX(level, LAYERED_PATH_NESTING)], 0, 1))
			break;
	if (level >= LAYERED_PATH_NESTING)
		return false;
	path = &buf->level[IDX(level, LAYERED_PATH_NESTING)];
	begin = build_path(kn_addr, path);
	if (begin >= LAYERED_MAX_PATH && cc)
		STAT(cc, truncated_paths);
	for (i = UNKNOWN_ZERO; i < LAYERED_MAX_PREDICATES && can_loop; STEP(i)) {
		if (begin >= LAYERED_MAX_PATH || i >= rev->nr_predicates ||
		    rev->predicate[IDX(i, LAYERED_MAX_PREDICATES)].kind != LAYERED_PRED_CGROUP)
			break;
		if (path_matches(rev, i, path, begin))
			bits[IDX(i >> 6, LAYERED_PREDICATE_WORDS)] |= 1ULL << (i & 63);
	}
	XCHG(&buf->busy[IDX(level, LAYERED_PATH_NESTING)], 0);
	for (i = 0; i < LAYERED_PREDICATE_WORDS; i++)
		cache->bits[rev->publish & 1][i] = bits[i];
	XCHG(&cache->tag[rev->publish & 1], rev->publish);
	return true;
}

/* The cgroup's results for this revision; NULL if they cannot be had now. */
LAYERED_INLINE u64 *cgroup_bits(struct cgroup *cgrp, struct layered_revision *rev)
{
	struct cgroup_cache *cache = port_cgroup_cache(cgrp);
	u32 which = rev->publish & 1;

	if (!cache)
		return NULL;
	if (LAYERED_LOAD(cache->tag[which]) != rev->publish) {
		struct layered_cpu_ctx *cc = port_cpu_ctx(port_this_cpu());

		if (cc)
			STAT(cc, cgroup_misses);
		if (!evaluate_path(rev, port_cgroup_kn(cgrp), cache))
			return NULL;
	}
	return cache->bits[which];
}

/* For the hooks that meet a cgroup first: fills the entry of one revision if it is missing. */
LAYERED_INLINE void fill_cgroup(struct cgroup *cgrp, struct layered_revision *rev)
{
	struct cgroup_cache *cache;

	if (!rev || !(rev->attrs & LAYERED_ATTR_CGROUP))
		return;
	cache = port_cgroup_cache(cgrp);
	if (cache && LAYERED_LOAD(cache->tag[rev->publish & 1]) != rev->publish)
		evaluate_path(rev, port_cgroup_kn(cgrp), cache);
}

#endif /* LAYERED_BPF_CGROUP_BPF_H_ */
