// SPDX-License-Identifier: Apache-2.0

#include "daemon/topology/kernel_topo.h"

#include <map>
#include <string>

namespace layered {
namespace {

absl::Status CheckLimit(const std::string& what, size_t number, size_t limit) {
  if (number <= limit) return absl::OkStatus();
  return absl::OutOfRangeError("this machine has " + std::to_string(number) + " " + what +
                               ", at most " + std::to_string(limit) + " are supported");
}

absl::Status Contradiction(const std::string& what) {
  return absl::InvalidArgumentError("topology: " + what);
}

absl::Status CheckLimits(const Topology& topology, size_t llcs) {
  // By id, not by count: the tables are indexed by CPU id, and a possible CPU may come online.
  const absl::Status cpus =
      CheckLimit("CPU ids", static_cast<size_t>(topology.NrCpuIds()), LAYERED_MAX_CPUS);
  if (!cpus.ok()) return cpus;
  const absl::Status caches = CheckLimit("last-level caches", llcs, LAYERED_MAX_LLCS);
  if (!caches.ok()) return caches;
  return CheckLimit("NUMA nodes with CPUs", topology.NrNodesWithCpus(), LAYERED_MAX_NODES);
}

}  // namespace

absl::StatusOr<layered_topo> ToKernelTopo(const Topology& topology) {
  // Dense numbers, by our ids.
  std::map<int, u16> llc_index, node_index;
  for (const Llc& llc : topology.llcs) {
    if (!llc.cpus.empty()) llc_index.emplace(llc.id, static_cast<u16>(llc_index.size()));
  }
  for (const Node& node : topology.nodes) {
    if (!node.cpus.empty()) node_index.emplace(node.id, static_cast<u16>(node_index.size()));
  }
  if (absl::Status status = CheckLimits(topology, llc_index.size()); !status.ok()) return status;
  if (topology.NrOnlineCpus() == 0) return Contradiction("no online CPU");

  layered_topo topo{};
  topo.nr_cpus = static_cast<u32>(topology.NrCpuIds());
  topo.nr_llcs = static_cast<u32>(llc_index.size());
  topo.nr_nodes = static_cast<u32>(node_index.size());

  for (const Llc& llc : topology.llcs) {
    if (llc.cpus.empty()) continue;
    const auto node = node_index.find(llc.node);
    if (node == node_index.end()) {
      return Contradiction("LLC " + std::to_string(llc.id) + " is in node " +
                           std::to_string(llc.node) + ", which has no CPU");
    }
    const u16 index = llc_index.at(llc.id);
    topo.llc_node[index] = node->second;
    topo.node_llcs[node->second][index / 64] |= u64{1} << (index % 64);
  }

  for (const Cpu& cpu : topology.cpus) {
    if (!cpu.online) continue;  // counts as of LLC 0, see the table
    const auto llc = llc_index.find(cpu.llc);
    if (cpu.id < 0 || llc == llc_index.end()) {
      return Contradiction("CPU " + std::to_string(cpu.id) + " is online and in LLC " +
                           std::to_string(cpu.llc) + ", which is not there");
    }
    topo.cpu_llc[cpu.id] = llc->second;
    // CPUs ascend: the first to come is the first of its LLC.
    if (topo.llc_nr_cpus[llc->second]++ == 0) {
      topo.llc_first_cpu[llc->second] = static_cast<u16>(cpu.id);
    }
  }
  for (const auto& [id, index] : llc_index) {
    if (topo.llc_nr_cpus[index] != topology.FindLlc(id)->cpus.size()) {
      return Contradiction("LLC " + std::to_string(id) + " and its CPUs disagree");
    }
  }
  return topo;
}

}  // namespace layered
