// SPDX-License-Identifier: Apache-2.0
//
// What the control side knows, for everybody to read: the desired revision, the log of the last
// revisions with what became of each, and the state of the scheduler. Desired and observed are
// separate: a revision is observed when an op has worked with it, which only the kernel can tell.
//
// Thread-safety: all methods may be called from any thread; a leaf lock, held for copies only.
// Accept is the control thread's, the On* methods are the publisher's.
// Ownership: revisions and machines are immutable and shared.
// Failure: none.

#ifndef LAYERED_DAEMON_CONTROL_CONTROL_STATE_H_
#define LAYERED_DAEMON_CONTROL_CONTROL_STATE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "daemon/control/layer_store.h"
#include "daemon/control/machine.h"
#include "daemon/scheduler/sched_backend.h"
#include "layered/v1/scheduler_service.pb.h"

namespace layered {

// What became of an accepted revision.
enum class RevisionFate {
  kAccepted,    // waits for the publisher
  kSuperseded,  // a newer one was accepted before its turn came
  kPublished,   // in the kernel's tables
  kFailed,      // could not be published
};

struct RevisionRecord {
  std::shared_ptr<const Revision> revision;
  RevisionFate fate = RevisionFate::kAccepted;
};

class ControlState {
 public:
  // Revisions remembered.
  static constexpr size_t kKept = 64;

  struct Snapshot {
    std::shared_ptr<const Revision> desired;
    uint64_t unsaved_changes = 0;
    v1::SchedulerState state = v1::SCHEDULER_STATE_STARTING;
    std::optional<SchedExit> last_exit;
    int64_t last_exit_time_ns = 0;          // CLOCK_REALTIME
    std::shared_ptr<const Machine> loaded;  // the kernel's tables are for this one
    std::shared_ptr<const Machine> seen;    // as last read, for figures; both null before bring-up
    uint64_t exec_to_enabled_ns = 0;
  };

  Snapshot Get() const;
  std::shared_ptr<const Revision> Desired() const;

  // The last revisions, oldest first.
  std::vector<RevisionRecord> Revisions() const;

  // The revision in force if BPF works with the tables of this publish number; 0 if the number is
  // of none, and while nothing of ours is scheduled.
  uint64_t RevisionInForce(uint32_t live_publish) const;

  // A new desired revision.
  void Accept(std::shared_ptr<const Revision> revision);

  // Live changes that the config does not hold.
  void SetUnsavedChanges(uint64_t count);

  // The publisher tells about a revision. OnPublishing comes before the kernel is asked: the new
  // tables are in force up to a second before it answers.
  void OnSuperseded(uint64_t number);
  void OnPublishing(uint64_t number, uint32_t publish);
  void OnPublished(uint64_t number);
  void OnPublishFailed(uint64_t number, uint32_t publish);

  // The scheduler is enabled on this machine. The first call notes how long that took since exec.
  void OnEnabled(std::shared_ptr<const Machine> machine, uint64_t exec_to_enabled_ns);

  // CPUs came or went: the machine as it is now. The scheduler's tables stay as they were loaded.
  void OnMachineSeen(std::shared_ptr<const Machine> machine);

  // The scheduler has ended, or could not be brought back.
  void OnEnded(const SchedExit& exit, int64_t time_ns);

 private:
  void SetFate(uint64_t number, RevisionFate fate);

  mutable std::mutex mutex_;
  Snapshot now_;                            // guarded by mutex_
  std::deque<RevisionRecord> log_;          // guarded by mutex_
  std::map<uint32_t, uint64_t> publishes_;  // guarded by mutex_; publish -> revision
};

}  // namespace layered

#endif  // LAYERED_DAEMON_CONTROL_CONTROL_STATE_H_
