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

// How far a cumulative counter went from `before` to `now`, at least 0, also when it wrapped in
// between: a difference of 2^63 or more is read as a step back.
constexpr uint64_t CounterDelta(uint64_t now, uint64_t before) {
  const uint64_t delta = now - before;
  return static_cast<int64_t>(delta) < 0 ? 0 : delta;
}

}  // namespace layered

#endif  // LAYERED_DAEMON_BASE_DIFF_H_
