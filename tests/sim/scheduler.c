// SPDX-License-Identifier: GPL-2.0-only
//
// The whole scheduler as one C11 translation unit, and names for those inline functions that tests
// want to call. That this file compiles without a warning is a test of its own.

#include "tests/sim/scheduler.h"

#include "bpf/layered.bpf.c"

u32 sim_ctz64(u64 x) { return ctz64(x); }

bool sim_test_bit128(u64 w0, u64 w1, u32 bit) { return test_bit128(w0, w1, bit); }

void sim_clear_bit128(u64* w0, u64* w1, u32 bit) { clear_bit128(w0, w1, bit); }

u64 sim_dsq_id(u32 row, u32 llc) { return dsq_id(row, llc); }

u32 sim_word_slot(u64 word) { return word_slot(word); }

u32 sim_choose_slot(u32 cpu, u64 w0, u64 w1, u32 prev_slot) {
  struct layered_cpu_ctx* cc = port_cpu_ctx(cpu);
  cc->prev_slot = prev_slot;
  return choose_slot(cc, port_revision(0), w0, w1);
}

u32 sim_nearest_llc(u32 cpu, u64 w0, u64 w1) { return nearest_llc(port_cpu_ctx(cpu), w0, w1); }
