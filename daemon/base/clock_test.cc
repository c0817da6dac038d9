// SPDX-License-Identifier: Apache-2.0

#include "daemon/base/clock.h"

#include <atomic>
#include <thread>

#include "daemon/base/fake_clock.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

// A loop as the daemon's threads have it: counts how often its deadline came.
class Loop {
 public:
  Loop(Clock* clock, uint64_t deadline_ns)
      : thread_([this, clock, deadline_ns] {
          uint64_t deadline = deadline_ns;
          std::unique_lock<std::mutex> lock(mutex_);
          while (!stop_) {
            if (!clock->WaitUntil(lock, wakeup_, deadline)) continue;
            ticks_.fetch_add(1);
            deadline += deadline_ns;
          }
        }) {}
  ~Loop() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      stop_ = true;
    }
    wakeup_.notify_all();
    thread_.join();
  }
  int ticks() const { return ticks_.load(); }
  void Nudge() { wakeup_.notify_all(); }

 private:
  std::mutex mutex_;
  std::condition_variable wakeup_;
  bool stop_ = false;
  std::atomic<int> ticks_{0};
  std::thread thread_;  // last: uses the others
};

TEST(SystemClock, NeverGoesBack) {
  SystemClock clock;
  uint64_t before = clock.MonotonicNs();
  for (int i = 0; i < 1000; ++i) {
    const uint64_t now = clock.MonotonicNs();
    EXPECT_GE(now, before);
    before = now;
  }
  EXPECT_GT(clock.RealtimeNs(), 1'600'000'000'000'000'000);
}

TEST(SystemClock, WaitsForTheDeadline) {
  SystemClock clock;
  std::mutex mutex;
  std::condition_variable wakeup;
  std::unique_lock<std::mutex> lock(mutex);
  const uint64_t deadline = clock.MonotonicNs() + 2'000'000;
  while (!clock.WaitUntil(lock, wakeup, deadline)) {
  }
  EXPECT_GE(clock.MonotonicNs(), deadline);
  EXPECT_TRUE(lock.owns_lock());
  EXPECT_TRUE(clock.WaitUntil(lock, wakeup, 0)) << "a past deadline does not wait";
}

TEST(SystemClock, NotificationEndsAnEndlessWait) {
  SystemClock clock;
  std::mutex mutex;
  std::condition_variable wakeup;
  bool ready = false;
  std::thread other([&] {
    std::lock_guard<std::mutex> lock(mutex);
    ready = true;
    wakeup.notify_all();
  });
  {
    std::unique_lock<std::mutex> lock(mutex);
    while (!ready) EXPECT_FALSE(clock.WaitUntil(lock, wakeup, Clock::kNever));
  }
  other.join();
}

TEST(FakeClock, MovesOnlyByHand) {
  FakeClock clock(5);
  EXPECT_EQ(clock.MonotonicNs(), 5u);
  const int64_t wall = clock.RealtimeNs();
  clock.Advance(10);
  EXPECT_EQ(clock.MonotonicNs(), 15u);
  EXPECT_EQ(clock.RealtimeNs() - wall, 10);
  EXPECT_EQ(clock.NextDeadlineNs(), Clock::kNever);
}

TEST(FakeClock, WakesWhenTheDeadlineIsReachedAndNotBefore) {
  FakeClock clock(0);
  Loop loop(&clock, 100);
  clock.AwaitWaiters(1);
  EXPECT_EQ(clock.NextDeadlineNs(), 100u);
  clock.Advance(99);
  EXPECT_EQ(loop.ticks(), 0);
  clock.Advance(1);
  clock.AwaitWaiters(1);
  EXPECT_EQ(loop.ticks(), 1);
  EXPECT_EQ(clock.NextDeadlineNs(), 200u);
}

TEST(FakeClock, LosesNoTick) {
  FakeClock clock(0);
  Loop loop(&clock, 1);
  for (int i = 1; i <= 2000; ++i) {
    clock.AwaitWaiters(1);
    clock.Advance(1);
  }
  clock.AwaitWaiters(1);
  EXPECT_EQ(loop.ticks(), 2000);
}

TEST(FakeClock, AdvanceRacesWithForeignNotificationsAndLeavingWaiters) {
  FakeClock clock(0);
  for (int round = 0; round < 200; ++round) {
    Loop one(&clock, 3);
    Loop two(&clock, 2);
    std::thread nudge([&] {
      for (int i = 0; i < 20; ++i) one.Nudge();
    });
    for (int i = 0; i < 6; ++i) clock.Advance(1);
    nudge.join();
  }  // destructors end loops that an Advance may just have woken
  EXPECT_EQ(clock.NextDeadlineNs(), Clock::kNever);
}

}  // namespace
}  // namespace layered
