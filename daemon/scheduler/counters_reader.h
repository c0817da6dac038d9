// SPDX-License-Identifier: Apache-2.0
//
// Sums what BPF counts per CPU and per LLC into one reading. Pure over the mapped memory, so tests
// run it on plain arrays.
//
// A reading is not a snapshot: CPUs go on counting while it is taken. Each word is read once and
// never torn; a "now" value can be off by what moved in between, and a sum of joins and leaves that
// comes out negative for that reason is shown as 0.
//
// Thread-safety: pure; the memory may change at any time.
// Ownership: borrows the memory.
// Failure: none.

#ifndef LAYERED_DAEMON_SCHEDULER_COUNTERS_READER_H_
#define LAYERED_DAEMON_SCHEDULER_COUNTERS_READER_H_

#include <cstdint>
#include <span>

#include "bpf/layered_shared.h"
#include "daemon/scheduler/sched_backend.h"

namespace layered {

// `time_ns` is CLOCK_MONOTONIC when the reading begins.
Counters SumCounters(uint64_t time_ns, std::span<const layered_cpu_ctx> cpus,
                     std::span<const layered_llc_ctx> llcs);

}  // namespace layered

#endif  // LAYERED_DAEMON_SCHEDULER_COUNTERS_READER_H_
