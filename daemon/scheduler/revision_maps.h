// SPDX-License-Identifier: Apache-2.0
//
// Brings a revision into force: a fresh map is filled in place, frozen, and put into the array of
// maps with one update. Ops that start after the update see all of it, ops that run see all of the
// old one. A published map is never written again.
//
// Thread-safety: one thread at a time (the publisher).
// Ownership: keeps the maps of the last kKept revisions alive; borrows the array.
// Failure: each step is named. Whatever fails before the last update leaves the old revision in
// force.

#ifndef LAYERED_DAEMON_SCHEDULER_REVISION_MAPS_H_
#define LAYERED_DAEMON_SCHEDULER_REVISION_MAPS_H_

#include <deque>
#include <functional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bpf/layered_shared.h"
#include "daemon/base/unique_fd.h"

namespace layered {

class RevisionMaps {
 public:
  // Instant rollback needs the newest of the past.
  static constexpr size_t kKept = 4;

  // `revisions_fd` is the array of maps. `prepare` runs while the revision is the candidate (entry
  // 1), before it comes into force; what it does is an optimisation, so it returns nothing.
  RevisionMaps(int revisions_fd, std::function<void()> prepare);

  // Blocks until non-sleepable programs have left the old revision: up to a second on a busy
  // machine.
  absl::Status Publish(const layered_revision& revision);

 private:
  static absl::StatusOr<UniqueFd> MakeMap(const layered_revision& revision);
  absl::Status Put(uint32_t entry, int map_fd);

  int revisions_fd_;
  std::function<void()> prepare_;
  std::deque<UniqueFd> kept_;  // newest first
};

}  // namespace layered

#endif  // LAYERED_DAEMON_SCHEDULER_REVISION_MAPS_H_
