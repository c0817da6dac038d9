// SPDX-License-Identifier: Apache-2.0

#include "daemon/topology/fake_sysfs.h"

#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "daemon/topology/cpulist.h"

namespace layered {
namespace {

constexpr char kCpus[] = "devices/system/cpu/";
constexpr char kNodes[] = "devices/system/node/node";

[[noreturn]] void Die(const std::string& what) {
  std::perror(what.c_str());
  abort();
}

std::string CpuDir(int id) { return kCpus + ("cpu" + std::to_string(id)) + "/"; }

// List of the online CPUs for which `same` holds.
template <typename Predicate>
std::string Where(const FakeMachine& machine, Predicate same) {
  std::vector<int> ids;
  for (const auto& [id, cpu] : machine.cpus) {
    if (cpu.online && same(cpu)) ids.push_back(id);
  }
  return FormatCpuList(ids) + "\n";
}

}  // namespace

namespace machine {

FakeMachine Regular(int nodes, int llcs, int cores, int threads) {
  FakeMachine machine;
  int id = 0;
  for (int node = 0; node < nodes; ++node) {
    for (int core = 0; core < llcs * cores; ++core) {
      for (int thread = 0; thread < threads; ++thread) {
        machine.cpus[id++] = {.package = node, .core = core, .l3 = core / cores, .node = node};
      }
    }
  }
  return machine;
}

FakeMachine Hole() {
  FakeMachine machine = Flat(4);
  machine.cpus[1].online = false;
  return machine;
}

FakeMachine MemoryNode() {
  FakeMachine machine = Flat(4);
  machine.nodes_without_cpus = {1};
  return machine;
}

FakeMachine MorePossible() {
  FakeMachine machine = Flat(4);
  machine.possible = "0-7";
  return machine;
}

FakeMachine Hybrid() {
  FakeMachine machine = Regular(1, 1, 2, 2);
  for (int id = 4; id < 8; ++id) machine.cpus[id] = {.core = id * 4, .l2 = 100};
  return machine;
}

FakeMachine UnequalLlcs() {
  FakeMachine machine = Flat(8);
  machine.cpus[6].l3 = machine.cpus[7].l3 = 1;
  return machine;
}

}  // namespace machine

FakeSysfs::FakeSysfs(const FakeMachine& machine) {
  char root[] = "/tmp/sysfs.XXXXXX";
  if (mkdtemp(root) == nullptr) Die(root);
  root_ = root;
  std::vector<int> present;
  for (const auto& [id, cpu] : machine.cpus) {
    present.push_back(id);
    if (cpu.online) online_.push_back(id);
  }
  const std::string list = FormatCpuList(present);
  Write(kCpus + std::string("present"), list + "\n");
  Write(kCpus + std::string("possible"),
        (machine.possible.empty() ? list : machine.possible) + "\n");
  Write(kCpus + std::string("online"), FormatCpuList(online_) + "\n");
  std::map<int, bool> nodes;
  for (int node : machine.nodes_without_cpus) nodes[node];
  for (const auto& [id, cpu] : machine.cpus) {
    WriteCpu(machine, id, cpu);
    nodes[cpu.node];
  }
  for (const auto& [node, unused] : nodes) {
    Write(kNodes + std::to_string(node) + "/cpulist",
          Where(machine, [n = node](const FakeCpu& cpu) { return cpu.node == n; }));
  }
}

FakeSysfs::~FakeSysfs() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

void FakeSysfs::Write(const std::string& path, const std::string& text) {
  const std::filesystem::path file = root_ + "/" + path;
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  std::ofstream stream(file, std::ios::trunc);
  stream << text << std::flush;
  if (!stream) Die(file.string());
}

void FakeSysfs::Remove(const std::string& path) {
  std::error_code error;
  if (std::filesystem::remove_all(root_ + "/" + path, error) == 0 || error) Die("remove " + path);
}

void FakeSysfs::WriteForAll(const std::string& path, const std::string& text) {
  for (int id : online_) Write(CpuDir(id) + path, text);
}

void FakeSysfs::RemoveForAll(const std::string& path) {
  for (int id : online_) Remove(CpuDir(id) + path);
}

void FakeSysfs::WriteCpu(const FakeMachine& machine, int id, const FakeCpu& cpu) {
  if (id != 0) Write(CpuDir(id) + "online", cpu.online ? "1\n" : "0\n");
  if (!cpu.online) return;  // the kernel removes the rest
  const auto same_package = [&](const FakeCpu& other) { return other.package == cpu.package; };
  const auto same_core = [&](const FakeCpu& other) {
    return same_package(other) && other.core == cpu.core;
  };
  const auto same_l2 = [&](const FakeCpu& other) {
    return cpu.l2 < 0 ? same_core(other) : same_package(other) && other.l2 == cpu.l2;
  };
  const auto same_l3 = [&](const FakeCpu& other) {
    return same_package(other) && other.l3 == cpu.l3;
  };
  const std::string topology = CpuDir(id) + "topology/";
  Write(topology + "physical_package_id", std::to_string(cpu.package) + "\n");
  Write(topology + "die_id", "0\n");
  Write(topology + "core_id", std::to_string(cpu.core) + "\n");
  Write(topology + "cluster_id", "-1\n");
  Write(topology + "thread_siblings_list", Where(machine, same_core));
  WriteCache(id, 0, 1, "Data", Where(machine, same_core));
  WriteCache(id, 1, 1, "Instruction", Where(machine, same_core));
  WriteCache(id, 2, 2, "Unified", Where(machine, same_l2));
  if (cpu.l3 >= 0) WriteCache(id, 3, 3, "Unified", Where(machine, same_l3));
}

void FakeSysfs::WriteCache(int id, int index, int level, const std::string& type,
                           const std::string& cpus) {
  const std::string dir = CpuDir(id) + "cache/index" + std::to_string(index) + "/";
  Write(dir + "level", std::to_string(level) + "\n");
  Write(dir + "type", type + "\n");
  // As some hypervisors do: an id of its own for each CPU, whatever it shares.
  Write(dir + "id", std::to_string(id) + "\n");
  Write(dir + "shared_cpu_list", cpus);
}

}  // namespace layered
