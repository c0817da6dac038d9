// SPDX-License-Identifier: Apache-2.0

#include "daemon/scheduler/bpf_backend.h"

#include <bpf/libbpf.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "daemon/base/errno_status.h"
#include "daemon/base/unique_fd.h"
#include "daemon/scheduler/cgroup_fill.h"
#include "daemon/scheduler/counters_reader.h"
#include "daemon/scheduler/exit_record.h"
#include "daemon/scheduler/kernel_fit.h"
#include "daemon/scheduler/libbpf_log.h"
#include "daemon/scheduler/loaded_object.h"
#include "daemon/scheduler/plan_writer.h"
#include "daemon/scheduler/program_info.h"
#include "daemon/scheduler/revision_maps.h"
#include "spdlog/spdlog.h"

namespace layered {
namespace {

// Program of the cgroup iterator; optional.
constexpr char kFillCgroups[] = "fill_cgroups";

struct DestroyLink {
  void operator()(bpf_link* link) const { bpf_link__destroy(link); }
};
using Link = std::unique_ptr<bpf_link, DestroyLink>;

absl::Status NotLoaded() { return absl::FailedPreconditionError("the scheduler is not loaded"); }

// Programs that hang on a tracepoint or function of their own, beside the ops table.
bool IsTracing(const bpf_program* program) {
  const std::string section = bpf_program__section_name(program);
  return section.starts_with("tp_btf/") || section.starts_with("fentry/") ||
         section.starts_with("fexit/");
}

}  // namespace

class BpfBackend::Session {
 public:
  Session(std::unique_ptr<LoadedObject> object, const Options& options)
      : object_(std::move(object)),
        options_(options),
        cgroups_(options.cgroup_mount.empty()
                     ? -1
                     : open(options.cgroup_mount.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)),
        revisions_(object_->revisions_fd(), [this] { FillCandidate(); }) {}

  LoadedObject& object() { return *object_; }
  RevisionMaps& revisions() { return revisions_; }

  absl::Status Attach() {
    // First the hooks: a cgroup made between the two would have no entry otherwise.
    AttachTracing();
    LibbpfCapture capture;
    errno = 0;
    ops_.reset(bpf_map__attach_struct_ops(object_->ops()));
    const int error = errno;
    if (ops_ == nullptr) {
      tracing_.clear();
      return AttachError(error);
    }
    absl::Status status = CheckAttached();
    if (!status.ok()) Detach();
    return status;
  }

  // The close of the last descriptor of the link returns when the kernel is back on its default
  // scheduler.
  void Detach() {
    ops_.reset();
    tracing_.clear();
  }

  std::vector<std::string> MissingHooks() const {
    std::lock_guard lock(mutex_);
    std::vector<std::string> missing = object_->missing();
    missing.insert(missing.end(), missing_.begin(), missing_.end());
    return missing;
  }

 private:
  void AttachTracing() {
    std::vector<std::string> missing;
    bpf_program* program = nullptr;
    bpf_object__for_each_program(program, object_->object()) {
      if (!IsTracing(program) || bpf_program__fd(program) < 0) continue;
      errno = 0;
      Link link(bpf_program__attach(program));
      const int error = errno;
      if (link != nullptr) {
        tracing_.push_back(std::move(link));
      } else {
        missing.push_back(std::string(bpf_program__section_name(program)) + ": " +
                          std::generic_category().message(error));
      }
    }
    std::lock_guard lock(mutex_);
    missing_ = std::move(missing);
  }

  absl::Status AttachError(int error) const {
    if (error == EBUSY) {
      const std::string name = options_.sched_ext.OpsName();
      return absl::AlreadyExistsError("another sched_ext scheduler is loaded: " +
                                      (name.empty() ? "(its name is not known)" : name));
    }
    return ErrnoStatus("attach the scheduler", error);
  }

  // The kernel hands out a valid link even when ops.init failed; only the exit record tells.
  absl::Status CheckAttached() const {
    if (const auto exit = ReadExit(object_->ctl())) {
      const std::string text = "the scheduler ended while it attached: " + ToString(*exit);
      return WantsRestart(*exit) ? absl::AbortedError(text) : absl::FailedPreconditionError(text);
    }
    const std::string state = options_.sched_ext.State();
    if (state != "enabled") {
      return absl::InternalError("attached, but the kernel's sched_ext state is '" + state + "'");
    }
    return absl::OkStatus();
  }

  void FillCandidate() {
    const bpf_program* iterator = bpf_object__find_program_by_name(object_->object(), kFillCgroups);
    if (iterator == nullptr || bpf_program__fd(iterator) < 0 || !cgroups_.valid()) return;
    const absl::Status status = FillCgroups(iterator, cgroups_.get());
    if (!status.ok()) spdlog::warn("cgroups are evaluated one by one: {}", status.ToString());
  }

  std::unique_ptr<LoadedObject> object_;
  const Options& options_;
  UniqueFd cgroups_;
  RevisionMaps revisions_;
  std::vector<Link> tracing_;
  Link ops_;
  mutable std::mutex mutex_;
  std::vector<std::string> missing_;  // guarded by mutex_
};

BpfBackend::BpfBackend(Options options) : options_(std::move(options)) {}

BpfBackend::~BpfBackend() { Detach(); }

std::shared_ptr<BpfBackend::Session> BpfBackend::session() const {
  std::lock_guard lock(mutex_);
  return session_;
}

absl::Status BpfBackend::Load(const layered_topo& topo, uint64_t hotplug_seq) {
  Detach();
  auto object = LoadedObject::Load(options_.object, topo, hotplug_seq, options_.kernel_btf);
  if (!object.ok()) return object.status();
  // Our own threads serve the publish that waits for everybody else: they get a budget of the high
  // fallback.
  (*object)->ctl().daemon_tgid = static_cast<uint32_t>(getpid());
  auto session = std::make_shared<Session>(*std::move(object), options_);
  std::lock_guard lock(mutex_);
  session_.swap(session);
  return absl::OkStatus();
}

absl::Status BpfBackend::WritePlans(const std::vector<layered_plan_buf>& plans) {
  const auto session = this->session();
  if (session == nullptr) return NotLoaded();
  WriteAllPlans(plans, session->object().plans());
  return absl::OkStatus();
}

absl::Status BpfBackend::Publish(const layered_revision& revision) {
  const auto session = this->session();
  return session == nullptr ? NotLoaded() : session->revisions().Publish(revision);
}

absl::Status BpfBackend::Attach() {
  const auto session = this->session();
  return session == nullptr ? NotLoaded() : session->Attach();
}

void BpfBackend::Detach() {
  if (const auto session = this->session()) session->Detach();
}

std::optional<SchedExit> BpfBackend::Exit() const {
  const auto session = this->session();
  return session == nullptr ? std::nullopt : ReadExit(session->object().ctl());
}

uint32_t BpfBackend::LivePublish() const {
  const auto session = this->session();
  return session == nullptr ? 0 : LoadShared(session->object().ctl().live_publish);
}

SchedEvents BpfBackend::Events() const {
  const auto session = this->session();
  if (session == nullptr) return {};
  const layered_ctl& ctl = session->object().ctl();
  return {.hotplugs = LoadShared(ctl.hotplug), .truncated_paths = LoadShared(ctl.truncated_paths)};
}

Counters BpfBackend::ReadCounters() const {
  const auto session = this->session();
  const uint64_t now = options_.clock->MonotonicNs();
  if (session == nullptr) return SumCounters(now, {}, {});
  return SumCounters(now, session->object().cpus(), session->object().llcs());
}

std::vector<BpfProgram> BpfBackend::Programs() const {
  const auto session = this->session();
  return session == nullptr ? std::vector<BpfProgram>() : ReadPrograms(session->object().object());
}

std::vector<std::string> BpfBackend::MissingHooks() const {
  const auto session = this->session();
  return session == nullptr ? std::vector<std::string>() : session->MissingHooks();
}

}  // namespace layered
