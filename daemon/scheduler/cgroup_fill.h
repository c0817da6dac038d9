// SPDX-License-Identifier: Apache-2.0
//
// Runs the BPF cgroup iterator once over all cgroups: it evaluates the cgroup predicates of the
// candidate revision, so that no op has to when that revision comes into force.
//
// Thread-safety: may run on any thread; the publisher's in practice.
// Ownership: borrows the program and the descriptor; leaves nothing behind.
// Failure: an error names the step. It costs speed only: an op that meets a cgroup without an entry
// evaluates on the spot.

#ifndef LAYERED_DAEMON_SCHEDULER_CGROUP_FILL_H_
#define LAYERED_DAEMON_SCHEDULER_CGROUP_FILL_H_

#include "absl/status/status.h"

struct bpf_program;

namespace layered {

// `cgroup_fd` is an open folder of the v2 hierarchy; it and everything below it is visited.
absl::Status FillCgroups(const bpf_program* iterator, int cgroup_fd);

}  // namespace layered

#endif  // LAYERED_DAEMON_SCHEDULER_CGROUP_FILL_H_
