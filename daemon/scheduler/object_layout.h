// SPDX-License-Identifier: Apache-2.0
//
// Checks that the BPF object was built from the same layered_shared.h as the daemon, before
// anything is loaded: two halves that disagree about a struct would corrupt each other silently.
//
// Thread-safety: one thread per object.
// Ownership: borrows the object.
// Failure: FAILED_PRECONDITION names the struct and both sizes; NOT_FOUND if the object does not
// say (it is not ours).

#ifndef LAYERED_DAEMON_SCHEDULER_OBJECT_LAYOUT_H_
#define LAYERED_DAEMON_SCHEDULER_OBJECT_LAYOUT_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bpf/layered_shared.h"

struct bpf_object;

namespace layered {

// The layout of this build of the daemon.
layered_layout OurLayout();

// OK if both are equal, else all differences.
absl::Status CompareLayouts(const layered_layout& object, const layered_layout& ours);

// The object's `layered_layout` in .rodata, found through the object's BTF. The object is open.
absl::StatusOr<layered_layout> ReadLayout(const bpf_object* object);

}  // namespace layered

#endif  // LAYERED_DAEMON_SCHEDULER_OBJECT_LAYOUT_H_
