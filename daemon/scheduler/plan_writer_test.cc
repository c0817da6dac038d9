// SPDX-License-Identifier: Apache-2.0

#include "daemon/scheduler/plan_writer.h"

#include <vector>

#include "gtest/gtest.h"

namespace layered {
namespace {

layered_plan_buf Plan(u32 owner) {
  layered_plan_buf buf{};
  buf.owner = owner;
  return buf;
}

TEST(WritePlan, FillsTheBufferThatIsNotInForce) {
  layered_cpu_plan plan{};
  plan.buf[0].owner = 1;
  WritePlan(Plan(2), plan);
  EXPECT_EQ(plan.seq, 1u);
  EXPECT_EQ(plan.buf[plan.seq & 1].owner, 2u);
  EXPECT_EQ(plan.buf[0].owner, 1u) << "the old plan must stay whole for those who read it";
  WritePlan(Plan(3), plan);
  EXPECT_EQ(plan.seq, 2u);
  EXPECT_EQ(plan.buf[0].owner, 3u);
  EXPECT_EQ(plan.buf[1].owner, 2u);
}

TEST(WriteAllPlans, GoesByCpuAndLeavesSurplusAlone) {
  std::vector<layered_cpu_plan> plans(2);
  WriteAllPlans(std::vector{Plan(5), Plan(6), Plan(7)}, plans);
  EXPECT_EQ(plans[0].buf[1].owner, 5u);
  EXPECT_EQ(plans[1].buf[1].owner, 6u);
  WriteAllPlans(std::vector{Plan(8)}, plans);
  EXPECT_EQ(plans[0].seq, 2u);
  EXPECT_EQ(plans[1].seq, 1u);
}

}  // namespace
}  // namespace layered
