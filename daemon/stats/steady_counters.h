// SPDX-License-Identifier: Apache-2.0
//
// Keeps cumulative counters cumulative when the scheduler is loaded anew within one run of the
// daemon: the kernel's counters then start at 0, ours go on from where they were. So a reader who
// takes differences never meets a step back, which would look like an absurd rate or an underflow.
//
// Thread-safety: none; used by the sampler thread only.
// Failure: counts of a scheduler that was loaded and ended between two readings are lost; what it
// counted after the last reading cannot be known.

#ifndef LAYERED_DAEMON_STATS_STEADY_COUNTERS_H_
#define LAYERED_DAEMON_STATS_STEADY_COUNTERS_H_

#include "daemon/scheduler/sched_backend.h"

namespace layered {

class SteadyCounters {
 public:
  // The reading with what earlier loads of the scheduler had counted added. Numbers that tell of
  // now (tasks, queued, running) and the time pass unchanged.
  Counters Continue(const Counters& reading);

 private:
  Counters last_;  // the reading before
  Counters base_;  // sum of the last readings of earlier loads
};

}  // namespace layered

#endif  // LAYERED_DAEMON_STATS_STEADY_COUNTERS_H_
