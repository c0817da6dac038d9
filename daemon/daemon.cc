// SPDX-License-Identifier: Apache-2.0

#include "daemon/daemon.h"

#include <sys/random.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "daemon/api/server.h"
#include "daemon/base/clock.h"
#include "daemon/base/version.h"
#include "daemon/claim.h"
#include "daemon/compile/slot_table.h"
#include "daemon/config_source.h"
#include "daemon/control/controller.h"
#include "daemon/control/machine.h"
#include "daemon/scheduler/bpf_backend.h"
#include "daemon/stats/sample_context.h"
#include "daemon/stats/sampler.h"
#include "daemon/status_line.h"
#include "daemon/system/limits.h"
#include "daemon/system/notify.h"
#include "daemon/system/signals.h"
#include "daemon/system/start_time.h"
#include "spdlog/spdlog.h"

namespace layered {
namespace {

// New with each start: etags and streams of another life are told apart by it.
std::string NewInstanceId() {
  uint32_t bits = 0;
  if (getrandom(&bits, sizeof(bits), 0) != sizeof(bits)) bits = static_cast<uint32_t>(getpid());
  char text[9];
  std::snprintf(text, sizeof(text), "%08x", bits);
  return text;
}

std::string KernelRelease() {
  utsname name{};
  return uname(&name) == 0 ? name.release : "";
}

std::string NotifySocket() {
  const char* path = std::getenv("NOTIFY_SOCKET");
  return path == nullptr ? "" : path;
}

// The exit code if the scheduler could not be brought up.
ExitCode SchedulerExitCode(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return kExitOk;
    case absl::StatusCode::kPermissionDenied:
      return kExitPermission;
    case absl::StatusCode::kInvalidArgument:
      return kExitInvalid;
    case absl::StatusCode::kAlreadyExists:  // another scheduler
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kUnimplemented:
      return kExitUnsupported;
    default:
      return kExitInternal;
  }
}

void LogAll(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) spdlog::error("{}", line);
}

class Daemon {
 public:
  explicit Daemon(const Options& options)
      : options_(options),
        facts_({.instance_id = NewInstanceId(),
                .version = kVersion,
                .kernel = KernelRelease(),
                .config = options.config,
                .pid = static_cast<uint32_t>(getpid())}),
        notifier_(NotifySocket()) {}

  // kExitOk if everything runs.
  ExitCode Start();

  // Until SIGTERM or SIGINT.
  void Serve();

  void Stop();

 private:
  ExitCode MakeSure();
  absl::Status StartScheduler(const v1::LayerSet& layers);
  absl::Status StartApi();
  void Reload();
  std::string StatusLine() const;
  std::shared_ptr<const SampleContext> NowSampled() const;

  const Options& options_;
  const DaemonFacts facts_;
  SystemClock clock_;
  SystemdNotifier notifier_;
  std::optional<Claimed> claimed_;

  // In order of their dependence on each other; destroyed in reverse.
  std::optional<BpfBackend> backend_;
  std::optional<Controller> controller_;
  std::optional<Sampler> sampler_;
  std::optional<api::Server> server_;
};

ExitCode Daemon::Start() {
  absl::StatusOr<v1::LayerSet> layers = ReadConfig(options_.config);
  if (!layers.ok()) {
    LogAll(ConfigFaults(options_.config, layers.status()));
    return kExitInvalid;
  }
  if (const ExitCode code = MakeSure(); code != kExitOk) return code;
  RaiseLimits();
  if (const absl::Status status = StartScheduler(*layers); !status.ok()) {
    spdlog::error("{}", std::string(status.message()));
    return SchedulerExitCode(status);
  }
  if (const absl::Status status = StartApi(); !status.ok()) {
    spdlog::error("{}", std::string(status.message()));
    return SocketExitCode(status);
  }
  notifier_.Ready(StatusLine());
  return kExitOk;
}

ExitCode Daemon::MakeSure() {
  auto claim = Claim(options_.socket_path, {.euid = geteuid()});
  if (const auto* refusal = std::get_if<Refusal>(&claim)) {
    LogAll(refusal->faults);
    return refusal->code;
  }
  claimed_.emplace(std::get<Claimed>(std::move(claim)));
  return kExitOk;
}

absl::Status Daemon::StartScheduler(const v1::LayerSet& layers) {
  const SchedExtSysfs sched_ext;
  backend_.emplace(BpfBackend::Options{
      .sched_ext = sched_ext, .cgroup_mount = claimed_->cgroup_mount, .clock = &clock_});
  controller_.emplace(Controller::Options{
      .backend = &*backend_,
      .clock = &clock_,
      .read_machine = [sched_ext,
                       root = options_.sysfs_root] { return ReadMachine(sched_ext, root); },
      .sched_ext = sched_ext,
      .facts = facts_,
      .process_age_ns = ProcessAgeNs,
      .on_failed = [this](const SchedExit& /*exit*/) { notifier_.Status(StatusLine()); }});
  absl::Status status = controller_->Start(
      layers, options_.config.empty() ? "default config" : "config " + options_.config);
  if (!status.ok()) return status;
  const v1::GetStatusResponse now = controller_->GetStatus();
  for (const std::string& hook : now.missing_hooks()) spdlog::warn("missing: {}", hook);
  spdlog::info("scheduler enabled {} ms after exec: kernel {}, {} CPUs, {} LLCs, {} layers",
               now.exec_to_enabled_ns() / 1'000'000, now.kernel(), now.topology().cpus(),
               now.topology().llcs(), layers.layers_size());
  return absl::OkStatus();
}

absl::Status Daemon::StartApi() {
  sampler_.emplace(&*backend_, &clock_, [this] { return NowSampled(); });
  server_.emplace(api::Server::Options{.socket_path = options_.socket_path,
                                       .store = &*controller_,
                                       .status = &*controller_,
                                       .hub = &*sampler_,
                                       .clock = &clock_,
                                       .limits = {}});
  return server_->Start();
}

// Whose the counters are. A draining slot keeps its last name until its tasks are gone.
std::shared_ptr<const SampleContext> Daemon::NowSampled() const {
  auto context = std::make_shared<SampleContext>();
  context->instance_id = facts_.instance_id;
  context->revision = controller_->ObservedRevision();
  context->cpus = controller_->OnlineCpus();
  const std::shared_ptr<const SlotTable> slots = controller_->Slots();
  for (const std::vector<Slot>* list : {&slots->Live(), &slots->Draining()}) {
    for (const Slot& slot : *list) {
      context->layers.push_back({.name = slot.name,
                                 .slot = slot.slot,
                                 .generation = slot.generation,
                                 .weight = slot.weight,
                                 .draining = slot.draining});
    }
  }
  return context;
}

std::string Daemon::StatusLine() const {
  return layered::StatusLine(controller_->GetStatus(), controller_->Desired()->layers.layers_size(),
                             options_.socket_path);
}

void Daemon::Serve() {
  int signal = 0;
  while (WaitForSignal(&signal) == SignalEvent::kReload) Reload();
  spdlog::info("stopping on signal {}", signal);
}

void Daemon::Reload() {
  if (options_.config.empty()) {
    spdlog::warn("SIGHUP ignored: there is no config file to read again");
    return;
  }
  notifier_.Reloading(clock_.MonotonicNs());
  absl::StatusOr<v1::LayerSet> layers = ReadConfig(options_.config);
  if (!layers.ok()) {
    LogAll(ConfigFaults(options_.config, layers.status()));
    spdlog::error("config not taken, the layers stay as they are");
  } else {
    std::promise<absl::StatusOr<CommitResult>> promise;
    controller_->Submit(
        ReplaceCommand{*std::move(layers), "config " + options_.config}, Author{},
        [&promise](absl::StatusOr<CommitResult> result) { promise.set_value(std::move(result)); });
    const absl::StatusOr<CommitResult> result = promise.get_future().get();
    if (!result.ok()) {
      spdlog::error("config not taken: {}", result.status().ToString());
    } else if (result->unchanged) {
      spdlog::info("config unchanged");
    }
  }
  notifier_.Ready(StatusLine());
}

void Daemon::Stop() {
  notifier_.Stopping();
  // Side by side: the API may wait for clients, the control side for a grace period.
  std::thread control([this] {
    if (controller_) controller_->Stop();
  });
  if (server_) server_->Stop();
  control.join();
  if (backend_) backend_->Detach();
  spdlog::info("stopped, tasks are back on the default scheduler");
}

}  // namespace

ExitCode RunDaemon(const Options& options) {
  Daemon daemon(options);
  const ExitCode code = daemon.Start();
  if (code != kExitOk) return code;
  daemon.Serve();
  daemon.Stop();
  return kExitOk;
}

}  // namespace layered
