// SPDX-License-Identifier: Apache-2.0
//
// Time as the daemon sees it. Everything that measures, waits or stamps goes through a Clock, so
// that a test can move time by hand (fake_clock.h).
//
// Monotonic time is CLOCK_MONOTONIC in ns, the clock that BPF reads too: samples and kernel records
// compare directly. Wall-clock time is only for people.
//
// Thread-safety: all methods may be called from any thread.
// Ownership: a Clock outlives everything that was given a pointer to it.
// Failure: none; both clocks exist on every kernel that we run on.

#ifndef LAYERED_DAEMON_BASE_CLOCK_H_
#define LAYERED_DAEMON_BASE_CLOCK_H_

#include <condition_variable>
#include <cstdint>
#include <limits>
#include <mutex>

namespace layered {

class Clock {
 public:
  // A deadline that never comes.
  static constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

  virtual ~Clock() = default;

  // CLOCK_MONOTONIC, ns.
  virtual uint64_t MonotonicNs() const = 0;

  // CLOCK_REALTIME, ns since 1970. May jump; never used for differences.
  virtual int64_t RealtimeNs() const = 0;

  // Waits on `wakeup` until it is notified or monotonic time reaches `deadline_ns`. `lock` is held
  // by the caller, released while waiting and held again on return. May return early for no reason:
  // call it in a loop that looks at its own condition. True if the deadline has been reached.
  virtual bool WaitUntil(std::unique_lock<std::mutex>& lock, std::condition_variable& wakeup,
                         uint64_t deadline_ns) = 0;
};

// The machine's clocks.
class SystemClock final : public Clock {
 public:
  uint64_t MonotonicNs() const override;
  int64_t RealtimeNs() const override;
  bool WaitUntil(std::unique_lock<std::mutex>& lock, std::condition_variable& wakeup,
                 uint64_t deadline_ns) override;
};

}  // namespace layered

#endif  // LAYERED_DAEMON_BASE_CLOCK_H_
