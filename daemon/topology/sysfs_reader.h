// SPDX-License-Identifier: Apache-2.0
//
// Reads the machine's topology from sysfs. Real machines and VMs leave out or garble much of it
// (no NUMA, no cache ids, no L3, ids of -1, more possible than present CPUs), so every file but the
// CPU lists is optional: what is missing is replaced by the next best source, and each replacement
// leaves one line in Topology::notes.
//
//   core   thread_siblings_list, else (package, die, core_id), else the CPU by itself
//   LLC    the CPUs that share the level 3 cache, else the highest cache shared by several cores,
//          else the package, else the node. Cache ids are not used: some hypervisors make them up.
//          An LLC that spans nodes is split by node, for a queue belongs to one node.
//   node   nodeN/cpulist, else node 0
//
// Thread-safety: may be called from any thread. Reads files only.
// Failure: NOT_FOUND if there is no CPU list at all, INVALID_ARGUMENT if one is malformed or names
// no online CPU. A CPU that goes offline in the middle of the reading gives a topology of before or
// after, or a mixture: the caller compares sched_ext's hotplug_seq and reads again.

#ifndef LAYERED_DAEMON_TOPOLOGY_SYSFS_READER_H_
#define LAYERED_DAEMON_TOPOLOGY_SYSFS_READER_H_

#include <string>

#include "absl/status/statusor.h"
#include "daemon/topology/topology.h"

namespace layered {

// `sysfs_root` is where sysfs is mounted.
absl::StatusOr<Topology> ReadTopology(const std::string& sysfs_root = "/sys");

}  // namespace layered

#endif  // LAYERED_DAEMON_TOPOLOGY_SYSFS_READER_H_
