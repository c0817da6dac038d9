// SPDX-License-Identifier: Apache-2.0

#include "daemon/control/control_state.h"

#include "daemon/control/control_fixture.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

std::shared_ptr<const Revision> Numbered(uint64_t number) {
  auto revision = std::make_shared<Revision>();
  revision->number = number;
  return revision;
}

TEST(ControlState, KeepsTheLastRevisionsWithTheirFate) {
  ControlState state;
  for (uint64_t number = 1; number <= ControlState::kKept + 3; ++number) {
    state.Accept(Numbered(number));
  }
  state.OnSuperseded(10);
  state.OnPublished(11);
  state.OnPublishFailed(12, 6);
  state.OnPublished(1);  // forgotten already: no harm
  const auto log = state.Revisions();
  ASSERT_EQ(log.size(), ControlState::kKept);
  EXPECT_EQ(log.front().revision->number, 4u);
  EXPECT_EQ(log[6].fate, RevisionFate::kSuperseded);
  EXPECT_EQ(log[7].fate, RevisionFate::kPublished);
  EXPECT_EQ(log[8].fate, RevisionFate::kFailed);
  EXPECT_EQ(log[9].fate, RevisionFate::kAccepted);
  EXPECT_EQ(state.Desired()->number, ControlState::kKept + 3);
}

TEST(ControlState, KnowsWhichRevisionAPublishIs) {
  ControlState state;
  state.Accept(Numbered(9));
  state.OnPublishing(9, 3);
  EXPECT_EQ(state.RevisionInForce(3), 0u) << "nothing is scheduled yet";
  state.OnEnabled(std::make_shared<const Machine>(SmallMachine()), 1);
  EXPECT_EQ(state.RevisionInForce(3), 9u);
  EXPECT_EQ(state.RevisionInForce(0), 0u);
  EXPECT_EQ(state.RevisionInForce(2), 0u);
  state.OnEnded({.kind = 1026}, 1);
  EXPECT_EQ(state.RevisionInForce(3), 0u);
}

TEST(ControlState, FailedPublishesDoNotPushOutTheOneInForce) {
  ControlState state;
  state.OnEnabled(std::make_shared<const Machine>(SmallMachine()), 1);
  state.OnPublishing(9, 3);
  for (uint32_t publish = 4; publish < 4 + 2 * ControlState::kKept; ++publish) {
    state.OnPublishing(10, publish);
    state.OnPublishFailed(10, publish);
  }
  EXPECT_EQ(state.RevisionInForce(3), 9u);
}

TEST(ControlState, FirstBringUpTimeStaysAndExitsAreRemembered) {
  ControlState state;
  EXPECT_EQ(state.Get().state, v1::SCHEDULER_STATE_STARTING);
  const auto machine = std::make_shared<const Machine>(SmallMachine());
  state.OnEnabled(machine, 500);
  EXPECT_EQ(state.Get().state, v1::SCHEDULER_STATE_RUNNING);
  state.OnEnded({.kind = 66, .message = "hotplug"}, 77);
  EXPECT_EQ(state.Get().state, v1::SCHEDULER_STATE_FAILED);
  state.OnEnabled(machine, 900);
  EXPECT_EQ(state.Get().state, v1::SCHEDULER_STATE_RUNNING);
  EXPECT_EQ(state.Get().exec_to_enabled_ns, 500u);
  EXPECT_EQ(state.Get().last_exit->kind, 66u);
  EXPECT_EQ(state.Get().last_exit_time_ns, 77);
}

}  // namespace
}  // namespace layered
