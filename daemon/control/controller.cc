// SPDX-License-Identifier: Apache-2.0

#include "daemon/control/controller.h"

#include <optional>
#include <utility>
#include <variant>

#include "daemon/control/command_eval.h"
#include "spdlog/spdlog.h"

namespace layered {

Controller::Controller(Options options)
    : options_(std::move(options)),
      publisher_({.backend = options_.backend,
                  .state = &state_,
                  .clock = options_.clock,
                  .read_machine = options_.read_machine,
                  .process_age_ns = options_.process_age_ns,
                  .on_failed = options_.on_failed}),
      queue_(kQueueLimit) {}

Controller::~Controller() { Stop(); }

absl::Status Controller::Start(const v1::LayerSet& layers, const std::string& reason) {
  SlotTable slots;
  absl::Status status = slots.Update(layers);
  if (!status.ok()) return status;
  DesiredState first = Accept(MakeRevision(layers, "start", reason), std::move(slots));
  status = publisher_.Start(std::move(first));
  if (!status.ok()) return status;
  thread_ = std::thread([this] { Run(); });
  return absl::OkStatus();
}

void Controller::Stop() {
  queue_.Close();
  if (thread_.joinable()) thread_.join();
  publisher_.Stop();
}

std::shared_ptr<const Revision> Controller::Desired() const { return state_.Desired(); }

void Controller::Submit(Command command, Author author, Done done) {
  Queued queued{std::move(command), std::move(author), std::move(done)};
  switch (queue_.Push(queued)) {
    case PushResult::kQueued:
      return;
    case PushResult::kFull:
      queued.done(absl::ResourceExhaustedError("too many changes are waiting (limit " +
                                               std::to_string(kQueueLimit) + "); try again"));
      return;
    case PushResult::kClosed:
      queued.done(absl::UnavailableError("the daemon is stopping"));
      return;
  }
}

v1::GetStatusResponse Controller::GetStatus() const {
  return ReportStatus(options_.facts, state_, *options_.backend, options_.sched_ext);
}

std::shared_ptr<const SlotTable> Controller::Slots() const {
  std::lock_guard lock(slots_mutex_);
  return slots_;
}

uint64_t Controller::ObservedRevision() const {
  return state_.RevisionInForce(options_.backend->LivePublish());
}

uint32_t Controller::OnlineCpus() const {
  const std::shared_ptr<const Machine> machine = state_.Get().seen;
  return machine == nullptr ? 0 : layered::OnlineCpus(machine->kernel);
}

void Controller::Run() {
  while (std::optional<Queued> queued = queue_.Pop()) {
    if (queue_.closed()) {
      queued->done(absl::UnavailableError("the daemon is stopping"));
      continue;
    }
    queued->done(Execute(queued->command, queued->author));
  }
}

absl::StatusOr<CommitResult> Controller::Execute(const Command& command, const Author& author) {
  const std::shared_ptr<const Revision> current = state_.Desired();
  absl::StatusOr<Evaluation> next = EvaluateCommand(*current, live_changes_, command);
  if (!next.ok()) return next.status();
  CommitResult result{current, next->unchanged};
  if (!next->unchanged) {
    SlotTable slots = *Slots();
    absl::Status status = slots.Update(next->layers);
    if (!status.ok()) return status;
    const std::string who =
        next->from_config ? "config " + options_.facts.config : ToString(author);
    result.revision = MakeRevision(std::move(next->layers), who, next->reason);
    publisher_.Offer(Accept(result.revision, std::move(slots)));
    // Changes through the API have their audit line there, with every foreign text escaped.
    const auto level = next->from_config ? spdlog::level::info : spdlog::level::debug;
    spdlog::log(level, "revision {} (was {}): {}{}", result.revision->number, current->number,
                next->method, next->from_config ? " by " + next->reason : "");
  }
  if (next->from_config) {
    live_changes_.clear();
    live_change_count_ = 0;
  } else if (!next->unchanged) {
    NoteLiveChange(command);
  }
  state_.SetUnsavedChanges(live_change_count_);
  return result;
}

std::shared_ptr<const Revision> Controller::MakeRevision(v1::LayerSet layers, std::string author,
                                                         std::string reason) const {
  const std::shared_ptr<const Revision> parent = state_.Desired();
  auto revision = std::make_shared<Revision>();
  revision->parent = parent == nullptr ? 0 : parent->number;
  revision->number = revision->parent + 1;
  revision->etag = MakeEtag(options_.facts.instance_id, revision->number);
  revision->layers = std::move(layers);
  revision->author = std::move(author);
  revision->reason = std::move(reason);
  revision->time_ns = options_.clock->RealtimeNs();
  return revision;
}

void Controller::NoteLiveChange(const Command& command) {
  ++live_change_count_;
  if (const auto* set = std::get_if<v1::SetLayerRequest>(&command)) {
    live_changes_.insert(set->layer().name());
  } else if (const auto* removal = std::get_if<v1::DeleteLayerRequest>(&command)) {
    live_changes_.insert(removal->name());
  }
}

DesiredState Controller::Accept(std::shared_ptr<const Revision> revision, SlotTable slots) {
  DesiredState desired{revision, std::make_shared<const SlotTable>(std::move(slots))};
  {
    std::lock_guard lock(slots_mutex_);
    slots_ = desired.slots;
  }
  state_.Accept(std::move(revision));
  return desired;
}

}  // namespace layered
