// SPDX-License-Identifier: Apache-2.0
//
// The control side on a fake scheduler and a fake clock: its threads are real, its time is not.

#include "daemon/control/controller.h"

#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "daemon/base/fake_clock.h"
#include "daemon/control/control_fixture.h"
#include "daemon/scheduler/fake_backend.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

class ControllerTest : public testing::Test {
 protected:
  ControllerTest() {
    controller_.emplace(Controller::Options{
        .backend = &backend_,
        .clock = &clock_,
        .read_machine =
            [this] {
              Machine machine = SmallMachine(++reads_);
              machine.kernel.llc_nr_cpus[0] = static_cast<u16>(cpus_);
              return machine;
            },
        .sched_ext = SchedExtSysfs("/nonexistent"),
        .facts = {.instance_id = "abcd", .version = "1", .kernel = "k", .config = "f", .pid = 3},
        .process_age_ns = [] { return uint64_t{123}; },
        .on_failed = [this](const SchedExit& exit) { failed_.set_value(exit); }});
  }
  ~ControllerTest() override {
    backend_.HoldPublish(false);
    controller_.reset();
  }

  void Start(const v1::LayerSet& layers = TwoLayers()) {
    const absl::Status status = controller_->Start(layers, "config f");
    ASSERT_TRUE(status.ok()) << status.ToString();
  }

  absl::StatusOr<CommitResult> Set(const std::string& name, uint32_t weight) {
    return Commit(*controller_, SetWeight(name, weight));
  }

  std::vector<RevisionFate> Fates() const {
    std::vector<RevisionFate> fates;
    for (const auto& record : controller_->Revisions()) fates.push_back(record.fate);
    return fates;
  }

  // Lets the publisher see its next tick, and waits until it has dealt with it.
  void Tick(uint64_t ns = Publisher::kTickNs) {
    clock_.AwaitWaiters(1);
    clock_.Advance(ns);
    clock_.AwaitWaiters(1);
  }

  FakeBackend backend_;
  FakeClock clock_;
  std::atomic<uint64_t> reads_{0};
  std::atomic<int> cpus_{2};  // online, as the next reading of the machine finds them
  std::promise<SchedExit> failed_;
  std::optional<Controller> controller_;
};

TEST_F(ControllerTest, StartMakesRevisionOneAndReportsIt) {
  Start();
  const auto desired = controller_->Desired();
  EXPECT_EQ(desired->number, 1u);
  EXPECT_EQ(desired->parent, 0u);
  EXPECT_EQ(desired->etag, "abcd-1");
  const auto status = controller_->GetStatus();
  EXPECT_EQ(status.state(), v1::SCHEDULER_STATE_RUNNING);
  EXPECT_EQ(status.desired_revision(), 1u);
  EXPECT_EQ(status.observed_revision(), 1u);
  EXPECT_EQ(status.exec_to_enabled_ns(), 123u);
  EXPECT_EQ(status.topology().cpus(), 2u);
  EXPECT_EQ(status.unsaved_changes(), 0u);
}

TEST_F(ControllerTest, StartTellsWhyItFailed) {
  backend_.SetAttachStatus(absl::AlreadyExistsError("another: simple"));
  EXPECT_TRUE(absl::IsAlreadyExists(controller_->Start(TwoLayers(), "")));
}

TEST_F(ControllerTest, ASetIsPublishedAndObserved) {
  Start();
  const auto result = Set("web", 7);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->revision->number, 2u);
  EXPECT_EQ(result->revision->parent, 1u);
  EXPECT_EQ(result->revision->author, "uid=0 pid=1 comm=test");
  backend_.WaitForPublished(2);
  EXPECT_EQ(backend_.published()[1]->revision, 2u);
  EXPECT_EQ(backend_.published()[1]->publish, 2u);
  clock_.AwaitWaiters(1);
  EXPECT_EQ(controller_->GetStatus().observed_revision(), 2u);
  EXPECT_EQ(controller_->GetStatus().unsaved_changes(), 1u);
}

TEST_F(ControllerTest, ObservedLagsUntilAnOpHasSeenIt) {
  backend_.SetLiveFollowsPublish(false);
  Start();
  EXPECT_EQ(controller_->GetStatus().observed_revision(), 0u);
  backend_.SetLivePublish(1);
  EXPECT_EQ(controller_->GetStatus().observed_revision(), 1u);
  ASSERT_TRUE(Set("web", 7).ok());
  backend_.WaitForPublished(2);
  clock_.AwaitWaiters(1);
  EXPECT_EQ(controller_->GetStatus().desired_revision(), 2u);
  EXPECT_EQ(controller_->GetStatus().observed_revision(), 1u);
}

TEST_F(ControllerTest, UnchangedMakesNoRevision) {
  Start();
  const auto result = Set("web", 300);
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->unchanged);
  EXPECT_EQ(result->revision->number, 1u);
  EXPECT_EQ(controller_->GetStatus().unsaved_changes(), 0u);
}

TEST_F(ControllerTest, RefusedCommandsChangeNothing) {
  Start();
  v1::SetLayerRequest stale = SetWeight("web", 7);
  stale.set_etag("abcd-9");
  EXPECT_TRUE(absl::IsAborted(Commit(*controller_, stale).status()));
  EXPECT_FALSE(Set("web", 0).ok());
  EXPECT_EQ(controller_->Desired()->number, 1u);
  EXPECT_EQ(controller_->Revisions().size(), 1u);
}

TEST_F(ControllerTest, PlanGoesBeforeRules) {
  Start();
  ASSERT_TRUE(Commit(*controller_, NewLayer("batch")).ok());
  backend_.WaitForPublished(2);
  const auto calls = backend_.calls();
  ASSERT_GE(calls.size(), 2u);
  EXPECT_EQ(calls[calls.size() - 2], "plans");
  EXPECT_EQ(calls[calls.size() - 1], "publish 2");
  const uint32_t slot = controller_->Slots()->Find("batch")->slot;
  EXPECT_TRUE(backend_.plans()[0].stage[LAYERED_STAGES_NORMAL][0][slot / 64] >> (slot % 64) & 1);
}

TEST_F(ControllerTest, ARemovedLayerStaysInThePlan) {
  Start();
  const uint32_t slot = controller_->Slots()->Find("web")->slot;
  v1::DeleteLayerRequest removal;
  removal.set_name("web");
  ASSERT_TRUE(Commit(*controller_, removal).ok());
  backend_.WaitForPublished(2);
  EXPECT_EQ(backend_.published()[1]->policy[slot].live, 0);
  EXPECT_TRUE(backend_.plans()[0].stage[LAYERED_STAGES_NORMAL][0][slot / 64] >> (slot % 64) & 1);
}

TEST_F(ControllerTest, ThePublisherTakesTheNewestAndSupersedesTheRest) {
  Start();
  backend_.HoldPublish(true);
  ASSERT_TRUE(Set("web", 2).ok());
  backend_.WaitForHeldPublish();  // revision 2 is on its way and cannot be called back
  ASSERT_TRUE(Set("web", 3).ok());
  ASSERT_TRUE(Set("web", 4).ok());
  ASSERT_TRUE(Set("web", 5).ok());
  backend_.HoldPublish(false);
  backend_.WaitForPublished(3);
  clock_.AwaitWaiters(1);
  EXPECT_EQ(backend_.published().size(), 3u);
  EXPECT_EQ(backend_.published()[2]->revision, 5u);
  EXPECT_EQ(Fates(), (std::vector{RevisionFate::kPublished, RevisionFate::kPublished,
                                  RevisionFate::kSuperseded, RevisionFate::kSuperseded,
                                  RevisionFate::kPublished}));
}

TEST_F(ControllerTest, CommandsAreAnsweredWhileAPublishWaits) {
  Start();
  backend_.HoldPublish(true);
  ASSERT_TRUE(Set("web", 2).ok());
  backend_.WaitForHeldPublish();
  EXPECT_TRUE(Set("web", 3).ok());
  EXPECT_EQ(controller_->GetStatus().desired_revision(), 3u);
}

TEST_F(ControllerTest, ARevisionIsInForceWhileItsPublishStillWaits) {
  Start();
  backend_.HoldPublish(true);
  ASSERT_TRUE(Set("web", 2).ok());
  backend_.WaitForHeldPublish();
  EXPECT_EQ(controller_->GetStatus().observed_revision(), 2u);
  EXPECT_EQ(controller_->ObservedRevision(), 2u);
}

TEST_F(ControllerTest, AFailedPublishKeepsTheOldAndIsTriedAgain) {
  Start();
  clock_.AwaitWaiters(1);
  backend_.SetPublishStatus(absl::ResourceExhaustedError("no memory"));
  ASSERT_TRUE(Set("web", 2).ok());
  while (Fates().back() == RevisionFate::kAccepted) std::this_thread::yield();
  EXPECT_EQ(Fates().back(), RevisionFate::kFailed);
  EXPECT_EQ(controller_->GetStatus().observed_revision(), 1u);
  EXPECT_EQ(controller_->GetStatus().desired_revision(), 2u);
  EXPECT_EQ(controller_->GetStatus().state(), v1::SCHEDULER_STATE_RUNNING);

  backend_.SetPublishStatus(absl::OkStatus());
  Tick(Publisher::kRetryNs);
  backend_.WaitForPublished(2);
  clock_.AwaitWaiters(1);
  EXPECT_EQ(controller_->GetStatus().observed_revision(), 2u);
  EXPECT_EQ(backend_.published()[1]->publish, 3u) << "a publish number is never used twice";
}

TEST_F(ControllerTest, AFloodIsRefusedNotStored) {
  Start();
  // The control thread is kept busy by the answer to the first command.
  std::promise<void> busy, go;
  controller_->Submit(SetWeight("web", 2), {}, [&](absl::StatusOr<CommitResult>) {
    busy.set_value();
    go.get_future().wait();
  });
  busy.get_future().wait();
  std::vector<absl::StatusCode> codes;
  std::mutex mutex;
  auto note = [&](absl::StatusOr<CommitResult> result) {
    std::lock_guard lock(mutex);
    codes.push_back(result.status().code());
  };
  for (size_t i = 0; i < Controller::kQueueLimit + 5; ++i) {
    controller_->Submit(SetWeight("web", 2), {}, note);
  }
  {
    std::lock_guard lock(mutex);
    EXPECT_EQ(codes, std::vector(5, absl::StatusCode::kResourceExhausted));
  }
  go.set_value();
  controller_->Stop();
  EXPECT_EQ(codes.size(), Controller::kQueueLimit + 5) << "each command is answered once";
}

TEST_F(ControllerTest, AfterStopCommandsAreUnavailable) {
  Start();
  controller_->Stop();
  EXPECT_TRUE(absl::IsUnavailable(Set("web", 2).status()));
}

TEST_F(ControllerTest, ReplaceIsOneRevisionAndClearsUnsavedChanges) {
  Start();
  ASSERT_TRUE(Set("web", 2).ok());
  ASSERT_TRUE(Commit(*controller_, NewLayer("batch")).ok());
  EXPECT_EQ(controller_->GetStatus().unsaved_changes(), 2u);
  const auto result = Commit(*controller_, ReplaceCommand{TwoLayers(), "config f"});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->revision->number, 4u);
  EXPECT_EQ(result->revision->author, "config f");
  EXPECT_EQ(result->revision->reason, "config f; drops live changes of: batch, web");
  EXPECT_EQ(controller_->GetStatus().unsaved_changes(), 0u);
  EXPECT_EQ(controller_->Desired()->layers.layers_size(), 2);
}

TEST_F(ControllerTest, AFaultyReplaceKeepsEverything) {
  Start();
  ASSERT_TRUE(Set("web", 2).ok());
  v1::LayerSet bad = TwoLayers();
  bad.mutable_layers(0)->set_weight(99999);
  EXPECT_FALSE(Commit(*controller_, ReplaceCommand{bad, ""}).ok());
  EXPECT_EQ(controller_->Desired()->number, 2u);
  EXPECT_EQ(controller_->GetStatus().unsaved_changes(), 1u);
}

TEST_F(ControllerTest, NamesBeyondTheSlotsAreRefused) {
  Start();
  // Each name takes a slot for good in this version.
  int accepted = 0;
  absl::Status refused;
  for (int i = 0; i < LAYERED_MAX_SLOTS + 1; ++i) {
    const std::string name = "l" + std::to_string(i);
    const auto result = Commit(*controller_, NewLayer(name));
    if (!result.ok()) {
      refused = result.status();
      break;
    }
    ++accepted;
    v1::DeleteLayerRequest removal;
    removal.set_name(name);
    ASSERT_TRUE(Commit(*controller_, removal).ok());
  }
  EXPECT_EQ(accepted, LAYERED_MAX_SLOTS - 2);
  EXPECT_TRUE(absl::IsResourceExhausted(refused)) << refused.ToString();
  EXPECT_EQ(controller_->Desired()->layers.layers_size(), 2);
}

TEST_F(ControllerTest, AnEjectionIsToldAndTheApiStaysUp) {
  Start();
  backend_.SetExit(SchedExit{.kind = 1026, .reason = "runnable task stall", .message = "x"});
  clock_.AwaitWaiters(1);
  clock_.Advance(Publisher::kTickNs);
  EXPECT_EQ(failed_.get_future().get().kind, 1026u);
  clock_.AwaitWaiters(1);
  const auto status = controller_->GetStatus();
  EXPECT_EQ(status.state(), v1::SCHEDULER_STATE_FAILED);
  EXPECT_EQ(status.last_exit().kind(), 1026u);
  EXPECT_EQ(status.last_exit().message(), "runnable task stall: x");
  EXPECT_EQ(status.observed_revision(), 0u) << "nothing of ours is in force";
  EXPECT_EQ(controller_->ObservedRevision(), 0u);
  Tick();
  Tick();  // told once: a second set_value would end the test
}

TEST_F(ControllerTest, AfterAnEjectionChangesAreTakenAndNotPublished) {
  Start();
  backend_.SetExit(SchedExit{.kind = 1026, .reason = "runnable task stall", .message = "x"});
  Tick();
  ASSERT_TRUE(Set("web", 2).ok());
  Tick(Publisher::kRetryNs);
  EXPECT_EQ(backend_.published().size(), 1u);
  EXPECT_EQ(Fates().back(), RevisionFate::kAccepted);
  EXPECT_EQ(controller_->GetStatus().desired_revision(), 2u);
}

TEST_F(ControllerTest, AChangeThatMeetsAnEjectionFirstIsNotPublished) {
  Start();
  clock_.AwaitWaiters(1);
  backend_.SetExit(SchedExit{.kind = 1026, .reason = "runnable task stall", .message = "x"});
  ASSERT_TRUE(Set("web", 2).ok());  // before the tick that looks for the exit
  Tick();
  EXPECT_EQ(backend_.published().size(), 1u);
  EXPECT_EQ(controller_->GetStatus().state(), v1::SCHEDULER_STATE_FAILED);
}

TEST_F(ControllerTest, FiguresFollowCpusThatComeAndGo) {
  Start();
  Tick();
  EXPECT_EQ(reads_, 1u) << "without a hot-plug the machine is not read again";
  cpus_ = 3;
  backend_.SetEvents({.hotplugs = 1});
  Tick();
  EXPECT_EQ(controller_->GetStatus().topology().cpus(), 3u);
  EXPECT_EQ(controller_->OnlineCpus(), 3u);
  cpus_ = 1;  // what sysfs says only later, without another event
  Tick();
  EXPECT_EQ(controller_->OnlineCpus(), 1u);
  for (int i = 0; i < Publisher::kSettleTicks; ++i) Tick();
  EXPECT_EQ(reads_, 1u + Publisher::kSettleTicks);
  EXPECT_EQ(backend_.published().size(), 1u) << "tables are those of the load";
}

TEST_F(ControllerTest, StatusCountsPathsThatAreTooLong) {
  Start();
  backend_.SetEvents({.truncated_paths = 4});
  EXPECT_EQ(controller_->GetStatus().truncated_paths(), 4u);
}

TEST_F(ControllerTest, TheKernelsRestartRequestLoadsTheNewestRevisionAgain) {
  Start();
  ASSERT_TRUE(Set("web", 2).ok());
  backend_.WaitForPublished(2);
  clock_.AwaitWaiters(1);
  backend_.SetExit(SchedExit{.kind = 66, .code = (int64_t{1} << 48) | (int64_t{1} << 32)});
  Tick();
  backend_.WaitForPublished(3);
  clock_.AwaitWaiters(1);
  EXPECT_EQ(reads_, 2u) << "the machine is read again";
  EXPECT_EQ(backend_.published()[2]->revision, 2u);
  const auto status = controller_->GetStatus();
  EXPECT_EQ(status.state(), v1::SCHEDULER_STATE_RUNNING);
  EXPECT_EQ(status.last_exit().kind(), 66u);
  EXPECT_EQ(status.exec_to_enabled_ns(), 123u);
}

}  // namespace
}  // namespace layered
