// SPDX-License-Identifier: Apache-2.0

#include "daemon/stats/sampler.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "daemon/base/fake_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr uint64_t kMs = 1'000'000;

// Only counts: slot 0 uses one CPU all the time, and every reading is counted.
class CountingBackend final : public SchedBackend {
 public:
  explicit CountingBackend(const Clock* clock) : clock_(clock) {}

  Counters ReadCounters() const override {
    readings_.fetch_add(1);
    Counters counters;
    counters.time_ns = clock_->MonotonicNs();
    counters.rows[0].cpu_ns = counters.time_ns;
    counters.rows[0].tasks = 1;
    return counters;
  }
  int readings() const { return readings_.load(); }

  absl::Status Load(const layered_topo&, uint64_t) override { return absl::OkStatus(); }
  absl::Status WritePlans(const std::vector<layered_plan_buf>&) override {
    return absl::OkStatus();
  }
  absl::Status Publish(const layered_revision&) override { return absl::OkStatus(); }
  absl::Status Attach() override { return absl::OkStatus(); }
  void Detach() override {}
  std::optional<SchedExit> Exit() const override { return std::nullopt; }
  uint32_t LivePublish() const override { return 0; }
  SchedEvents Events() const override { return {}; }
  std::vector<BpfProgram> Programs() const override { return {}; }
  std::vector<std::string> MissingHooks() const override { return {}; }

 private:
  const Clock* const clock_;
  mutable std::atomic<int> readings_{0};
};

// What one subscriber got.
class Inbox {
 public:
  SampleHub::Callback callback() {
    return [this](std::shared_ptr<const v1::WatchResponse> sample) {
      std::lock_guard<std::mutex> lock(mutex_);
      samples_.push_back(std::move(sample));
      changed_.notify_all();
    };
  }
  std::vector<std::shared_ptr<const v1::WatchResponse>> Await(size_t count) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return samples_.size() >= count; });
    return samples_;
  }
  size_t size() {
    std::lock_guard<std::mutex> lock(mutex_);
    return samples_.size();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::shared_ptr<const v1::WatchResponse>> samples_;
};

class SamplerTest : public testing::Test {
 protected:
  std::unique_ptr<SampleHub::Subscription> Subscribe(Sampler& sampler, Inbox& inbox,
                                                     uint64_t interval_ms,
                                                     std::vector<std::string> layers = {}) {
    auto subscription = sampler.Subscribe(
        {static_cast<int64_t>(interval_ms * kMs), std::move(layers)}, inbox.callback());
    EXPECT_TRUE(subscription.ok()) << subscription.status();
    return subscription.ok() ? *std::move(subscription) : nullptr;
  }

  // Moves time step by step, letting the sampler finish each.
  void Pass(uint64_t ms, uint64_t step_ms = 25) {
    for (uint64_t passed = 0; passed < ms; passed += step_ms) {
      clock_.AwaitWaiters(1);
      clock_.Advance(step_ms * kMs);
    }
    clock_.AwaitWaiters(1);
  }

  std::shared_ptr<const SampleContext> context_ = std::make_shared<SampleContext>(
      SampleContext{"i1", 3, 2, {{"web", 0, 1, 300, false}, {"default", 1, 1, 100, false}}});
  FakeClock clock_{1000 * kMs};
  CountingBackend backend_{&clock_};
  SampleContextSource source_ = [this] { return context_; };
};

TEST_F(SamplerTest, ReadsNothingWithoutSubscribers) {
  Sampler sampler(&backend_, &clock_, source_);
  Pass(10'000, 1000);
  EXPECT_EQ(backend_.readings(), 0);
}

TEST_F(SamplerTest, FirstSampleComesAtOnceThenOnePerInterval) {
  Sampler sampler(&backend_, &clock_, source_);
  Inbox inbox;
  const auto subscription = Subscribe(sampler, inbox, 1000);
  auto samples = inbox.Await(1);
  EXPECT_TRUE(samples[0]->first());
  EXPECT_EQ(samples[0]->time_ns(), 1000 * kMs);
  EXPECT_EQ(samples[0]->instance_id(), "i1");
  EXPECT_EQ(samples[0]->layers_size(), 2);
  Pass(3000);
  samples = inbox.Await(4);
  ASSERT_EQ(samples.size(), 4u);
  for (size_t i = 1; i < samples.size(); ++i) {
    EXPECT_FALSE(samples[i]->first());
    EXPECT_EQ(samples[i]->interval_ns(), 1000 * kMs);
    EXPECT_EQ(samples[i]->layers(0).cpu_ns() - samples[i - 1]->layers(0).cpu_ns(), 1000 * kMs);
  }
}

TEST_F(SamplerTest, EachSubscriberHasItsOwnIntervalFilterAndBaseline) {
  Sampler sampler(&backend_, &clock_, source_);
  Inbox slow, fast;
  const auto a = Subscribe(sampler, slow, 1000);
  slow.Await(1);
  Pass(500);
  const auto b = Subscribe(sampler, fast, 100, {"default"});
  EXPECT_TRUE(fast.Await(1)[0]->first());
  Pass(1000);
  EXPECT_EQ(slow.size(), 2u);
  ASSERT_EQ(fast.size(), 11u);
  EXPECT_EQ(slow.Await(2)[1]->interval_ns(), 1000 * kMs);
  const auto samples = fast.Await(11);
  EXPECT_EQ(samples[10]->interval_ns(), 100 * kMs);
  ASSERT_EQ(samples[10]->layers_size(), 1);
  EXPECT_EQ(samples[10]->layers(0).name(), "default");
}

TEST_F(SamplerTest, ReadingsAreSharedHoweverManySubscribe) {
  Sampler sampler(&backend_, &clock_, source_);
  std::vector<Inbox> inboxes(40);
  std::vector<std::unique_ptr<SampleHub::Subscription>> subscriptions;
  for (Inbox& inbox : inboxes) {
    subscriptions.push_back(Subscribe(sampler, inbox, 100));
    inbox.Await(1);
    clock_.AwaitWaiters(1);
    clock_.Advance(kMs);  // none is in step with another
  }
  Pass(10, 5);
  const int before = backend_.readings();
  Pass(2000, 5);
  EXPECT_LE(backend_.readings() - before, 2000 / 25);
  for (Inbox& inbox : inboxes) EXPECT_GE(inbox.size(), 20u);
}

TEST_F(SamplerTest, AnIntervalOffTheGridIsKeptOnAverage) {
  Sampler sampler(&backend_, &clock_, source_);
  Inbox inbox;
  const auto subscription = Subscribe(sampler, inbox, 130);
  inbox.Await(1);
  Pass(13'000);
  EXPECT_EQ(inbox.size(), 101u);
}

TEST_F(SamplerTest, WhatWasMissedIsNotMadeUpFor) {
  Sampler sampler(&backend_, &clock_, source_);
  Inbox inbox;
  const auto subscription = Subscribe(sampler, inbox, 100);
  inbox.Await(1);
  clock_.AwaitWaiters(1);
  clock_.Advance(1050 * kMs);  // the sampler thread did not get a CPU
  clock_.AwaitWaiters(1);
  auto samples = inbox.Await(2);
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[1]->interval_ns(), 1050 * kMs);
  clock_.Advance(50 * kMs);
  samples = inbox.Await(3);
  EXPECT_EQ(samples[2]->interval_ns(), 50 * kMs) << "back in step";
}

TEST_F(SamplerTest, ContextIsThatOfTheMomentAndNewGenerationsShow) {
  std::mutex mutex;
  Sampler sampler(&backend_, &clock_, [&] {
    std::lock_guard<std::mutex> lock(mutex);
    return context_;
  });
  Inbox inbox;
  const auto subscription = Subscribe(sampler, inbox, 100);
  EXPECT_EQ(inbox.Await(1)[0]->layers(0).generation(), 1u);
  {
    std::lock_guard<std::mutex> lock(mutex);
    context_ =
        std::make_shared<SampleContext>(SampleContext{"i1", 4, 2, {{"new", 0, 2, 7, false}}});
  }
  Pass(100);
  const auto sample = inbox.Await(2)[1];
  EXPECT_EQ(sample->revision(), 4u);
  ASSERT_EQ(sample->layers_size(), 1);
  EXPECT_EQ(sample->layers(0).name(), "new");
  EXPECT_EQ(sample->layers(0).generation(), 2u);
}

TEST_F(SamplerTest, WithoutAContextThereAreNoLayers) {
  Sampler sampler(&backend_, &clock_, [] { return nullptr; });
  Inbox inbox;
  const auto subscription = Subscribe(sampler, inbox, 100);
  EXPECT_EQ(inbox.Await(1)[0]->layers_size(), 0);
}

TEST_F(SamplerTest, TooManySubscribersAreRefusedWithTheLimit) {
  Sampler sampler(&backend_, &clock_, source_, 2);
  Inbox inbox;
  auto a = Subscribe(sampler, inbox, 1000);
  const auto b = Subscribe(sampler, inbox, 1000);
  const auto refused = sampler.Subscribe({}, inbox.callback());
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(refused.status().message()), HasSubstr("at most 2"));
  a.reset();
  EXPECT_TRUE(sampler.Subscribe({}, inbox.callback()).ok()) << "a place is free again";
}

TEST_F(SamplerTest, IntervalMustBePositive) {
  Sampler sampler(&backend_, &clock_, source_);
  for (int64_t interval : {int64_t{0}, int64_t{-1}}) {
    EXPECT_EQ(sampler.Subscribe({interval, {}}, [](auto) {}).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

TEST_F(SamplerTest, TheLongestIntervalDoesNotOverflow) {
  Sampler sampler(&backend_, &clock_, source_);
  Inbox inbox;
  const auto subscription = sampler.Subscribe({INT64_MAX, {}}, inbox.callback());
  ASSERT_TRUE(subscription.ok());
  inbox.Await(1);
  Pass(5000, 1000);
  EXPECT_EQ(backend_.readings(), 1);
}

TEST_F(SamplerTest, NoCallbackRunsAfterTheSubscriptionEnds) {
  Sampler sampler(&backend_, &clock_, source_);
  std::mutex mutex;
  std::condition_variable changed;
  bool inside = false, go_on = false;
  std::atomic<bool> done{false};
  auto subscription = sampler.Subscribe({100 * kMs, {}}, [&](auto) {
    std::unique_lock<std::mutex> lock(mutex);
    inside = true;
    changed.notify_all();
    changed.wait(lock, [&] { return go_on; });
    done = true;
  });
  ASSERT_TRUE(subscription.ok());
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return inside; });
  std::atomic<bool> ended{false};
  std::thread ender([&] {
    subscription->reset();
    EXPECT_TRUE(done) << "the destructor waits for the running callback";
    ended = true;
  });
  EXPECT_FALSE(ended);
  go_on = true;
  lock.unlock();
  changed.notify_all();
  ender.join();
  Pass(1000);
  EXPECT_EQ(backend_.readings(), 1);
}

TEST_F(SamplerTest, ACallbackMayEndItsOwnSubscription) {
  Sampler sampler(&backend_, &clock_, source_);
  std::mutex mutex;
  std::unique_ptr<SampleHub::Subscription> subscription;
  std::atomic<int> calls{0};
  {
    std::lock_guard<std::mutex> lock(mutex);  // the callback waits until `subscription` is set
    auto made = sampler.Subscribe({100 * kMs, {}}, [&](auto) {
      std::lock_guard<std::mutex> inner(mutex);
      subscription.reset();
      ++calls;
    });
    ASSERT_TRUE(made.ok());
    subscription = *std::move(made);
  }
  Pass(1000);
  EXPECT_EQ(calls, 1);
}

TEST_F(SamplerTest, WhatTheCallbackHoldsIsReleasedWithTheSubscription) {
  Sampler sampler(&backend_, &clock_, source_);
  auto held = std::make_shared<int>(1);
  std::weak_ptr<int> watch = held;
  auto subscription = sampler.Subscribe({100 * kMs, {}}, [held = std::move(held)](auto) {});
  ASSERT_TRUE(subscription.ok());
  Pass(200);
  EXPECT_FALSE(watch.expired());
  subscription->reset();
  EXPECT_TRUE(watch.expired());
}

TEST_F(SamplerTest, SubscriptionsMayOutliveTheSampler) {
  auto sampler = std::make_unique<Sampler>(&backend_, &clock_, source_);
  Inbox inbox;
  auto subscription = Subscribe(*sampler, inbox, 100);
  inbox.Await(1);
  sampler.reset();
  clock_.Advance(1000 * kMs);
  EXPECT_EQ(inbox.size(), 1u);
  subscription.reset();
}

TEST_F(SamplerTest, ManyThreadsComeAndGo) {
  SystemClock clock;
  CountingBackend backend(&clock);
  std::atomic<int> samples{0};
  {
    Sampler sampler(&backend, &clock, source_);
    std::vector<std::thread> threads;
    for (int id = 0; id < 4; ++id) {
      threads.emplace_back([&] {
        for (int round = 0; round < 50; ++round) {
          std::atomic<int> mine{0};
          auto subscription = sampler.Subscribe({static_cast<int64_t>(kMs), {}}, [&](auto) {
            ++mine;
            ++samples;
          });
          ASSERT_TRUE(subscription.ok());
          while (mine == 0 && round % 2 == 0) std::this_thread::yield();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_GE(samples, 100) << "every second round waited for one";
}

}  // namespace
}  // namespace layered
