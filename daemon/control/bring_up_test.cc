// SPDX-License-Identifier: Apache-2.0

#include "daemon/control/bring_up.h"

#include <string>
#include <vector>

#include "daemon/control/control_fixture.h"
#include "daemon/scheduler/fake_backend.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

using Calls = std::vector<std::string>;

TEST(BringUp, TablesAreInTheKernelBeforeTheSchedulerIs) {
  FakeBackend backend;
  const auto machine = BringUp(
      backend, [] { return SmallMachine(42); }, Desired(TwoLayers(), 7), 1);
  ASSERT_TRUE(machine.ok());
  EXPECT_EQ(backend.calls(), (Calls{"load", "plans", "publish 7", "attach"}));
  EXPECT_EQ(backend.hotplug_seq(), 42u);
  EXPECT_EQ(backend.plans().size(), 2u);
  EXPECT_EQ(backend.published()[0]->publish, 1u);
  EXPECT_EQ((*machine)->hotplug_seq, 42u);
}

TEST(BringUp, ReadsTheMachineAgainWhenCpusCameOrWent) {
  FakeBackend backend;
  backend.SetAttachStatus(absl::AbortedError("hotplug"), 2);
  uint64_t seq = 0;
  const auto machine = BringUp(
      backend, [&] { return SmallMachine(++seq); }, Desired(TwoLayers(), 1), 1);
  ASSERT_TRUE(machine.ok()) << machine.status().ToString();
  EXPECT_EQ(seq, 3u);
  EXPECT_EQ(backend.hotplug_seq(), 3u);
}

TEST(BringUp, GivesUpAfterThreeTries) {
  FakeBackend backend;
  backend.SetAttachStatus(absl::AbortedError("hotplug"));
  int reads = 0;
  const auto machine = BringUp(
      backend,
      [&] {
        ++reads;
        return SmallMachine();
      },
      Desired(TwoLayers(), 1), 1);
  EXPECT_TRUE(absl::IsAborted(machine.status()));
  EXPECT_EQ(reads, kBringUpTries);
}

TEST(BringUp, AnyOtherFailureEndsItAtOnce) {
  FakeBackend backend;
  backend.SetLoadStatus(absl::FailedPreconditionError("verifier"));
  const auto machine = BringUp(
      backend, [] { return SmallMachine(); }, Desired(TwoLayers(), 1), 1);
  EXPECT_TRUE(absl::IsFailedPrecondition(machine.status()));
  EXPECT_EQ(backend.calls(), Calls{"load"});
}

TEST(PublishTables, NoRulesWithoutTheirPlan) {
  FakeBackend backend;
  backend.SetPlansStatus(absl::InternalError("plans"));
  EXPECT_FALSE(PublishTables(backend, SmallMachine(), Desired(TwoLayers(), 1), 1).ok());
  EXPECT_EQ(backend.calls(), Calls{"plans"});
}

}  // namespace
}  // namespace layered
