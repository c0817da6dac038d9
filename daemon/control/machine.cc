// SPDX-License-Identifier: Apache-2.0

#include "daemon/control/machine.h"

#include <utility>

#include "daemon/topology/kernel_topo.h"
#include "daemon/topology/sysfs_reader.h"

namespace layered {

uint32_t OnlineCpus(const layered_topo& topo) {
  uint32_t online = 0;
  for (uint32_t llc = 0; llc < topo.nr_llcs; ++llc) online += topo.llc_nr_cpus[llc];
  return online;
}

absl::StatusOr<Machine> ReadMachine(const SchedExtSysfs& sched_ext, const std::string& sysfs_root) {
  Machine machine;
  machine.hotplug_seq = sched_ext.HotplugSeq();
  absl::StatusOr<Topology> topology = ReadTopology(sysfs_root);
  if (!topology.ok()) return topology.status();
  machine.topology = *std::move(topology);
  absl::StatusOr<layered_topo> kernel = ToKernelTopo(machine.topology);
  if (!kernel.ok()) return kernel.status();
  machine.kernel = *kernel;
  return machine;
}

}  // namespace layered
