// SPDX-License-Identifier: Apache-2.0
//
// Topology -> the table that BPF reads. Ids become dense here: LLCs with an online CPU are 0, 1, ..
// in the order of their ids, and so are nodes with an online CPU. Everything without one is left
// out: BPF has no use for a queue that no CPU serves. A CPU that is not online is entered as of LLC
// 0, so that whatever BPF does on one that comes online stays within the tables until the daemon
// has read the topology again.
//
// Thread-safety: pure functions.
// Failure: OUT_OF_RANGE, with the number and the limit, for a machine larger than the tables;
// INVALID_ARGUMENT for a Topology that contradicts itself (one made by hand).

#ifndef LAYERED_DAEMON_TOPOLOGY_KERNEL_TOPO_H_
#define LAYERED_DAEMON_TOPOLOGY_KERNEL_TOPO_H_

#include "absl/status/statusor.h"
#include "bpf/layered_shared.h"
#include "daemon/topology/topology.h"

namespace layered {

absl::StatusOr<layered_topo> ToKernelTopo(const Topology& topology);

}  // namespace layered

#endif  // LAYERED_DAEMON_TOPOLOGY_KERNEL_TOPO_H_
