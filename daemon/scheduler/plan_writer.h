// SPDX-License-Identifier: Apache-2.0
//
// Writes CPU plans into the memory that dispatch reads them from. No system call, no grace period:
// each CPU's plan has two buffers and a sequence number; the writer fills the buffer that is not in
// force, then raises the number. A reader compares the number right before it acts and starts over
// on a change, so no dispatch sees a stage list that is half old and half new.
//
// Thread-safety: one writer at a time; readers are BPF programs on any CPU.
// Ownership: borrows the memory.
// Failure: none.

#ifndef LAYERED_DAEMON_SCHEDULER_PLAN_WRITER_H_
#define LAYERED_DAEMON_SCHEDULER_PLAN_WRITER_H_

#include <span>

#include "bpf/layered_shared.h"

namespace layered {

// Puts `buf` in force in `plan`.
void WritePlan(const layered_plan_buf& buf, layered_cpu_plan& plan);

// The same for every CPU, by CPU id; surplus entries on either side are left alone.
void WriteAllPlans(std::span<const layered_plan_buf> bufs, std::span<layered_cpu_plan> plans);

}  // namespace layered

#endif  // LAYERED_DAEMON_SCHEDULER_PLAN_WRITER_H_
