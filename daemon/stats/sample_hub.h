// SPDX-License-Identifier: Apache-2.0
//
// Fan-out of samples: one sampler reads the kernel's counters, each subscriber gets its own
// interval, filter and previous sample. A slow subscriber loses samples, never slows the sampler.
//
// Thread-safety: all methods may be called from any thread. Callbacks run on the sampler thread
// and must not block (hand over, start a write elsewhere).
// Ownership: a Subscription unsubscribes when destroyed; after its destructor no callback runs.

#ifndef LAYERED_DAEMON_STATS_SAMPLE_HUB_H_
#define LAYERED_DAEMON_STATS_SAMPLE_HUB_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "layered/v1/stats_service.pb.h"

namespace layered {

class SampleHub {
 public:
  struct Options {
    int64_t interval_ns = 1'000'000'000;
    std::vector<std::string> layers;  // empty: all
  };
  // A sample for this subscriber: time, first, interval, layers and machine are set; gap is the
  // subscriber's own business (it knows what it dropped).
  using Callback = std::function<void(std::shared_ptr<const v1::WatchResponse>)>;

  class Subscription {
   public:
    virtual ~Subscription() = default;
  };

  virtual ~SampleHub() = default;

  // The first sample comes at once. RESOURCE_EXHAUSTED when there are too many subscribers.
  virtual absl::StatusOr<std::unique_ptr<Subscription>> Subscribe(Options options,
                                                                  Callback callback) = 0;
};

}  // namespace layered

#endif  // LAYERED_DAEMON_STATS_SAMPLE_HUB_H_
