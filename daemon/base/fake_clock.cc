// SPDX-License-Identifier: Apache-2.0

#include "daemon/base/fake_clock.h"

#include <algorithm>
#include <vector>

namespace layered {

uint64_t FakeClock::MonotonicNs() const {
  std::lock_guard<std::mutex> hold(mutex_);
  return now_ns_;
}

int64_t FakeClock::RealtimeNs() const {
  constexpr int64_t kDate = 1'700'000'000'000'000'000;  // some day in 2023
  return kDate + static_cast<int64_t>(MonotonicNs());
}

bool FakeClock::WaitUntil(std::unique_lock<std::mutex>& lock, std::condition_variable& wakeup,
                          uint64_t deadline_ns) {
  std::list<Waiter>::iterator self;
  {
    std::lock_guard<std::mutex> hold(mutex_);
    if (now_ns_ >= deadline_ns) return true;
    waiters_.push_back({lock.mutex(), &wakeup, deadline_ns});
    self = std::prev(waiters_.end());
    changed_.notify_all();
  }
  wakeup.wait(lock);
  // Without the caller's lock: an Advance that has pinned this waiter still wants to take it.
  lock.unlock();
  bool reached;
  {
    std::unique_lock<std::mutex> hold(mutex_);
    changed_.wait(hold, [&] { return !self->pinned; });
    waiters_.erase(self);
    reached = now_ns_ >= deadline_ns;
    changed_.notify_all();
  }
  lock.lock();
  return reached;
}

void FakeClock::Advance(uint64_t ns) {
  std::vector<std::list<Waiter>::iterator> due;
  {
    std::lock_guard<std::mutex> hold(mutex_);
    now_ns_ += ns;
    for (auto it = waiters_.begin(); it != waiters_.end(); ++it) {
      if (it->due || it->deadline_ns > now_ns_) continue;
      it->due = true;
      it->pinned = true;
      due.push_back(it);
    }
  }
  for (auto it : due) {
    // Whoever holds the mutex has registered but not slept yet; once we get it, they sleep.
    { std::lock_guard<std::mutex> asleep(*it->mutex); }
    it->wakeup->notify_all();
    std::lock_guard<std::mutex> hold(mutex_);
    it->pinned = false;
    changed_.notify_all();
  }
}

void FakeClock::AwaitWaiters(size_t count) const {
  std::unique_lock<std::mutex> hold(mutex_);
  changed_.wait(hold, [&] {
    return static_cast<size_t>(std::count_if(waiters_.begin(), waiters_.end(),
                                             [](const Waiter& w) { return !w.due; })) >= count;
  });
}

uint64_t FakeClock::NextDeadlineNs() const {
  std::lock_guard<std::mutex> hold(mutex_);
  uint64_t next = kNever;
  for (const Waiter& waiter : waiters_) {
    if (!waiter.due) next = std::min(next, waiter.deadline_ns);
  }
  return next;
}

}  // namespace layered
