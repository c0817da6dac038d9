// SPDX-License-Identifier: Apache-2.0
//
// From nothing to a scheduling scheduler: read the machine, load, plans, rules, attach. The tables
// are in the kernel before the scheduler is, so that its first decision already obeys them.
//
// Used at start (main thread) and when the kernel asks for a restart (publisher thread).
//
// Thread-safety: one thread at a time per backend.
// Ownership: borrows everything.
// Failure: the first step that fails ends it, with nothing attached. CPUs that come or go between
// the reading of the machine and the attach cost another try, kBringUpTries in all.

#ifndef LAYERED_DAEMON_CONTROL_BRING_UP_H_
#define LAYERED_DAEMON_CONTROL_BRING_UP_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "daemon/control/kernel_tables.h"
#include "daemon/control/machine.h"
#include "daemon/scheduler/sched_backend.h"

namespace layered {

inline constexpr int kBringUpTries = 3;

// Returns the machine that the scheduler now runs on. `publish` is the number of the first table.
absl::StatusOr<std::shared_ptr<const Machine>> BringUp(SchedBackend& backend,
                                                       const MachineReader& read_machine,
                                                       const DesiredState& desired,
                                                       uint32_t publish);

// Compiles and publishes on a loaded backend: plans before rules, so that a new layer has CPUs
// before it has tasks.
absl::Status PublishTables(SchedBackend& backend, const Machine& machine,
                           const DesiredState& desired, uint32_t publish);

}  // namespace layered

#endif  // LAYERED_DAEMON_CONTROL_BRING_UP_H_
