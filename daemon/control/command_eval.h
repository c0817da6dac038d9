// SPDX-License-Identifier: Apache-2.0
//
// What a command makes of the current layers: the decision behind every change, without threads,
// kernel or clock.
//
// Thread-safety: pure functions.
// Failure: INVALID_ARGUMENT with all violations, ABORTED when the etag names another state,
// NOT_FOUND, FAILED_PRECONDITION; nothing is changed then.

#ifndef LAYERED_DAEMON_CONTROL_COMMAND_EVAL_H_
#define LAYERED_DAEMON_CONTROL_COMMAND_EVAL_H_

#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "daemon/control/layer_store.h"
#include "layered/v1/layer.pb.h"

namespace layered {

// The outcome of a command that is not refused.
struct Evaluation {
  v1::LayerSet layers;
  bool unchanged = false;    // equal to the current layers: no revision is made
  std::string reason;        // for the revision
  std::string method;        // "SetLayer web"; for the log
  bool from_config = false;  // the layers now are those of the config file
};

// `live_changes` holds the names of layers that were set or deleted since the config was read; a
// Replace names in its reason which of them it drops.
absl::StatusOr<Evaluation> EvaluateCommand(const Revision& current,
                                           const std::set<std::string>& live_changes,
                                           const Command& command);

// The etag of revision `number` of this start of the daemon.
std::string MakeEtag(const std::string& instance_id, uint64_t number);

// "uid=0 pid=12 comm=layeredctl".
std::string ToString(const Author& author);

}  // namespace layered

#endif  // LAYERED_DAEMON_CONTROL_COMMAND_EVAL_H_
