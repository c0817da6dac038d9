// SPDX-License-Identifier: Apache-2.0
//
// Every shipped layer set must work as it is: parsed, validated, compiled to rules and plans, on
// small and large machines.

#include <filesystem>
#include <set>
#include <string>

#include "daemon/compile/plan.h"
#include "daemon/compile/reference_match.h"
#include "daemon/compile/rules.h"
#include "daemon/compile/slot_table.h"
#include "daemon/config/load.h"
#include "daemon/topology/fake_sysfs.h"
#include "daemon/topology/kernel_topo.h"
#include "daemon/topology/sysfs_reader.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

using testing::IsSupersetOf;

constexpr char kFolder[] = "deploy/examples/";

v1::LayerSet Load(const std::string& file) {
  absl::StatusOr<v1::LayerSet> layers = LoadLayerSetFile(kFolder + file);
  EXPECT_TRUE(layers.ok()) << file << ": " << layers.status();
  return layers.ok() ? *std::move(layers) : v1::LayerSet();
}

std::set<std::string> Files() {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    files.insert(entry.path().filename().string());
  }
  return files;
}

// The layer that an example gives to a task, by its compiled table.
std::string LayerOf(const std::string& file, const TaskAttrs& task) {
  const v1::LayerSet layers = Load(file);
  SlotTable slots;
  EXPECT_TRUE(slots.Update(layers).ok());
  const auto table = CompileRules(layers, slots, 1, 1);
  EXPECT_TRUE(table.ok()) << table.status();
  return table.ok() ? slots.NameOf(MatchByTable(**table, task)) : "";
}

TEST(Examples, NamedOnesAreThere) {
  EXPECT_THAT(Files(), IsSupersetOf({"default.json", "demo.json", "three.json"}));
}

TEST(Examples, WorkOnEveryMachine) {
  for (const std::string& file : Files()) {
    const v1::LayerSet layers = Load(file);
    SlotTable slots;
    ASSERT_TRUE(slots.Update(layers).ok()) << file;
    const auto table = CompileRules(layers, slots, 1, 1);
    ASSERT_TRUE(table.ok()) << file << ": " << table.status();
    EXPECT_EQ((*table)->policy[slots.Live().back().slot].live, 1);
    for (int cpus : {1, 4, 16}) {
      const auto topology = ReadTopology(FakeSysfs(machine::Flat(cpus)).root());
      ASSERT_TRUE(topology.ok()) << topology.status();
      EXPECT_TRUE(ToKernelTopo(*topology).ok());
      EXPECT_EQ(CompileOpenPlan(*topology, slots).size(), static_cast<size_t>(cpus));
    }
  }
}

TEST(Examples, AllLayersAreOpenAndACatchAllComesLast) {
  for (const std::string& file : Files()) {
    const v1::LayerSet layers = Load(file);
    ASSERT_GT(layers.layers_size(), 0);
    for (const v1::Layer& layer : layers.layers()) EXPECT_EQ(layer.kind(), v1::LAYER_KIND_OPEN);
    EXPECT_EQ(LayerOf(file, {.cgroup = "/nowhere", .comm = "x", .uid = 12345}),
              layers.layers(layers.layers_size() - 1).name());
  }
}

TEST(Examples, DemoTellsItsWorkloadsApart) {
  for (const char* name : {"web", "batch", "misc"}) {
    EXPECT_EQ(LayerOf("demo.json", {.cgroup = std::string("/demo/") + name}), name);
    EXPECT_EQ(LayerOf("demo.json", {.cgroup = std::string("/demo/") + name + "/worker"}), name);
  }
  EXPECT_EQ(LayerOf("demo.json", {.cgroup = "/demo"}), "default");
  EXPECT_EQ(LayerOf("demo.json", {.cgroup = "/demo/website"}), "default");
}

TEST(Examples, ThreeTakesWhatItSays) {
  EXPECT_EQ(LayerOf("three.json", {.cgroup = "/system.slice/cron.service"}), "services");
  EXPECT_EQ(LayerOf("three.json", {.cgroup = "/user.slice", .comm = "sshd"}), "services");
  EXPECT_EQ(LayerOf("three.json", {.cgroup = "/user.slice/a", .comm = "vi", .uid = 7}), "people");
  EXPECT_EQ(LayerOf("three.json", {.cgroup = "/user.slice/a", .uid = 7, .nice = 15}), "batch");
  EXPECT_EQ(LayerOf("three.json", {.cgroup = "/batch.slice"}), "batch");
  EXPECT_EQ(LayerOf("three.json", {.cgroup = "/", .kthread = true}), "default");
}

}  // namespace
}  // namespace layered
