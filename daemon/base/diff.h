// SPDX-License-Identifier: Apache-2.0
//
// Differences of unsigned counters and times that never underflow: one that would be negative is 0.
// A plain `a - b` of two readings that may come from different CPUs, or from before and after a
// restart, turns a step back of 1 into 18 quintillion.
//
// Thread-safety: pure functions.

#ifndef LAYERED_DAEMON_BASE_DIFF_H_
#define LAYERED_DAEMON_BASE_DIFF_H_

#include <cstdint>

namespace layered {

// a - b, at least 0. For points in time and deadlines (also Clock::kNever).
constexpr uint64_t SaturatingSub(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

}  // namespace layered

#endif  // LAYERED_DAEMON_BASE_DIFF_H_
