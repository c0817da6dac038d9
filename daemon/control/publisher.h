// SPDX-License-Identifier: Apache-2.0
//
// The thread that changes the kernel: it publishes the newest desired state, looks whether the
// scheduler is still there, and loads it again when the kernel asks for a restart. Being one
// thread, these never overlap; being apart from the control thread, a publish that waits a second
// for a grace period delays no command.
//
// It takes the newest state that was offered; those it skipped are superseded.
//
// Thread-safety: Offer may be called from any thread; Start and Stop by the owner.
// Ownership: borrows backend, state and clock, which outlive it.
// Failure: a publish that fails leaves the old tables in force and is tried again after
// kRetryNs, or at once with the next state. An ejection is recorded and logged, and nothing is
// published after it; only a restart that the kernel asks for loads the scheduler again.
//
// CPUs that come or go do not end the scheduler. The machine is read again for the figures of the
// status; tables and plans stay those of the load.

#ifndef LAYERED_DAEMON_CONTROL_PUBLISHER_H_
#define LAYERED_DAEMON_CONTROL_PUBLISHER_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "absl/status/status.h"
#include "daemon/base/clock.h"
#include "daemon/control/control_state.h"
#include "daemon/control/kernel_tables.h"
#include "daemon/control/machine.h"
#include "daemon/scheduler/sched_backend.h"

namespace layered {

class Publisher {
 public:
  // Between looks at the exit record.
  static constexpr uint64_t kTickNs = 200'000'000;
  // Ticks that the machine is read again for after a hot-plug: the scheduler hears of a CPU that
  // goes before sysfs says so.
  static constexpr int kSettleTicks = 10;
  // Before a failed publish is tried again.
  static constexpr uint64_t kRetryNs = 1'000'000'000;

  struct Options {
    SchedBackend* backend = nullptr;
    ControlState* state = nullptr;
    Clock* clock = nullptr;
    MachineReader read_machine;
    // ns since exec; asked once, right after the first attach.
    std::function<uint64_t()> process_age_ns;
    // Called on the publisher thread when the scheduler has ended for good. May be empty.
    std::function<void(const SchedExit&)> on_failed;
  };

  explicit Publisher(Options options);
  ~Publisher();

  // Brings the scheduler up with the first state, on the calling thread, then starts the thread.
  absl::Status Start(DesiredState first);

  // Makes this the state to publish next.
  void Offer(DesiredState desired);

  // Ends the thread after the step that it is at. Idempotent. Does not detach.
  void Stop();

 private:
  void Run();
  void PublishOne(const DesiredState& desired);
  void Supervise();
  void FollowHotplug();
  void Restart(const SchedExit& exit);
  void End(const SchedExit& exit);

  const Options options_;

  std::mutex mutex_;
  std::condition_variable wakeup_;
  std::optional<DesiredState> offered_;  // guarded by mutex_
  bool stopping_ = false;                // guarded by mutex_

  // The publisher thread's own (Start's before there is one).
  DesiredState current_;  // newest taken
  uint32_t last_publish_ = 0;
  uint64_t retry_at_ns_ = Clock::kNever;
  uint32_t hotplugs_ = 0;  // seen since the load
  int settle_ticks_ = 0;   // left
  bool ended_ = false;

  std::thread thread_;
};

}  // namespace layered

#endif  // LAYERED_DAEMON_CONTROL_PUBLISHER_H_
