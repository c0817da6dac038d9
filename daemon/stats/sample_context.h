// SPDX-License-Identifier: Apache-2.0
//
// What the control side tells the sampler: whose counters the numbers are. BPF counts by slot and
// knows no names.
//
// Thread-safety: plain data; handed over as an immutable snapshot.

#ifndef LAYERED_DAEMON_STATS_SAMPLE_CONTEXT_H_
#define LAYERED_DAEMON_STATS_SAMPLE_CONTEXT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace layered {

// A layer and its place in the kernel.
struct SampledLayer {
  std::string name;
  uint32_t slot = 0;        // below LAYERED_MAX_SLOTS
  uint32_t generation = 0;  // the counters belong to this one
  uint32_t weight = 0;      // as desired; `revision` tells what is in force
  bool draining = false;
};

struct SampleContext {
  std::string instance_id;           // of this start of the daemon
  uint64_t revision = 0;             // observed in the kernel; 0 if none is
  uint32_t cpus = 0;                 // online
  std::vector<SampledLayer> layers;  // in match order, then the draining ones
};

// The context at the time of the call; null before there is one. Called on the sampler thread, must
// not block.
using SampleContextSource = std::function<std::shared_ptr<const SampleContext>()>;

}  // namespace layered

#endif  // LAYERED_DAEMON_STATS_SAMPLE_CONTEXT_H_
