// SPDX-License-Identifier: Apache-2.0
//
// The control side as a whole. One control thread owns desired state: it takes commands from a
// bounded queue one by one, decides (command_eval.h), gives layers their slots, makes the next
// revision and offers it to the publisher. The reply goes out as soon as the revision is accepted;
// whether it is in force is told by the status.
//
// Thread-safety: Start and Stop by the owner; everything else from any thread.
// Ownership: borrows backend and clock, which outlive it.
// Failure: Start returns why the scheduler could not be brought up. Commands are refused with a
// status and then change nothing; after Stop with UNAVAILABLE.

#ifndef LAYERED_DAEMON_CONTROL_CONTROLLER_H_
#define LAYERED_DAEMON_CONTROL_CONTROLLER_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "daemon/base/clock.h"
#include "daemon/compile/slot_table.h"
#include "daemon/control/bounded_queue.h"
#include "daemon/control/control_state.h"
#include "daemon/control/layer_store.h"
#include "daemon/control/machine.h"
#include "daemon/control/publisher.h"
#include "daemon/control/status_report.h"
#include "daemon/control/status_source.h"
#include "daemon/scheduler/sched_backend.h"
#include "daemon/scheduler/sched_ext_sysfs.h"

namespace layered {

class Controller final : public LayerStore, public StatusSource {
 public:
  // Commands that may wait; the rest is refused.
  static constexpr size_t kQueueLimit = 256;

  struct Options {
    SchedBackend* backend = nullptr;
    Clock* clock = nullptr;
    MachineReader read_machine;
    SchedExtSysfs sched_ext;
    DaemonFacts facts;
    // ns since exec of this process.
    std::function<uint64_t()> process_age_ns;
    // Called when the kernel has ejected the scheduler. May be empty.
    std::function<void(const SchedExit&)> on_failed;
  };

  explicit Controller(Options options);

  // Stops.
  ~Controller() override;

  // Makes `layers` (validated) revision 1 and brings the scheduler up with it on this thread, then
  // starts the control and publisher threads. Call once.
  absl::Status Start(const v1::LayerSet& layers, const std::string& reason);

  // Answers what is queued with UNAVAILABLE and ends both threads. Does not detach. Idempotent.
  void Stop();

  // LayerStore.
  std::shared_ptr<const Revision> Desired() const override;
  void Submit(Command command, Author author, Done done) override;

  // StatusSource.
  v1::GetStatusResponse GetStatus() const override;

  // The slots of the desired revision.
  std::shared_ptr<const SlotTable> Slots() const;

  // The revision that BPF confirms to work with; 0 if none, and after an ejection.
  uint64_t ObservedRevision() const;

  // CPUs online, as of the last hot-plug that was noticed; 0 before the scheduler is loaded.
  uint32_t OnlineCpus() const;

  // The last revisions and what became of each, oldest first.
  std::vector<RevisionRecord> Revisions() const { return state_.Revisions(); }

 private:
  struct Queued {
    Command command;
    Author author;
    Done done;
  };

  void Run();
  absl::StatusOr<CommitResult> Execute(const Command& command, const Author& author);
  std::shared_ptr<const Revision> MakeRevision(v1::LayerSet layers, std::string author,
                                               std::string reason) const;
  void NoteLiveChange(const Command& command);
  DesiredState Accept(std::shared_ptr<const Revision> revision, SlotTable slots);

  const Options options_;
  ControlState state_;
  Publisher publisher_;
  BoundedQueue<Queued> queue_;

  mutable std::mutex slots_mutex_;
  std::shared_ptr<const SlotTable> slots_;  // guarded by slots_mutex_

  // The control thread's own.
  std::set<std::string> live_changes_;  // names set or deleted since the config was read
  uint64_t live_change_count_ = 0;

  std::thread thread_;
};

}  // namespace layered

#endif  // LAYERED_DAEMON_CONTROL_CONTROLLER_H_
