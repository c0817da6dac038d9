// SPDX-License-Identifier: Apache-2.0
//
// The machine as it was at one moment: its topology, and the kernel's count of CPU hot-plugs read
// right BEFORE it. If the count has moved by the time the scheduler attaches, the kernel refuses
// and both are read again; read after it, a CPU that came in between would go unnoticed.
//
// Thread-safety: plain data; ReadMachine reads files only.
// Failure: ReadMachine returns what the topology reader says.

#ifndef LAYERED_DAEMON_CONTROL_MACHINE_H_
#define LAYERED_DAEMON_CONTROL_MACHINE_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "bpf/layered_shared.h"
#include "daemon/scheduler/sched_ext_sysfs.h"
#include "daemon/topology/topology.h"

namespace layered {

struct Machine {
  uint64_t hotplug_seq = 0;
  Topology topology;
  layered_topo kernel{};  // the same for BPF
};

using MachineReader = std::function<absl::StatusOr<Machine>()>;

// CPUs that were online.
uint32_t OnlineCpus(const layered_topo& topo);

// `sysfs_root` is where the topology is read; the hot-plug count is the running kernel's.
absl::StatusOr<Machine> ReadMachine(const SchedExtSysfs& sched_ext, const std::string& sysfs_root);

}  // namespace layered

#endif  // LAYERED_DAEMON_CONTROL_MACHINE_H_
