// SPDX-License-Identifier: Apache-2.0

#include "daemon/control/publisher.h"

#include <algorithm>
#include <utility>

#include "daemon/control/bring_up.h"
#include "daemon/scheduler/exit_record.h"
#include "spdlog/spdlog.h"

namespace layered {

Publisher::Publisher(Options options) : options_(std::move(options)) {}

Publisher::~Publisher() { Stop(); }

absl::Status Publisher::Start(DesiredState first) {
  current_ = std::move(first);
  const uint32_t publish = ++last_publish_;
  options_.state->OnPublishing(current_.revision->number, publish);
  auto machine = BringUp(*options_.backend, options_.read_machine, current_, publish);
  if (!machine.ok()) return machine.status();
  options_.state->OnPublished(current_.revision->number);
  options_.state->OnEnabled(*std::move(machine), options_.process_age_ns());
  thread_ = std::thread([this] { Run(); });
  return absl::OkStatus();
}

void Publisher::Offer(DesiredState desired) {
  std::optional<DesiredState> skipped(std::move(desired));
  {
    std::lock_guard lock(mutex_);
    skipped.swap(offered_);
    wakeup_.notify_one();
  }
  if (skipped) options_.state->OnSuperseded(skipped->revision->number);
}

void Publisher::Stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    wakeup_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

void Publisher::Run() {
  uint64_t next_tick = options_.clock->MonotonicNs() + kTickNs;
  for (;;) {
    std::optional<DesiredState> taken;
    {
      std::unique_lock lock(mutex_);
      const uint64_t deadline = std::min(next_tick, retry_at_ns_);
      while (!stopping_ && !offered_ && options_.clock->MonotonicNs() < deadline) {
        options_.clock->WaitUntil(lock, wakeup_, deadline);
      }
      if (stopping_) return;
      taken.swap(offered_);
    }
    const uint64_t now = options_.clock->MonotonicNs();
    if (taken) {
      current_ = *std::move(taken);
      PublishOne(current_);
    } else if (now >= retry_at_ns_) {
      PublishOne(current_);
    }
    if (now >= next_tick) {
      Supervise();
      next_tick = now + kTickNs;
    }
  }
}

void Publisher::PublishOne(const DesiredState& desired) {
  retry_at_ns_ = Clock::kNever;
  // Without a scheduler there is nothing to be in force for. One that has just ended is dealt with
  // at the next tick; a restart begins with the newest state.
  if (ended_ || options_.backend->Exit()) {
    spdlog::info("revision {} accepted, not in force: the scheduler has ended",
                 desired.revision->number);
    return;
  }
  // A new number even for a retry: a candidate of the old number may have left entries behind.
  const uint32_t publish = ++last_publish_;
  const uint64_t number = desired.revision->number;
  const uint64_t began = options_.clock->MonotonicNs();
  const std::shared_ptr<const Machine> machine = options_.state->Get().loaded;
  options_.state->OnPublishing(number, publish);
  const absl::Status status = PublishTables(*options_.backend, *machine, desired, publish);
  const uint64_t ended = options_.clock->MonotonicNs();
  if (status.ok()) {
    options_.state->OnPublished(number);
    spdlog::info("revision {} published in {} ms", number, (ended - began) / 1'000'000);
  } else {
    retry_at_ns_ = ended + kRetryNs;
    options_.state->OnPublishFailed(number, publish);
    spdlog::error("revision {} not published, the old one stays in force: {}", number,
                  status.ToString());
  }
}

void Publisher::Supervise() {
  if (ended_) return;
  const std::optional<SchedExit> exit = options_.backend->Exit();
  if (!exit) return FollowHotplug();
  options_.state->OnEnded(*exit, options_.clock->RealtimeNs());
  if (WantsRestart(*exit)) {
    Restart(*exit);
    return;
  }
  spdlog::error("the kernel took the scheduler out, tasks are back on the default one: {}",
                ToString(*exit));
  options_.backend->Detach();
  End(*exit);
}

void Publisher::FollowHotplug() {
  const uint32_t hotplugs = options_.backend->Events().hotplugs;
  if (hotplugs != hotplugs_) settle_ticks_ = kSettleTicks;
  hotplugs_ = hotplugs;
  if (settle_ticks_ == 0) return;
  --settle_ticks_;
  absl::StatusOr<Machine> read = options_.read_machine();
  if (!read.ok()) {
    // Half-way through a change sysfs may contradict itself.
    spdlog::log(settle_ticks_ == 0 ? spdlog::level::warn : spdlog::level::debug,
                "the topology could not be read after a CPU hot-plug: {}",
                read.status().ToString());
    return;
  }
  const uint32_t before = OnlineCpus(options_.state->Get().seen->kernel);
  auto machine = std::make_shared<const Machine>(*std::move(read));
  const uint32_t now = OnlineCpus(machine->kernel);
  if (now != before) spdlog::info("CPU hot-plug: {} CPUs online, {} before", now, before);
  options_.state->OnMachineSeen(std::move(machine));
}

void Publisher::Restart(const SchedExit& exit) {
  spdlog::warn("the kernel asks for a restart: {}", ToString(exit));
  const uint32_t publish = ++last_publish_;
  options_.state->OnPublishing(current_.revision->number, publish);
  auto machine = BringUp(*options_.backend, options_.read_machine, current_, publish);
  if (!machine.ok()) {
    spdlog::error("the scheduler could not be loaded again: {}", machine.status().ToString());
    End(exit);
    return;
  }
  retry_at_ns_ = Clock::kNever;
  hotplugs_ = 0;  // counted anew with each load
  settle_ticks_ = 0;
  options_.state->OnPublished(current_.revision->number);
  options_.state->OnEnabled(*std::move(machine), 0);
  spdlog::info("the scheduler is enabled again");
}

void Publisher::End(const SchedExit& exit) {
  ended_ = true;
  retry_at_ns_ = Clock::kNever;
  if (options_.on_failed) options_.on_failed(exit);
}

}  // namespace layered
