// SPDX-License-Identifier: Apache-2.0

#include "daemon/control/control_state.h"

#include <utility>

namespace layered {

ControlState::Snapshot ControlState::Get() const {
  std::lock_guard lock(mutex_);
  return now_;
}

std::shared_ptr<const Revision> ControlState::Desired() const {
  std::lock_guard lock(mutex_);
  return now_.desired;
}

std::vector<RevisionRecord> ControlState::Revisions() const {
  std::lock_guard lock(mutex_);
  return {log_.begin(), log_.end()};
}

uint64_t ControlState::RevisionInForce(uint32_t live_publish) const {
  std::lock_guard lock(mutex_);
  if (now_.state != v1::SCHEDULER_STATE_RUNNING) return 0;
  const auto found = publishes_.find(live_publish);
  return found == publishes_.end() ? 0 : found->second;
}

void ControlState::Accept(std::shared_ptr<const Revision> revision) {
  std::lock_guard lock(mutex_);
  now_.desired = revision;
  log_.push_back({std::move(revision)});
  if (log_.size() > kKept) log_.pop_front();
}

void ControlState::SetUnsavedChanges(uint64_t count) {
  std::lock_guard lock(mutex_);
  now_.unsaved_changes = count;
}

void ControlState::OnSuperseded(uint64_t number) {
  std::lock_guard lock(mutex_);
  SetFate(number, RevisionFate::kSuperseded);
}

void ControlState::OnPublishing(uint64_t number, uint32_t publish) {
  std::lock_guard lock(mutex_);
  publishes_[publish] = number;
  if (publishes_.size() > kKept) publishes_.erase(publishes_.begin());
}

void ControlState::OnPublished(uint64_t number) {
  std::lock_guard lock(mutex_);
  SetFate(number, RevisionFate::kPublished);
}

void ControlState::OnPublishFailed(uint64_t number, uint32_t publish) {
  std::lock_guard lock(mutex_);
  SetFate(number, RevisionFate::kFailed);
  // A row of failures must not push out the number that is in force.
  publishes_.erase(publish);
}

void ControlState::OnEnabled(std::shared_ptr<const Machine> machine, uint64_t exec_to_enabled_ns) {
  std::lock_guard lock(mutex_);
  now_.state = v1::SCHEDULER_STATE_RUNNING;
  now_.loaded = machine;
  now_.seen = std::move(machine);
  if (now_.exec_to_enabled_ns == 0) now_.exec_to_enabled_ns = exec_to_enabled_ns;
}

void ControlState::OnMachineSeen(std::shared_ptr<const Machine> machine) {
  std::lock_guard lock(mutex_);
  now_.seen = std::move(machine);
}

void ControlState::OnEnded(const SchedExit& exit, int64_t time_ns) {
  std::lock_guard lock(mutex_);
  now_.state = v1::SCHEDULER_STATE_FAILED;
  now_.last_exit = exit;
  now_.last_exit_time_ns = time_ns;
}

void ControlState::SetFate(uint64_t number, RevisionFate fate) {
  for (RevisionRecord& record : log_) {
    if (record.revision->number == number) record.fate = fate;
  }
}

}  // namespace layered
