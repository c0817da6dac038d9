// SPDX-License-Identifier: Apache-2.0
//
// The machine as plain data: CPUs, last-level caches (LLCs) and NUMA nodes. Made by sysfs_reader.h
// or by hand in a test; read by the planner and by kernel_topo.h.
//
// Ids need not be dense. A CPU may be possible but absent, or present but offline (it then belongs
// to no core, LLC or node); a node may have no CPU; LLCs and cores may differ in size. So nothing
// here may be indexed by an id: look it up.
//
// Invariants of a Topology that the reader made: all lists ascend by id; each online CPU is in
// exactly one Llc and exactly one Node; an Llc lies in one node and holds at least one online CPU.
//
// Thread-safety: plain data.

#ifndef LAYERED_DAEMON_TOPOLOGY_TOPOLOGY_H_
#define LAYERED_DAEMON_TOPOLOGY_TOPOLOGY_H_

#include <cstddef>
#include <string>
#include <vector>

namespace layered {

// "Does not exist" or "not known", for every kind of id.
inline constexpr int kNoId = -1;

struct Cpu {
  int id = kNoId;
  bool present = false;
  bool online = false;
  int package = kNoId;        // physical_package_id; kNoId if the kernel does not say
  int core = kNoId;           // ours: unique on the machine, unlike the kernel's core_id
  int llc = kNoId;            // Llc::id
  int node = kNoId;           // Node::id
  std::vector<int> siblings;  // online CPUs of the same core, this one included

  friend bool operator==(const Cpu&, const Cpu&) = default;
};

struct Llc {
  int id = kNoId;         // ours: unique on the machine, unlike the kernel's cache ids
  int level = 0;          // 3, 2 ...; 0 if not a cache but a package or a node stands in for one
  int node = kNoId;       // Node::id
  std::vector<int> cpus;  // online

  friend bool operator==(const Llc&, const Llc&) = default;
};

struct Node {
  int id = kNoId;         // the kernel's
  std::vector<int> cpus;  // online
  std::vector<int> llcs;  // Llc::id

  friend bool operator==(const Node&, const Node&) = default;
};

struct Topology {
  std::vector<Cpu> cpus;  // possible
  std::vector<Llc> llcs;
  std::vector<Node> nodes;         // also those without CPUs
  std::vector<std::string> notes;  // guesses made where sysfs was silent or odd, for the log

  // Highest possible CPU id + 1; 0 without CPUs.
  int NrCpuIds() const { return cpus.empty() ? 0 : cpus.back().id + 1; }

  // Number of online CPUs.
  size_t NrOnlineCpus() const;

  // Number of nodes that have an online CPU.
  size_t NrNodesWithCpus() const;

  // The entry of this id; null if there is none.
  const Cpu* FindCpu(int id) const;
  const Llc* FindLlc(int id) const;
  const Node* FindNode(int id) const;

  friend bool operator==(const Topology&, const Topology&) = default;
};

}  // namespace layered

#endif  // LAYERED_DAEMON_TOPOLOGY_TOPOLOGY_H_
