// SPDX-License-Identifier: Apache-2.0

#include "daemon/topology/sysfs_reader.h"

#include <map>
#include <set>

#include "daemon/topology/fake_sysfs.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The invariants that topology.h promises.
void CheckInvariants(const Topology& topology) {
  std::map<int, int> in_llcs, in_nodes;
  for (const Llc& llc : topology.llcs) {
    EXPECT_FALSE(llc.cpus.empty()) << "LLC " << llc.id;
    const Node* node = topology.FindNode(llc.node);
    ASSERT_NE(node, nullptr);
    EXPECT_THAT(node->llcs, Contains(llc.id));
    for (int cpu : llc.cpus) {
      ++in_llcs[cpu];
      EXPECT_EQ(topology.FindCpu(cpu)->llc, llc.id);
      EXPECT_EQ(topology.FindCpu(cpu)->node, llc.node);
    }
  }
  for (const Node& node : topology.nodes) {
    for (int cpu : node.cpus) ++in_nodes[cpu];
  }
  for (const Cpu& cpu : topology.cpus) {
    EXPECT_EQ(in_llcs[cpu.id], cpu.online ? 1 : 0) << "CPU " << cpu.id;
    EXPECT_EQ(in_nodes[cpu.id], cpu.online ? 1 : 0) << "CPU " << cpu.id;
    EXPECT_EQ(cpu.siblings.empty(), !cpu.online);
    if (!cpu.online) {
      EXPECT_EQ(cpu.core, kNoId);
      continue;
    }
    EXPECT_THAT(cpu.siblings, Contains(cpu.id));
    for (int sibling : cpu.siblings) {
      EXPECT_EQ(topology.FindCpu(sibling)->core, cpu.core);
      EXPECT_EQ(topology.FindCpu(sibling)->siblings, cpu.siblings);
    }
  }
}

Topology Read(const FakeSysfs& sysfs) {
  const absl::StatusOr<Topology> topology = ReadTopology(sysfs.root());
  EXPECT_TRUE(topology.ok()) << topology.status();
  if (!topology.ok()) return {};
  CheckInvariants(*topology);
  EXPECT_EQ(*topology, *ReadTopology(sysfs.root())) << "equal input, equal output";
  return *topology;
}

std::vector<std::vector<int>> LlcCpus(const Topology& topology) {
  std::vector<std::vector<int>> cpus;
  for (const Llc& llc : topology.llcs) cpus.push_back(llc.cpus);
  return cpus;
}

size_t NrCores(const Topology& topology) {
  std::set<int> cores;
  for (const Cpu& cpu : topology.cpus) {
    if (cpu.online) cores.insert(cpu.core);
  }
  return cores.size();
}

TEST(ReadTopology, Flat) {
  const Topology topology = Read(FakeSysfs(machine::Flat(4)));
  EXPECT_EQ(topology.NrCpuIds(), 4);
  EXPECT_EQ(topology.NrOnlineCpus(), 4u);
  EXPECT_THAT(LlcCpus(topology), ElementsAre(ElementsAre(0, 1, 2, 3)));
  EXPECT_EQ(topology.llcs[0].level, 3);
  ASSERT_EQ(topology.nodes.size(), 1u);
  EXPECT_THAT(topology.nodes[0].cpus, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(NrCores(topology), 4u);
  EXPECT_THAT(topology.notes, IsEmpty());
}

TEST(ReadTopology, TwoLlcs) {
  const Topology topology = Read(FakeSysfs(machine::TwoLlcs()));
  EXPECT_THAT(LlcCpus(topology), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
  EXPECT_THAT(topology.nodes[0].llcs, ElementsAre(0, 1));
  EXPECT_THAT(topology.notes, IsEmpty());
}

TEST(ReadTopology, TwoNodesTwoLlcsGetUniqueIdsThoughTheKernelRepeatsThem) {
  const Topology topology = Read(FakeSysfs(machine::TwoNodesTwoLlcs()));
  EXPECT_THAT(LlcCpus(topology), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3),
                                             ElementsAre(4, 5), ElementsAre(6, 7)));
  ASSERT_EQ(topology.nodes.size(), 2u);
  EXPECT_THAT(topology.nodes[1].llcs, ElementsAre(2, 3));
  EXPECT_EQ(NrCores(topology), 8u) << "core_id starts anew in each package";
  EXPECT_THAT(topology.notes, IsEmpty());
}

TEST(ReadTopology, SmtSiblings) {
  const Topology topology = Read(FakeSysfs(machine::Smt()));
  EXPECT_THAT(topology.cpus[0].siblings, ElementsAre(0, 1));
  EXPECT_THAT(topology.cpus[3].siblings, ElementsAre(2, 3));
  EXPECT_EQ(NrCores(topology), 2u);
}

TEST(ReadTopology, SmtSiblingsByCoreIdsWhereTheListIsMissing) {
  FakeMachine machine = machine::Regular(2, 1, 2, 2);
  FakeSysfs sysfs(machine);
  sysfs.RemoveForAll("topology/thread_siblings_list");
  const Topology topology = Read(sysfs);
  EXPECT_EQ(NrCores(topology), 4u);
  EXPECT_THAT(topology.cpus[4].siblings, ElementsAre(4, 5)) << "not those of package 0";
  EXPECT_THAT(topology.notes, ElementsAre(HasSubstr("CPUs 0-7: no list of SMT siblings")));
}

TEST(ReadTopology, OfflineCpuIsAHole) {
  const Topology topology = Read(FakeSysfs(machine::Hole()));
  EXPECT_EQ(topology.NrCpuIds(), 4);
  EXPECT_EQ(topology.NrOnlineCpus(), 3u);
  EXPECT_TRUE(topology.cpus[1].present);
  EXPECT_FALSE(topology.cpus[1].online);
  EXPECT_EQ(topology.cpus[1].llc, kNoId);
  EXPECT_THAT(LlcCpus(topology), ElementsAre(ElementsAre(0, 2, 3)));
  EXPECT_THAT(topology.notes, IsEmpty());
}

TEST(ReadTopology, SparseCpuIds) {
  FakeMachine machine;
  for (int id : {0, 7, 300}) machine.cpus[id] = {.core = id};
  const Topology topology = Read(FakeSysfs(machine));
  EXPECT_EQ(topology.NrCpuIds(), 301);
  EXPECT_EQ(topology.cpus.size(), 3u);
  EXPECT_EQ(topology.FindCpu(8), nullptr);
  EXPECT_THAT(LlcCpus(topology), ElementsAre(ElementsAre(0, 7, 300)));
}

TEST(ReadTopology, NodeWithoutCpus) {
  const Topology topology = Read(FakeSysfs(machine::MemoryNode()));
  ASSERT_EQ(topology.nodes.size(), 2u);
  EXPECT_THAT(topology.nodes[1].cpus, IsEmpty());
  EXPECT_THAT(topology.nodes[1].llcs, IsEmpty());
  EXPECT_EQ(topology.NrNodesWithCpus(), 1u);
}

TEST(ReadTopology, MorePossibleThanPresent) {
  const Topology topology = Read(FakeSysfs(machine::MorePossible()));
  EXPECT_EQ(topology.NrCpuIds(), 8);
  EXPECT_EQ(topology.NrOnlineCpus(), 4u);
  EXPECT_FALSE(topology.cpus[5].present);
}

TEST(ReadTopology, HybridCoresDifferInThreads) {
  const Topology topology = Read(FakeSysfs(machine::Hybrid()));
  EXPECT_THAT(LlcCpus(topology), ElementsAre(ElementsAre(0, 1, 2, 3, 4, 5, 6, 7)));
  EXPECT_EQ(NrCores(topology), 6u);
  EXPECT_THAT(topology.cpus[2].siblings, ElementsAre(2, 3));
  EXPECT_THAT(topology.cpus[5].siblings, ElementsAre(5));
}

TEST(ReadTopology, UnequalLlcs) {
  EXPECT_THAT(LlcCpus(Read(FakeSysfs(machine::UnequalLlcs()))),
              ElementsAre(ElementsAre(0, 1, 2, 3, 4, 5), ElementsAre(6, 7)));
}

TEST(ReadTopology, WithoutLevel3TheCacheSharedByCoresIsTaken) {
  FakeMachine machine = machine::Hybrid();
  for (auto& [id, cpu] : machine.cpus) cpu.l3 = -1;
  const Topology topology = Read(FakeSysfs(machine));
  // The fast cores' level 2 belongs to one core each, so their package stands in.
  EXPECT_THAT(LlcCpus(topology), ElementsAre(ElementsAre(0, 1, 2, 3), ElementsAre(4, 5, 6, 7)));
  EXPECT_EQ(topology.llcs[0].level, 0);
  EXPECT_EQ(topology.llcs[1].level, 2);
  EXPECT_THAT(topology.notes, ElementsAre(HasSubstr("CPUs 4-7: no level 3 cache"),
                                          HasSubstr("CPUs 0-3: no shared cache known")));
}

TEST(ReadTopology, WithoutSharedCachesThePackageIsTaken) {
  FakeMachine machine = machine::Regular(2, 1, 2);
  for (auto& [id, cpu] : machine.cpus) {
    cpu.l3 = -1;
    cpu.node = 0;
  }
  const Topology topology = Read(FakeSysfs(machine));
  EXPECT_THAT(LlcCpus(topology), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
  EXPECT_THAT(topology.notes, ElementsAre(HasSubstr("the package is taken as LLC")));
}

TEST(ReadTopology, CacheThatSpansNodesIsSplit) {
  FakeMachine machine = machine::Flat(4);
  machine.cpus[2].node = machine.cpus[3].node = 1;
  const Topology topology = Read(FakeSysfs(machine));
  EXPECT_THAT(LlcCpus(topology), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
  EXPECT_THAT(topology.notes,
              ElementsAre(HasSubstr("CPUs 0-3: their cache spans nodes, split into 2 LLCs")));
}

TEST(ReadTopology, ContradictoryCacheListsStillGiveDisjointLlcs) {
  FakeSysfs sysfs(machine::Flat(4));
  sysfs.Write("devices/system/cpu/cpu3/cache/index3/shared_cpu_list", "2-3\n");
  EXPECT_THAT(LlcCpus(Read(sysfs)), ElementsAre(ElementsAre(0, 1, 2), ElementsAre(3)));
}

TEST(ReadTopology, NamedLevelsCountNotTheNumberOfTheIndex) {
  FakeSysfs sysfs(machine::TwoLlcs());
  // index3 gone, its content under another number; some machines order them so.
  for (int id = 0; id < 4; ++id) {
    const std::string dir = "devices/system/cpu/cpu" + std::to_string(id) + "/cache/";
    sysfs.Remove(dir + "index3");
    sysfs.Write(dir + "index9/level", "3\n");
    sysfs.Write(dir + "index9/type", "Unified\n");
    sysfs.Write(dir + "index9/shared_cpu_list", id < 2 ? "0-1\n" : "2-3\n");
  }
  const Topology topology = Read(sysfs);
  EXPECT_THAT(LlcCpus(topology), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
  EXPECT_THAT(topology.notes, IsEmpty());
}

TEST(ReadTopology, InstructionCachesDoNotCount) {
  FakeSysfs sysfs(machine::Flat(4));
  sysfs.RemoveForAll("cache/index3");
  sysfs.WriteForAll("cache/index1/shared_cpu_list", "0-3\n");
  const Topology topology = Read(sysfs);
  EXPECT_EQ(topology.llcs[0].level, 0);
}

TEST(ReadTopology, WithoutNumaOneNode) {
  FakeSysfs sysfs(machine::TwoLlcs());
  sysfs.Remove("devices/system/node");
  const Topology topology = Read(sysfs);
  ASSERT_EQ(topology.nodes.size(), 1u);
  EXPECT_EQ(topology.nodes[0].id, 0);
  EXPECT_THAT(topology.nodes[0].cpus, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(topology.notes, ElementsAre(HasSubstr("no NUMA nodes")));
}

TEST(ReadTopology, CpuInNoNodesListJoinsTheFirst) {
  FakeSysfs sysfs(machine::TwoNodesTwoLlcs());
  sysfs.Write("devices/system/node/node1/cpulist", "4-6\n");
  const Topology topology = Read(sysfs);
  EXPECT_EQ(topology.FindCpu(7)->node, 0);
  EXPECT_THAT(topology.notes, Contains(HasSubstr("CPUs 7: in no node's list")));
}

// Each file missing, or with the kernel's "unknown", or damaged: a topology comes out all the same,
// with every online CPU in it.
class SpoiledFile : public testing::TestWithParam<const char*> {};

TEST_P(SpoiledFile, IsSurvived) {
  for (const FakeMachine& machine :
       {machine::TwoNodesTwoLlcs(), machine::Smt(), machine::Hybrid()}) {
    FakeSysfs sysfs(machine);
    for (const char* text : {"-1\n", "", "garbage\n", "4294967295\n"}) {
      sysfs.WriteForAll(GetParam(), text);
      EXPECT_EQ(Read(sysfs).NrOnlineCpus(), machine.cpus.size()) << text;
    }
    sysfs.RemoveForAll(GetParam());
    EXPECT_EQ(Read(sysfs).NrOnlineCpus(), machine.cpus.size());
  }
}

INSTANTIATE_TEST_SUITE_P(PerCpu, SpoiledFile,
                         testing::Values("topology/physical_package_id", "topology/die_id",
                                         "topology/core_id", "topology/cluster_id",
                                         "topology/thread_siblings_list", "cache/index3/level",
                                         "cache/index3/type", "cache/index3/id",
                                         "cache/index3/shared_cpu_list",
                                         "cache/index2/shared_cpu_list"));

TEST(ReadTopology, CacheWithoutLevelOrTypeIsJudgedByItsIndex) {
  FakeSysfs sysfs(machine::TwoLlcs());
  sysfs.RemoveForAll("cache/index3/level");
  sysfs.RemoveForAll("cache/index3/type");
  const Topology topology = Read(sysfs);
  EXPECT_THAT(LlcCpus(topology), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
  EXPECT_EQ(topology.llcs[0].level, 3);
}

TEST(ReadTopology, OnlyTheListsOfCpus) {
  FakeSysfs sysfs(machine::Flat(4));
  sysfs.Remove("devices/system/node");
  sysfs.RemoveForAll("topology");
  sysfs.RemoveForAll("cache");
  const Topology topology = Read(sysfs);
  EXPECT_THAT(LlcCpus(topology), ElementsAre(ElementsAre(0, 1, 2, 3)));
  EXPECT_EQ(NrCores(topology), 4u);
  EXPECT_EQ(topology.notes.size(), 3u);
}

TEST(ReadTopology, MissingListsOfCpusAreMadeUpFromFolders) {
  FakeSysfs sysfs(machine::Hole());
  for (const char* name : {"possible", "present", "online"}) {
    sysfs.Remove(std::string("devices/system/cpu/") + name);
  }
  const Topology topology = Read(sysfs);
  EXPECT_EQ(topology.NrOnlineCpus(), 3u);
  EXPECT_FALSE(topology.FindCpu(1)->online);
  EXPECT_EQ(topology.notes.size(), 3u);
}

TEST(ReadTopology, RefusesATreeWithoutCpus) {
  FakeSysfs sysfs(machine::Flat(1));
  EXPECT_EQ(ReadTopology(sysfs.root() + "/none").status().code(), absl::StatusCode::kNotFound);
  sysfs.Write("devices/system/cpu/online", "\n");
  EXPECT_EQ(ReadTopology(sysfs.root()).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(ReadTopology, DamagedListOfCpusIsNamed) {
  FakeSysfs sysfs(machine::Flat(2));
  sysfs.Write("devices/system/cpu/online", "0-x\n");
  EXPECT_THAT(std::string(ReadTopology(sysfs.root()).status().message()),
              HasSubstr("/devices/system/cpu/online: CPU list \"0-x\": no number at byte 3"));
}

TEST(ReadTopology, LargeMachine) {
  const Topology topology = Read(FakeSysfs(machine::Regular(3, 19, 9)));  // 513 CPUs
  EXPECT_EQ(topology.NrOnlineCpus(), 513u);
  EXPECT_EQ(topology.llcs.size(), 57u);
}

}  // namespace
}  // namespace layered
