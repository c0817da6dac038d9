// SPDX-License-Identifier: Apache-2.0

#include "daemon/stats/sampler.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/base/diff.h"
#include "daemon/stats/sample_builder.h"
#include "daemon/stats/steady_counters.h"

namespace layered {
namespace {

struct Subscriber {
  SampleHub::Options options;
  SampleHub::Callback callback;
  uint64_t ideal_ns = 0;                // when the next sample would be due without the grid
  uint64_t due_ns = 0;                  // when it is
  std::optional<uint64_t> previous_ns;  // time of the previous sample; sampler thread only
  bool left = false;
};

uint64_t RoundUpToGrid(uint64_t ns) {
  return (ns + Sampler::kGridNs - 1) / Sampler::kGridNs * Sampler::kGridNs;
}

// Sets the due time after a sample at `now`. Whole intervals that have passed are skipped.
void Schedule(Subscriber& subscriber, uint64_t now) {
  const auto interval = static_cast<uint64_t>(subscriber.options.interval_ns);
  const uint64_t late = SaturatingSub(now, subscriber.ideal_ns);
  subscriber.ideal_ns += (late / interval + 1) * interval;
  subscriber.due_ns = RoundUpToGrid(subscriber.ideal_ns);
}

}  // namespace

// The subscribers and the loop over them. Subscriptions hold it too, so that one which outlives the
// Sampler still finds a list to leave.
class Sampler::Roll : public std::enable_shared_from_this<Roll> {
 public:
  Roll(const SchedBackend* backend, Clock* clock, SampleContextSource context,
       size_t max_subscribers)
      : backend_(backend),
        clock_(clock),
        context_(std::move(context)),
        max_subscribers_(max_subscribers) {}

  absl::StatusOr<std::unique_ptr<Subscription>> Join(Options options, Callback callback);
  void Leave(const std::shared_ptr<Subscriber>& subscriber);
  void Run();
  void Stop();

 private:
  class Membership;
  using Subscribers = std::vector<std::shared_ptr<Subscriber>>;

  uint64_t NextDueLocked() const;
  Subscribers TakeDueLocked(uint64_t now);
  void Serve(const Subscribers& due);
  void Deliver(Subscriber& subscriber, std::shared_ptr<const v1::WatchResponse> sample);

  const SchedBackend* const backend_;
  Clock* const clock_;
  const SampleContextSource context_;
  const size_t max_subscribers_;
  SteadyCounters steady_;  // sampler thread only

  std::mutex mutex_;
  std::condition_variable wakeup_;         // of the sampler thread
  std::condition_variable callback_done_;  // serving_ has changed
  Subscribers subscribers_;
  const Subscriber* serving_ = nullptr;  // whose callback runs now
  std::thread::id thread_;               // runs callbacks
  bool stopping_ = false;
};

class Sampler::Roll::Membership final : public Subscription {
 public:
  Membership(std::shared_ptr<Roll> roll, std::shared_ptr<Subscriber> subscriber)
      : roll_(std::move(roll)), subscriber_(std::move(subscriber)) {}
  ~Membership() override { roll_->Leave(subscriber_); }

 private:
  const std::shared_ptr<Roll> roll_;
  const std::shared_ptr<Subscriber> subscriber_;
};

absl::StatusOr<std::unique_ptr<SampleHub::Subscription>> Sampler::Roll::Join(Options options,
                                                                             Callback callback) {
  if (options.interval_ns <= 0) {
    return absl::InvalidArgumentError("a sampling interval of " +
                                      std::to_string(options.interval_ns) + " ns");
  }
  auto subscriber = std::make_shared<Subscriber>();
  subscriber->options = std::move(options);
  subscriber->callback = std::move(callback);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (stopping_) return absl::UnavailableError("statistics are shutting down");
    if (subscribers_.size() >= max_subscribers_) {
      return absl::ResourceExhaustedError("at most " + std::to_string(max_subscribers_) +
                                          " statistics streams are possible");
    }
    subscriber->ideal_ns = subscriber->due_ns = clock_->MonotonicNs();
    subscribers_.push_back(subscriber);
  }
  wakeup_.notify_one();
  return std::make_unique<Membership>(shared_from_this(), std::move(subscriber));
}

void Sampler::Roll::Leave(const std::shared_ptr<Subscriber>& subscriber) {
  Callback released;  // with all that it holds, without our lock
  std::unique_lock<std::mutex> lock(mutex_);
  subscriber->left = true;
  std::erase(subscribers_, subscriber);
  if (serving_ == subscriber.get()) {
    // A callback may end its own subscription: waiting for it would be for ever.
    if (std::this_thread::get_id() == thread_) return;
    callback_done_.wait(lock, [&] { return serving_ != subscriber.get(); });
  }
  released = std::move(subscriber->callback);
  lock.unlock();
}

void Sampler::Roll::Run() {
  std::unique_lock<std::mutex> lock(mutex_);
  thread_ = std::this_thread::get_id();
  while (!stopping_) {
    const uint64_t now = clock_->MonotonicNs();
    const uint64_t next = NextDueLocked();
    if (next > now) {
      clock_->WaitUntil(lock, wakeup_, next);
      continue;
    }
    const Subscribers due = TakeDueLocked(now);
    lock.unlock();
    Serve(due);
    lock.lock();
  }
  thread_ = std::thread::id();
}

void Sampler::Roll::Stop() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  wakeup_.notify_one();
}

uint64_t Sampler::Roll::NextDueLocked() const {
  uint64_t next = Clock::kNever;
  for (const auto& subscriber : subscribers_) next = std::min(next, subscriber->due_ns);
  return next;
}

Sampler::Roll::Subscribers Sampler::Roll::TakeDueLocked(uint64_t now) {
  Subscribers due;
  for (const auto& subscriber : subscribers_) {
    if (subscriber->due_ns > now) continue;
    Schedule(*subscriber, now);
    due.push_back(subscriber);
  }
  return due;
}

void Sampler::Roll::Serve(const Subscribers& due) {
  static const SampleContext kNothingYet;
  const std::shared_ptr<const SampleContext> context = context_();
  const Counters counters = steady_.Continue(backend_->ReadCounters());
  SampleBuilder builder(counters, context != nullptr ? *context : kNothingYet);
  for (const auto& subscriber : due) {
    Deliver(*subscriber, builder.Build(subscriber->previous_ns, subscriber->options.layers));
    subscriber->previous_ns = counters.time_ns;
  }
}

void Sampler::Roll::Deliver(Subscriber& subscriber,
                            std::shared_ptr<const v1::WatchResponse> sample) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (subscriber.left || stopping_) return;
    serving_ = &subscriber;
  }
  subscriber.callback(std::move(sample));
  {
    std::lock_guard<std::mutex> lock(mutex_);
    serving_ = nullptr;
  }
  callback_done_.notify_all();
}

Sampler::Sampler(const SchedBackend* backend, Clock* clock, SampleContextSource context,
                 size_t max_subscribers)
    : roll_(std::make_shared<Roll>(backend, clock, std::move(context), max_subscribers)),
      thread_([roll = roll_.get()] { roll->Run(); }) {}

Sampler::~Sampler() {
  roll_->Stop();
  thread_.join();
}

absl::StatusOr<std::unique_ptr<SampleHub::Subscription>> Sampler::Subscribe(Options options,
                                                                            Callback callback) {
  return roll_->Join(std::move(options), std::move(callback));
}

}  // namespace layered
