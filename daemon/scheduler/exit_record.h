// SPDX-License-Identifier: Apache-2.0
//
// Reads the exit record that the BPF side leaves in its control block: the kernel keeps no trace of
// an ended scheduler that user space could ask for later.
//
// Thread-safety: pure over memory that BPF writes once per life of the scheduler, the kind last.
// Ownership: borrows the memory.
// Failure: texts are cut at their buffers; bytes that are no UTF-8 become '?', for the record goes
// into proto strings.

#ifndef LAYERED_DAEMON_SCHEDULER_EXIT_RECORD_H_
#define LAYERED_DAEMON_SCHEDULER_EXIT_RECORD_H_

#include <cstdint>
#include <optional>

#include "bpf/layered_shared.h"
#include "daemon/scheduler/sched_backend.h"

namespace layered {

// The kernel's scx_exit_kind values that we act on.
enum SchedExitKind : uint32_t {
  kExitUnregistered = 64,      // by user space: our own detach
  kExitUnregisteredBpf = 65,   // by the scheduler itself
  kExitUnregisteredKern = 66,  // by the kernel, a CPU came or went
  kExitSysrq = 67,             // an operator at the console
  kExitFirstError = 1024,      // from here on: ejected for a fault
};

// Nothing while the scheduler has not ended.
std::optional<SchedExit> ReadExit(const layered_ctl& ctl);

// The kernel asks to load again at once: CPUs came or went.
bool WantsRestart(const SchedExit& exit);

// "kind 1025 (scx_bpf_error), code 0: message", for logs and statuses.
std::string ToString(const SchedExit& exit);

}  // namespace layered

#endif  // LAYERED_DAEMON_SCHEDULER_EXIT_RECORD_H_
