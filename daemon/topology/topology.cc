// SPDX-License-Identifier: Apache-2.0

#include "daemon/topology/topology.h"

#include <algorithm>

namespace layered {
namespace {

template <typename Entry>
const Entry* Find(const std::vector<Entry>& entries, int id) {
  const auto it = std::lower_bound(entries.begin(), entries.end(), id,
                                   [](const Entry& entry, int key) { return entry.id < key; });
  return it != entries.end() && it->id == id ? &*it : nullptr;
}

}  // namespace

size_t Topology::NrOnlineCpus() const {
  return static_cast<size_t>(
      std::count_if(cpus.begin(), cpus.end(), [](const Cpu& cpu) { return cpu.online; }));
}

size_t Topology::NrNodesWithCpus() const {
  return static_cast<size_t>(std::count_if(nodes.begin(), nodes.end(),
                                           [](const Node& node) { return !node.cpus.empty(); }));
}

const Cpu* Topology::FindCpu(int id) const { return Find(cpus, id); }
const Llc* Topology::FindLlc(int id) const { return Find(llcs, id); }
const Node* Topology::FindNode(int id) const { return Find(nodes, id); }

}  // namespace layered
