// SPDX-License-Identifier: Apache-2.0

#include "daemon/base/clock.h"

#include <time.h>

#include <algorithm>
#include <chrono>

namespace layered {
namespace {

int64_t ReadNs(clockid_t id) {
  timespec now{};
  clock_gettime(id, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

uint64_t SystemClock::MonotonicNs() const { return static_cast<uint64_t>(ReadNs(CLOCK_MONOTONIC)); }

int64_t SystemClock::RealtimeNs() const { return ReadNs(CLOCK_REALTIME); }

bool SystemClock::WaitUntil(std::unique_lock<std::mutex>& lock, std::condition_variable& wakeup,
                            uint64_t deadline_ns) {
  // One wait is at most an hour: steady_clock counts in int64 and cannot hold kNever.
  constexpr uint64_t kLongestWaitNs = 3'600'000'000'000;
  const uint64_t now = MonotonicNs();
  if (now >= deadline_ns) return true;
  const auto wait = std::chrono::nanoseconds(std::min(deadline_ns - now, kLongestWaitNs));
  wakeup.wait_until(lock, std::chrono::steady_clock::now() + wait);
  return MonotonicNs() >= deadline_ns;
}

}  // namespace layered
