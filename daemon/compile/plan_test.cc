// SPDX-License-Identifier: Apache-2.0

#include "daemon/compile/plan.h"

#include <string>

#include "gtest/gtest.h"

namespace layered {
namespace {

Topology Cpus(const std::vector<int>& ids) {
  Topology topology;
  for (int id : ids) topology.cpus.emplace_back().id = id;
  return topology;
}

SlotTable Slots(const std::vector<std::vector<std::string>>& sets) {
  SlotTable slots;
  for (const auto& names : sets) {
    v1::LayerSet layers;
    for (const std::string& name : names) layers.add_layers()->set_name(name);
    EXPECT_TRUE(slots.Update(layers).ok());
  }
  return slots;
}

TEST(CompileOpenPlan, OneStageWithEverySlotInBothLists) {
  const auto plans = CompileOpenPlan(Cpus({0, 1}), Slots({{"gone", "a"}, {"a", "default"}}));
  ASSERT_EQ(plans.size(), 2u);
  for (const layered_plan_buf& plan : plans) {
    EXPECT_EQ(plan.owner, unsigned{LAYERED_MAX_SLOTS});
    for (int list = 0; list < LAYERED_NR_STAGE_LISTS; ++list) {
      EXPECT_EQ(plan.nr_stages[list], 1u);
      EXPECT_EQ(plan.stage[list][0][0], 0b111u) << "the draining one too";
      EXPECT_EQ(plan.stage[list][0][1], 0u);
      EXPECT_EQ(plan.stage[list][1][0], 0u);
    }
  }
}

TEST(CompileOpenPlan, EntriesAreByCpuIdWithoutHoles) {
  EXPECT_EQ(CompileOpenPlan(Cpus({0, 5}), Slots({{"a"}})).size(), 6u);
  EXPECT_EQ(CompileOpenPlan(Cpus({0, 5}), Slots({{"a"}}))[3].nr_stages[0], 1u);
  EXPECT_TRUE(CompileOpenPlan(Topology(), Slots({{"a"}})).empty());
}

TEST(CompileOpenPlan, SecondWordOfSlots) {
  std::vector<std::string> first, second;
  for (int i = 0; i < 64; ++i) {
    first.push_back("a" + std::to_string(i));
    second.push_back("b" + std::to_string(i));
  }
  const auto plans = CompileOpenPlan(Cpus({0}), Slots({first, second}));
  EXPECT_EQ(plans[0].stage[0][0][0], ~u64{0});
  EXPECT_EQ(plans[0].stage[0][0][1], ~u64{0});
}

}  // namespace
}  // namespace layered
