// SPDX-License-Identifier: Apache-2.0
//
// A sysfs tree in a temporary folder, described in code: what a machine of a given shape would
// show. Tests then remove or spoil single files.
//
//   FakeSysfs sysfs(machine::TwoNodesTwoLlcs());
//   sysfs.Remove("devices/system/node");
//   ReadTopology(sysfs.root());
//
// Thread-safety: none. Ownership: the folder goes with the object.
// Failure: a folder that cannot be made or written ends the test program.

#ifndef LAYERED_DAEMON_TOPOLOGY_FAKE_SYSFS_H_
#define LAYERED_DAEMON_TOPOLOGY_FAKE_SYSFS_H_

#include <map>
#include <string>
#include <vector>

namespace layered {

// One present CPU. CPUs with equal (package, core) are SMT siblings, CPUs with equal (package, l3)
// share that cache.
struct FakeCpu {
  int package = 0;
  int core = 0;  // the kernel's core_id: unique in its package only
  int l2 = -1;   // unique in the package; -1: the core's own
  int l3 = 0;    // -1: no index3
  int node = 0;
  bool online = true;
};

// A machine, by CPU id.
struct FakeMachine {
  std::map<int, FakeCpu> cpus;
  std::string possible;  // empty: the present ones
  std::vector<int> nodes_without_cpus;
};

namespace machine {

// `nodes` x `llcs` per node x `cores` per LLC x `threads`; ids as Linux gives them on a VM:
// siblings side by side, one package per LLC-bearing node.
FakeMachine Regular(int nodes, int llcs, int cores, int threads = 1);

inline FakeMachine Flat(int cpus) { return Regular(1, 1, cpus); }
inline FakeMachine TwoLlcs() { return Regular(1, 2, 2); }
inline FakeMachine TwoNodesTwoLlcs() { return Regular(2, 2, 2); }
inline FakeMachine Smt() { return Regular(1, 1, 2, 2); }
// CPU 1 of 4 is offline.
FakeMachine Hole();
// Node 0 has four CPUs, node 1 only memory.
FakeMachine MemoryNode();
// Four CPUs present, eight possible.
FakeMachine MorePossible();
// Two cores with two threads each, then a cluster of four single-thread cores with a shared level 2
// cache; one level 3 cache for all.
FakeMachine Hybrid();
// LLCs of six and two cores.
FakeMachine UnequalLlcs();

}  // namespace machine

class FakeSysfs {
 public:
  explicit FakeSysfs(const FakeMachine& machine);
  ~FakeSysfs();
  FakeSysfs(const FakeSysfs&) = delete;
  FakeSysfs& operator=(const FakeSysfs&) = delete;

  // To be given to ReadTopology.
  const std::string& root() const { return root_; }

  // Writes a file, makes its folder if needed. `path` is relative to the root.
  void Write(const std::string& path, const std::string& text);

  // Removes a file or a folder with all it holds; ends the program if there is none.
  void Remove(const std::string& path);

  // The same for "devices/system/cpu/cpuN/" + `path` of every online CPU.
  void WriteForAll(const std::string& path, const std::string& text);
  void RemoveForAll(const std::string& path);

 private:
  void WriteCpu(const FakeMachine& machine, int id, const FakeCpu& cpu);
  void WriteCache(int id, int index, int level, const std::string& type, const std::string& cpus);

  std::string root_;
  std::vector<int> online_;
};

}  // namespace layered

#endif  // LAYERED_DAEMON_TOPOLOGY_FAKE_SYSFS_H_
