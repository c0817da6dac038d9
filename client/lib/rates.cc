// SPDX-License-Identifier: Apache-2.0

#include "client/lib/rates.h"

#include <algorithm>

namespace layered::client {
namespace {

const v1::LayerStats* FindSame(const v1::WatchResponse& sample, const v1::LayerStats& layer) {
  for (const v1::LayerStats& other : sample.layers()) {
    if (other.slot() == layer.slot() && other.generation() == layer.generation() &&
        other.name() == layer.name()) {
      return &other;
    }
  }
  return nullptr;
}

}  // namespace

std::optional<Rates> RatesBetween(const v1::WatchResponse& earlier,
                                  const v1::WatchResponse& later) {
  if (later.first() || later.instance_id() != earlier.instance_id() ||
      later.time_ns() <= earlier.time_ns()) {
    return std::nullopt;
  }
  const double interval_ns = static_cast<double>(later.time_ns() - earlier.time_ns());
  Rates rates;
  rates.seconds = interval_ns / 1e9;
  for (const v1::LayerStats& layer : later.layers()) {
    LayerRate rate{.now = layer, .cpus = std::nullopt, .share = std::nullopt};
    if (const v1::LayerStats* const before = FindSame(earlier, layer)) {
      const uint64_t used =
          layer.cpu_ns() > before->cpu_ns() ? layer.cpu_ns() - before->cpu_ns() : 0;
      // A layer cannot use more than the machine has; the counters of CPUs are read one by one.
      const double most = std::max(1u, later.machine().cpus());
      rate.cpus = std::min(static_cast<double>(used) / interval_ns, most);
      rates.cpus += *rate.cpus;
    }
    rates.layers.push_back(std::move(rate));
  }
  for (LayerRate& rate : rates.layers) {
    if (rate.cpus) rate.share = rates.cpus > 0 ? *rate.cpus / rates.cpus : 0;
  }
  return rates;
}

}  // namespace layered::client
