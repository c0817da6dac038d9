// SPDX-License-Identifier: Apache-2.0
//
// A scheduler without a kernel, for tests: it records every call in order, answers with what the
// test sets, and can hold a Publish until the test lets it go.
//
// Thread-safety: all methods and setters may be called from any thread.
// Ownership: the test owns the fake, which must outlive what uses it.
// Failure: each step returns the status set for it; OK until set.

#ifndef LAYERED_DAEMON_SCHEDULER_FAKE_BACKEND_H_
#define LAYERED_DAEMON_SCHEDULER_FAKE_BACKEND_H_

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "daemon/scheduler/sched_backend.h"

namespace layered {

class FakeBackend final : public SchedBackend {
 public:
  // --- what the code under test calls ---

  absl::Status Load(const layered_topo& topo, uint64_t hotplug_seq) override {
    std::lock_guard lock(mutex_);
    calls_.push_back("load");
    topo_ = topo;
    hotplug_seq_ = hotplug_seq;
    exit_.reset();
    events_ = {};
    return load_status_;
  }

  absl::Status WritePlans(const std::vector<layered_plan_buf>& plans) override {
    std::lock_guard lock(mutex_);
    calls_.push_back("plans");
    plans_ = plans;
    return plans_status_;
  }

  // Blocks while held (see HoldPublish). The new tables are live before that, as in the kernel,
  // where ops meet them while the system call still waits; not with SetLiveFollowsPublish(false).
  absl::Status Publish(const layered_revision& revision) override {
    std::unique_lock lock(mutex_);
    calls_.push_back("publish " + std::to_string(revision.revision));
    if (!publish_status_.ok()) return publish_status_;
    if (live_follows_) live_ = revision.publish;
    ++publishing_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !held_; });
    --publishing_;
    published_.push_back(std::make_shared<const layered_revision>(revision));
    changed_.notify_all();
    return absl::OkStatus();
  }

  absl::Status Attach() override {
    std::lock_guard lock(mutex_);
    calls_.push_back("attach");
    absl::Status status = attach_status_;
    if (attach_failures_ > 0 && --attach_failures_ == 0) attach_status_ = absl::OkStatus();
    return status;
  }

  void Detach() override {
    std::lock_guard lock(mutex_);
    calls_.push_back("detach");
  }

  std::optional<SchedExit> Exit() const override {
    std::lock_guard lock(mutex_);
    return exit_;
  }

  uint32_t LivePublish() const override {
    std::lock_guard lock(mutex_);
    return live_;
  }

  SchedEvents Events() const override {
    std::lock_guard lock(mutex_);
    return events_;
  }

  Counters ReadCounters() const override {
    std::lock_guard lock(mutex_);
    return counters_;
  }

  std::vector<BpfProgram> Programs() const override {
    std::lock_guard lock(mutex_);
    return programs_;
  }

  std::vector<std::string> MissingHooks() const override {
    std::lock_guard lock(mutex_);
    return missing_;
  }

  // --- what the test sets ---

  void SetLoadStatus(absl::Status status) { Set(load_status_, std::move(status)); }
  void SetPlansStatus(absl::Status status) { Set(plans_status_, std::move(status)); }
  void SetPublishStatus(absl::Status status) { Set(publish_status_, std::move(status)); }
  void SetExit(std::optional<SchedExit> exit) { Set(exit_, std::move(exit)); }
  void SetLivePublish(uint32_t publish) { Set(live_, publish); }
  void SetLiveFollowsPublish(bool follows) { Set(live_follows_, follows); }
  void SetEvents(const SchedEvents& events) { Set(events_, events); }
  void SetCounters(const Counters& counters) { Set(counters_, counters); }
  void SetPrograms(std::vector<BpfProgram> programs) { Set(programs_, std::move(programs)); }
  void SetMissingHooks(std::vector<std::string> missing) { Set(missing_, std::move(missing)); }

  // Attach fails `times` times with this status (0: always).
  void SetAttachStatus(absl::Status status, int times = 0) {
    std::lock_guard lock(mutex_);
    attach_status_ = std::move(status);
    attach_failures_ = times;
  }

  // From now on (true) every Publish waits until HoldPublish(false).
  void HoldPublish(bool hold) {
    std::lock_guard lock(mutex_);
    held_ = hold;
    changed_.notify_all();
  }

  // Waits until a Publish is being held.
  void WaitForHeldPublish() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return publishing_ > 0; });
  }

  // Waits until `count` publishes have succeeded.
  void WaitForPublished(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this, count] { return published_.size() >= count; });
  }

  // --- what the test looks at ---

  std::vector<std::string> calls() const { return Get(calls_); }
  std::vector<layered_plan_buf> plans() const { return Get(plans_); }
  uint64_t hotplug_seq() const { return Get(hotplug_seq_); }
  layered_topo topo() const { return Get(topo_); }
  // Every published revision, oldest first.
  std::vector<std::shared_ptr<const layered_revision>> published() const { return Get(published_); }

 private:
  template <typename T, typename U>
  void Set(T& member, U value) {
    std::lock_guard lock(mutex_);
    member = std::move(value);
  }
  template <typename T>
  T Get(const T& member) const {
    std::lock_guard lock(mutex_);
    return member;
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  absl::Status load_status_, plans_status_, publish_status_, attach_status_;
  int attach_failures_ = 0;
  bool held_ = false;
  int publishing_ = 0;
  bool live_follows_ = true;
  uint32_t live_ = 0;
  uint64_t hotplug_seq_ = 0;
  layered_topo topo_{};
  std::optional<SchedExit> exit_;
  SchedEvents events_;
  Counters counters_;
  std::vector<std::string> calls_;
  std::vector<layered_plan_buf> plans_;
  std::vector<std::shared_ptr<const layered_revision>> published_;
  std::vector<BpfProgram> programs_;
  std::vector<std::string> missing_;
};

}  // namespace layered

#endif  // LAYERED_DAEMON_SCHEDULER_FAKE_BACKEND_H_
