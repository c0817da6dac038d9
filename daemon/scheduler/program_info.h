// SPDX-License-Identifier: Apache-2.0
//
// Asks the kernel about the loaded programs: instructions verified, size, and, while somebody has
// switched BPF statistics on (kernel.bpf_stats_enabled), runs and time.
//
// Thread-safety: may be called from any thread while the object stays loaded.
// Ownership: borrows the object.
// Failure: a program that cannot be asked is left out.

#ifndef LAYERED_DAEMON_SCHEDULER_PROGRAM_INFO_H_
#define LAYERED_DAEMON_SCHEDULER_PROGRAM_INFO_H_

#include <vector>

#include "daemon/scheduler/sched_backend.h"

struct bpf_object;

namespace layered {

// All programs of the object that are loaded, in the object's order.
std::vector<BpfProgram> ReadPrograms(const bpf_object* object);

}  // namespace layered

#endif  // LAYERED_DAEMON_SCHEDULER_PROGRAM_INFO_H_
