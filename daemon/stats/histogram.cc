// SPDX-License-Identifier: Apache-2.0

#include "daemon/stats/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace layered {

size_t Histogram::BucketOf(uint64_t ns) {
  if (ns < 4) return ns;
  const int exponent = std::bit_width(ns) - 1;  // 2..63
  const uint64_t quarter = (ns >> (exponent - 2)) & 3;
  return static_cast<size_t>(exponent - 1) * 4 + quarter;
}

uint64_t Histogram::UpperBound(size_t bucket) {
  if (bucket < 4) return bucket;
  const size_t exponent = bucket / 4 + 1;
  const uint64_t width = uint64_t{1} << (exponent - 2);
  // For the last bucket the sum wraps to 0, and 0 - 1 is the largest value.
  return (4 + bucket % 4 + 1) * width - 1;
}

void Histogram::Record(uint64_t ns) {
  uint64_t max = max_.load(std::memory_order_relaxed);
  while (ns > max && !max_.compare_exchange_weak(max, ns, std::memory_order_relaxed)) {
  }
  // After the maximum, so that who sees the value sees a maximum that covers it.
  buckets_[BucketOf(ns)].fetch_add(1, std::memory_order_release);
}

uint64_t Histogram::Count() const {
  uint64_t count = 0;
  for (const auto& bucket : buckets_) count += bucket.load(std::memory_order_relaxed);
  return count;
}

uint64_t Histogram::Percentile(double percent) const {
  std::array<uint64_t, kBuckets> counts;
  uint64_t count = 0;
  for (size_t i = 0; i < kBuckets; ++i) {
    counts[i] = buckets_[i].load(std::memory_order_acquire);
    count += counts[i];
  }
  if (count == 0) return 0;
  const double share = std::clamp(percent, 0.0, 100.0) / 100.0;
  const auto wanted = static_cast<uint64_t>(std::ceil(share * static_cast<double>(count)));
  const uint64_t rank = std::clamp<uint64_t>(wanted, 1, count);
  uint64_t seen = 0;
  size_t bucket = 0;
  for (; bucket < kBuckets; ++bucket) {
    seen += counts[bucket];
    if (seen >= rank) break;
  }
  return std::min(UpperBound(bucket), Max());
}

}  // namespace layered
