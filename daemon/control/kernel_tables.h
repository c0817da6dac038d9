// SPDX-License-Identifier: Apache-2.0
//
// A desired state on its way to the kernel, and the tables that it becomes: the one place where the
// control side calls the compiler.
//
// Thread-safety: plain data and pure functions.
// Failure: the compiler's status; it cannot refuse a validated set, save for a fault of ours.

#ifndef LAYERED_DAEMON_CONTROL_KERNEL_TABLES_H_
#define LAYERED_DAEMON_CONTROL_KERNEL_TABLES_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "bpf/layered_shared.h"
#include "daemon/compile/slot_table.h"
#include "daemon/control/layer_store.h"
#include "daemon/topology/topology.h"

namespace layered {

// A revision and the slots of its layers, as they were when it was accepted.
struct DesiredState {
  std::shared_ptr<const Revision> revision;
  std::shared_ptr<const SlotTable> slots;
};

struct KernelTables {
  std::unique_ptr<const layered_revision> rules;  // large: never on a stack
  std::vector<layered_plan_buf> plans;            // by CPU id
};

absl::StatusOr<KernelTables> CompileTables(const DesiredState& desired, const Topology& topology,
                                           uint32_t publish);

}  // namespace layered

#endif  // LAYERED_DAEMON_CONTROL_KERNEL_TABLES_H_
