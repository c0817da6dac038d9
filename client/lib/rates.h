// SPDX-License-Identifier: Apache-2.0
//
// From cumulative counters to rates: what a layer used between two samples. Pure; never NaN,
// infinite or negative, whatever the samples say (a counter that went backwards, no time between
// them, a slot that changed hands).
//
// Thread-safety: pure functions.

#ifndef LAYERED_CLIENT_LIB_RATES_H_
#define LAYERED_CLIENT_LIB_RATES_H_

#include <optional>
#include <string>
#include <vector>

#include "layered/v1/stats_service.pb.h"

namespace layered::client {

// One layer between two samples.
struct LayerRate {
  v1::LayerStats now;
  // CPUs' worth of time it used. None if the earlier sample does not hold the same layer (new, or
  // its slot changed hands): there is nothing to take a difference with.
  std::optional<double> cpus;
  // Of the CPU time that all layers with a known rate used, 0..1. They sum to 1, or are all 0.
  std::optional<double> share;
};

struct Rates {
  double seconds = 0;             // between the samples
  double cpus = 0;                // used by all layers
  std::vector<LayerRate> layers;  // in the order of the later sample
};

// None if there are no rates between these samples: the later one is the first of a stream, comes
// from another instance of the daemon, or is not later.
std::optional<Rates> RatesBetween(const v1::WatchResponse& earlier, const v1::WatchResponse& later);

}  // namespace layered::client

#endif  // LAYERED_CLIENT_LIB_RATES_H_
