// SPDX-License-Identifier: Apache-2.0
//
// The one reader of the kernel's counters. A thread sleeps until a subscriber's sample is due,
// reads once for all that are due, and hands each its own message. Without subscribers nothing is
// read.
//
// A subscriber's first sample comes at once, the following ones at its own interval, counted from
// its first. Due times are rounded up to a grid of kGridNs, so that the number of readings per
// second is bounded however many subscribers there are; interval_ns in a sample is the true one. A
// subscriber that could not be served in time misses samples, they are not made up for.
//
// A layer whose slot has been given to another carries a new generation: counters of different
// generations must not be subtracted from each other.
//
// Thread-safety: all methods may be called from any thread. Callbacks run on the sampler thread.
// Ownership: borrows backend and clock. Subscriptions may outlive the Sampler; they fall silent.
// Failure: RESOURCE_EXHAUSTED with the limit when there are too many subscribers, INVALID_ARGUMENT
// for an interval that is not positive, UNAVAILABLE once the Sampler is gone.

#ifndef LAYERED_DAEMON_STATS_SAMPLER_H_
#define LAYERED_DAEMON_STATS_SAMPLER_H_

#include <cstddef>
#include <memory>
#include <thread>

#include "absl/status/statusor.h"
#include "daemon/base/clock.h"
#include "daemon/scheduler/sched_backend.h"
#include "daemon/stats/sample_context.h"
#include "daemon/stats/sample_hub.h"

namespace layered {

class Sampler final : public SampleHub {
 public:
  static constexpr size_t kMaxSubscribers = 1024;
  static constexpr uint64_t kGridNs = 25'000'000;

  // Starts the thread.
  Sampler(const SchedBackend* backend, Clock* clock, SampleContextSource context,
          size_t max_subscribers = kMaxSubscribers);

  // Stops the thread; waits for the callback that may be running.
  ~Sampler() override;

  absl::StatusOr<std::unique_ptr<Subscription>> Subscribe(Options options,
                                                          Callback callback) override;

 private:
  class Roll;

  const std::shared_ptr<Roll> roll_;  // shared with the subscriptions
  std::thread thread_;
};

}  // namespace layered

#endif  // LAYERED_DAEMON_STATS_SAMPLER_H_
