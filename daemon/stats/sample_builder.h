// SPDX-License-Identifier: Apache-2.0
//
// One reading of the counters as messages. Subscribers of the same moment differ in filter and in
// the time since their previous sample only; those that do not differ share one message.
//
// Thread-safety: none; made and used by the sampler thread. The messages it returns are immutable.
// Ownership: borrows counters and context for its own life; messages own all they hold.

#ifndef LAYERED_DAEMON_STATS_SAMPLE_BUILDER_H_
#define LAYERED_DAEMON_STATS_SAMPLE_BUILDER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/scheduler/sched_backend.h"
#include "daemon/stats/sample_context.h"
#include "layered/v1/stats_service.pb.h"

namespace layered {

class SampleBuilder {
 public:
  SampleBuilder(const Counters& counters, const SampleContext& context)
      : counters_(counters), context_(context) {}

  // The sample for a subscriber whose previous sample was taken at `previous_ns` (none: its first)
  // and who wants these layers only (none: all). Unknown names are ignored. Layers come in match
  // order; a draining one is left out once it has no task.
  std::shared_ptr<const v1::WatchResponse> Build(std::optional<uint64_t> previous_ns,
                                                 const std::vector<std::string>& filter);

 private:
  using Key = std::pair<std::optional<uint64_t>, std::vector<std::string>>;

  const Counters& counters_;
  const SampleContext& context_;
  std::map<Key, std::shared_ptr<const v1::WatchResponse>> built_;
};

}  // namespace layered

#endif  // LAYERED_DAEMON_STATS_SAMPLE_BUILDER_H_
