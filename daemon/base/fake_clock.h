// SPDX-License-Identifier: Apache-2.0
//
// A clock that moves only when a test says so. Threads that wait in WaitUntil sleep on their own
// condition variable until Advance reaches their deadline (or somebody notifies them).
//
//   clock.AwaitWaiters(1);         // the loop under test has gone to sleep
//   clock.Advance(1'000'000'000);  // wakes it if its deadline is within that second
//
// Thread-safety: all methods may be called from any thread; Advance must not be called with a lock
// held that a waiter uses (it takes them one by one to be sure that no notification is lost).

#ifndef LAYERED_DAEMON_BASE_FAKE_CLOCK_H_
#define LAYERED_DAEMON_BASE_FAKE_CLOCK_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>

#include "daemon/base/clock.h"

namespace layered {

class FakeClock final : public Clock {
 public:
  // Monotonic time starts at `monotonic_ns`, wall-clock time at a fixed date plus the same.
  explicit FakeClock(uint64_t monotonic_ns = 1'000'000'000) : now_ns_(monotonic_ns) {}

  uint64_t MonotonicNs() const override;
  int64_t RealtimeNs() const override;
  bool WaitUntil(std::unique_lock<std::mutex>& lock, std::condition_variable& wakeup,
                 uint64_t deadline_ns) override;

  // Moves both clocks forward and wakes every waiter whose deadline is reached by it.
  void Advance(uint64_t ns);

  // Blocks until at least `count` threads wait. A waiter that Advance woke no longer counts, so
  // after Advance this returns once the woken loops are back asleep.
  void AwaitWaiters(size_t count) const;

  // The earliest deadline that somebody waits for; kNever if nobody does.
  uint64_t NextDeadlineNs() const;

 private:
  struct Waiter {
    std::mutex* mutex;
    std::condition_variable* wakeup;
    uint64_t deadline_ns;
    bool due = false;     // Advance has reached the deadline
    bool pinned = false;  // Advance is about to notify: mutex and wakeup must stay alive
  };

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;  // waiters_ or a pin
  uint64_t now_ns_;
  std::list<Waiter> waiters_;
};

}  // namespace layered

#endif  // LAYERED_DAEMON_BASE_FAKE_CLOCK_H_
