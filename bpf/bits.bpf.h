/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bit searches in words and 128-bit bitmaps, minima: in the form that every supported compiler can
 * make, and without branches where the verifier would follow both sides.
 */
#ifndef LAYERED_BPF_BITS_BPF_H_
#define LAYERED_BPF_BITS_BPF_H_

#include "bpf/port.h"

/* De Bruijn sequence: multiplying by 1 << i puts i's row number into the top six bits. */
#define LAYERED_DEBRUIJN 0x03f79d71b4cb0a89ULL
static const u8 debruijn_row[64] = {
	0,  1,	48, 2,	57, 49, 28, 3,	61, 58, 50, 42, 38, 29, 17, 4,	62, 55, 59, 36, 53, 51,
	43, 22, 45, 39, 33, 30, 24, 18, 12, 5,	63, 47, 56, 27, 60, 41, 37, 16, 54, 35, 52, 21,
	44, 32, 23, 11, 46, 26, 40, 15, 34, 20, 31, 10, 25, 14, 19, 9,	13, 8,	7,  6,
};

/* Number of the lowest bit that is set; x is not 0. */
LAYERED_INLINE u32 ctz64(u64 x)
{
	u64 row = ((x & -x) * LAYERED_DEBRUIJN) >> 58;

	/* Else the compiler knows the result and drops the mask that the verifier needs. */
	LAYERED_OPAQUE(row);
	return debruijn_row[row & 63] & 63;
}

/* Smaller and larger of two numbers less than 2^63 apart; no branch. */
LAYERED_INLINE s64 min64(s64 a, s64 b)
{
	s64 less = (a - b) >> 63;

	LAYERED_OPAQUE(less);
	return b + ((a - b) & less);
}

LAYERED_INLINE s64 max64(s64 a, s64 b)
{
	return a + b - min64(a, b);
}

/* All ones if bit number `bit` of a 128-bit bitmap is in its second word; no branch. */
LAYERED_INLINE u64 second_word(u32 bit)
{
	u64 mask = -(u64)((bit >> 6) & 1);

	LAYERED_OPAQUE(mask);
	return mask;
}

LAYERED_INLINE bool test_bit128(u64 w0, u64 w1, u32 bit)
{
	u64 second = second_word(bit);

	return (((w0 & ~second) | (w1 & second)) >> (bit & 63)) & 1;
}

LAYERED_INLINE void clear_bit128(u64 *w0, u64 *w1, u32 bit)
{
	u64 second = second_word(bit), mask = 1ULL << (bit & 63);

	*w0 &= ~(mask & ~second);
	*w1 &= ~(mask & second);
}

/*
 * First set bit of {w0, w1} at or after `from`, going round; 128 if there is none. Global: its
 * branches are verified once, not at each call.
 */
LAYERED_GLOBAL u32 next_bit128(u64 w0, u64 w1, u32 from)
{
	u64 mask = ~0ULL << (from & 63);

	if (from & 64) {
		if (w1 & mask)
			return 64 + ctz64(w1 & mask);
		if (w0)
			return ctz64(w0);
		return w1 ? 64 + ctz64(w1) : 128;
	}
	if (w0 & mask)
		return ctz64(w0 & mask);
	if (w1)
		return 64 + ctz64(w1);
	return w0 ? ctz64(w0) : 128;
}

#endif /* LAYERED_BPF_BITS_BPF_H_ */
