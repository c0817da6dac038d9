// SPDX-License-Identifier: Apache-2.0
//
// Fits an open BPF object to the running kernel: what the kernel does not have is switched off
// before the load, which would fail as a whole otherwise. Members of the ops table that this
// kernel's sched_ext_ops lacks are set to null through the table's shadow value; optional tracing
// programs whose tracepoint or function is missing are not loaded.
//
// Thread-safety: one thread per object.
// Ownership: borrows the object.
// Failure: an object without our ops table is NOT_FOUND. A kernel whose type information cannot be
// read is no failure here: everything is left on and the load tells.

#ifndef LAYERED_DAEMON_SCHEDULER_KERNEL_FIT_H_
#define LAYERED_DAEMON_SCHEDULER_KERNEL_FIT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "daemon/scheduler/kernel_btf.h"

struct bpf_object;

namespace layered {

// Name of the struct_ops map in the object.
inline constexpr char kOpsMap[] = "layered_ops";

// The type that a program of this section needs in the kernel: "tp_btf/x" the tracepoint's
// typedef, "fentry/f" and "fexit/f" the function, "iter/x" the iterator's. Nothing for sections
// that need none.
std::optional<KernelBtf::Wanted> NeededType(std::string_view section);

// Switches off what the kernel at `btf_path` lacks. Returns it, one line each.
absl::StatusOr<std::vector<std::string>> FitToKernel(bpf_object* object,
                                                     const std::string& btf_path);

// Sets sched_ext_ops.hotplug_seq: the kernel then refuses the attach when CPUs came or went since
// it was read.
absl::Status SetHotplugSeq(bpf_object* object, uint64_t hotplug_seq);

}  // namespace layered

#endif  // LAYERED_DAEMON_SCHEDULER_KERNEL_FIT_H_
