// SPDX-License-Identifier: Apache-2.0
//
// A histogram of latencies: four buckets per power of two, so that a bucket's upper bound is at
// most a quarter above its lower one, over the whole range of u64. 2 KiB, no allocation, no lock.
//
// Thread-safety: all methods may be called from any thread. A reading that runs beside Record sees
// each recorded value at most once and may miss the newest.
// Failure: none.

#ifndef LAYERED_DAEMON_STATS_HISTOGRAM_H_
#define LAYERED_DAEMON_STATS_HISTOGRAM_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace layered {

class Histogram {
 public:
  // Values 0..3 have a bucket each, then come four per power of two from 4 = 2^2 to 2^63.
  static constexpr size_t kBuckets = 4 + 4 * 62;

  // The bucket that holds the value.
  static size_t BucketOf(uint64_t ns);

  // Largest value of a bucket.
  static uint64_t UpperBound(size_t bucket);

  // Counts one latency.
  void Record(uint64_t ns);

  // Number of recorded values.
  uint64_t Count() const;

  // Upper bound of the bucket that holds the value at `percent` (0..100) of the sorted values, but
  // no more than Max(): the true one is at most a quarter smaller. 0 without values.
  uint64_t Percentile(double percent) const;

  // The largest recorded value, exact. 0 without values.
  uint64_t Max() const { return max_.load(std::memory_order_relaxed); }

 private:
  std::array<std::atomic<uint64_t>, kBuckets> buckets_{};
  std::atomic<uint64_t> max_{0};
};

}  // namespace layered

#endif  // LAYERED_DAEMON_STATS_HISTOGRAM_H_
