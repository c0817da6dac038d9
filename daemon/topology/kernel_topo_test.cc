// SPDX-License-Identifier: Apache-2.0

#include "daemon/topology/kernel_topo.h"

#include <bit>

#include "daemon/topology/fake_sysfs.h"
#include "daemon/topology/sysfs_reader.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

using testing::HasSubstr;

Topology Read(const FakeMachine& machine) {
  const absl::StatusOr<Topology> topology = ReadTopology(FakeSysfs(machine).root());
  EXPECT_TRUE(topology.ok()) << topology.status();
  return topology.value_or(Topology());
}

layered_topo Convert(const Topology& topology) {
  const absl::StatusOr<layered_topo> topo = ToKernelTopo(topology);
  EXPECT_TRUE(topo.ok()) << topo.status();
  return topo.ok() ? *topo : layered_topo{};
}

std::string Refusal(const Topology& topology, absl::StatusCode code) {
  const absl::Status status = ToKernelTopo(topology).status();
  EXPECT_EQ(status.code(), code) << status;
  return std::string(status.message());
}

// `count` CPUs with ids 0, 1, .. in LLCs of `per_llc`, `llcs_per_node` to a node; no files.
Topology Made(int count, int per_llc, int llcs_per_node) {
  Topology topology;
  for (int id = 0; id < count; ++id) {
    const int llc = id / per_llc;
    const int node = llc / llcs_per_node;
    if (llc == static_cast<int>(topology.llcs.size())) topology.llcs.push_back({llc, 3, node, {}});
    if (node == static_cast<int>(topology.nodes.size())) topology.nodes.push_back({node, {}, {}});
    topology.llcs[llc].cpus.push_back(id);
    topology.nodes[node].cpus.push_back(id);
    topology.cpus.push_back({id, true, true, 0, id, llc, node, {id}});
  }
  return topology;
}

TEST(ToKernelTopo, TwoNodesTwoLlcs) {
  const layered_topo topo = Convert(Read(machine::TwoNodesTwoLlcs()));
  EXPECT_EQ(topo.nr_cpus, 8u);
  EXPECT_EQ(topo.nr_llcs, 4u);
  EXPECT_EQ(topo.nr_nodes, 2u);
  for (int cpu = 0; cpu < 8; ++cpu) EXPECT_EQ(topo.cpu_llc[cpu], cpu / 2);
  for (int llc = 0; llc < 4; ++llc) {
    EXPECT_EQ(topo.llc_node[llc], llc / 2);
    EXPECT_EQ(topo.llc_nr_cpus[llc], 2);
    EXPECT_EQ(topo.llc_first_cpu[llc], 2 * llc);
  }
  EXPECT_EQ(topo.node_llcs[0][0], 0b0011u);
  EXPECT_EQ(topo.node_llcs[1][0], 0b1100u);
}

TEST(ToKernelTopo, OfflineAndAbsentCpusCountAsOfLlc0) {
  FakeMachine machine = machine::TwoLlcs();
  machine.cpus[3].online = false;
  machine.possible = "0-7";
  const layered_topo topo = Convert(Read(machine));
  EXPECT_EQ(topo.nr_cpus, 8u);
  EXPECT_EQ(topo.cpu_llc[2], 1);
  EXPECT_EQ(topo.cpu_llc[3], 0);
  EXPECT_EQ(topo.cpu_llc[6], 0);
  EXPECT_EQ(topo.llc_nr_cpus[0], 2) << "and do not add to its size";
  EXPECT_EQ(topo.llc_nr_cpus[1], 1);
}

TEST(ToKernelTopo, FirstCpuOfAnLlcIsAnOnlineOne) {
  FakeMachine machine = machine::TwoLlcs();
  machine.cpus[2].online = false;
  EXPECT_EQ(Convert(Read(machine)).llc_first_cpu[1], 3);
}

TEST(ToKernelTopo, SparseIdsBecomeDense) {
  Topology topology;
  for (int id : {5, 40, 900}) {
    topology.cpus.push_back({id, true, true, 0, id, id * 2, id * 3, {id}});
    topology.llcs.push_back({id * 2, 3, id * 3, {id}});
    topology.nodes.push_back({id * 3, {id}, {id * 2}});
  }
  const layered_topo topo = Convert(topology);
  EXPECT_EQ(topo.nr_cpus, 901u);
  EXPECT_EQ(topo.nr_llcs, 3u);
  EXPECT_EQ(topo.cpu_llc[40], 1);
  EXPECT_EQ(topo.llc_node[2], 2);
  EXPECT_EQ(topo.node_llcs[2][0], 4u);
}

TEST(ToKernelTopo, NodesAndLlcsWithoutCpusAreLeftOut) {
  FakeMachine machine = machine::Flat(2);
  machine.cpus[0].node = machine.cpus[1].node = 1;
  machine.nodes_without_cpus = {0, 2};
  const layered_topo topo = Convert(Read(machine));
  EXPECT_EQ(topo.nr_nodes, 1u);
  EXPECT_EQ(topo.llc_node[0], 0);
}

TEST(ToKernelTopo, EveryLlcIsInExactlyOneNode) {
  const layered_topo topo = Convert(Made(513, 5, 10));  // 103 LLCs, 11 nodes
  EXPECT_EQ(topo.nr_llcs, 103u);
  int bits = 0;
  for (const auto& words : topo.node_llcs)
    bits += std::popcount(words[0]) + std::popcount(words[1]);
  EXPECT_EQ(bits, 103);
  EXPECT_EQ(topo.cpu_llc[512], 102);
  EXPECT_EQ(topo.node_llcs[10][1] >> (102 - 64) & 1, 1u);
}

TEST(ToKernelTopo, TakesTheLargestMachine) {
  const layered_topo topo = Convert(Made(1024, 8, 2));
  EXPECT_EQ(topo.nr_cpus, 1024u);
  EXPECT_EQ(topo.nr_llcs, 128u);
  EXPECT_EQ(topo.nr_nodes, 64u);
}

TEST(ToKernelTopo, RefusesLargerOnesWithNumberAndLimit) {
  EXPECT_THAT(Refusal(Made(1025, 64, 1), absl::StatusCode::kOutOfRange),
              HasSubstr("1025 CPU ids, at most 1024"));
  EXPECT_THAT(Refusal(Made(129, 1, 129), absl::StatusCode::kOutOfRange),
              HasSubstr("129 last-level caches, at most 128"));
  EXPECT_THAT(Refusal(Made(65, 1, 1), absl::StatusCode::kOutOfRange),
              HasSubstr("65 NUMA nodes with CPUs, at most 64"));
}

TEST(ToKernelTopo, RefusesAHighCpuIdEvenIfThereAreFewCpus) {
  FakeMachine machine = machine::Flat(2);
  machine.possible = "0-2047";
  EXPECT_THAT(Refusal(Read(machine), absl::StatusCode::kOutOfRange), HasSubstr("2048"));
}

TEST(ToKernelTopo, RefusesContradictions) {
  EXPECT_THAT(Refusal(Topology(), absl::StatusCode::kInvalidArgument), HasSubstr("no online CPU"));
  Topology topology = Made(4, 2, 1);
  topology.cpus[3].llc = 9;
  EXPECT_THAT(Refusal(topology, absl::StatusCode::kInvalidArgument), HasSubstr("LLC 9"));
  topology = Made(4, 2, 1);
  topology.llcs[1].node = 7;
  EXPECT_THAT(Refusal(topology, absl::StatusCode::kInvalidArgument), HasSubstr("node 7"));
  topology = Made(4, 2, 1);
  topology.llcs[1].cpus.pop_back();
  EXPECT_THAT(Refusal(topology, absl::StatusCode::kInvalidArgument), HasSubstr("disagree"));
}

}  // namespace
}  // namespace layered
