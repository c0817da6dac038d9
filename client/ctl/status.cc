// SPDX-License-Identifier: Apache-2.0
//
// layeredctl status: what was asked for and what is observed.

#include <string>

#include "client/ctl/print.h"
#include "client/ctl/table.h"
#include "client/ctl/verbs.h"

namespace layered::ctl {
namespace {

std::string StateText(v1::SchedulerState state) {
  switch (state) {
    case v1::SCHEDULER_STATE_STARTING:
      return "starting";
    case v1::SCHEDULER_STATE_RUNNING:
      return "running";
    case v1::SCHEDULER_STATE_FAILED:
      return "failed";
    default:
      return "unknown (" + std::to_string(static_cast<int>(state)) + ")";
  }
}

// Lines "label  value", aligned.
class Lines {
 public:
  void Add(const std::string& label, const std::string& value) {
    std::string line = label;
    line.resize(18, ' ');
    text_ += line + Printable(value) + "\n";
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string Describe(const v1::GetStatusResponse& status) {
  Lines lines;
  lines.Add("state", StateText(status.state()));
  const bool in_force = status.observed_revision() == status.desired_revision();
  lines.Add("revision", in_force ? std::to_string(status.desired_revision())
                                 : std::to_string(status.desired_revision()) + " wanted, " +
                                       std::to_string(status.observed_revision()) + " in force");
  lines.Add("scheduler", status.ops().empty() ? "none (the kernel's default)" : status.ops());
  lines.Add("kernel", status.kernel());
  lines.Add("enable_seq", std::to_string(status.enable_seq()));
  if (status.nr_rejected() > 0) lines.Add("tasks rejected", std::to_string(status.nr_rejected()));
  lines.Add("daemon", status.version() + ", pid " + std::to_string(status.pid()) + ", instance " +
                          status.instance_id());
  lines.Add("config", status.config().empty() ? "none" : status.config());
  if (status.unsaved_changes() > 0) {
    lines.Add("unsaved changes", std::to_string(status.unsaved_changes()) +
                                     " (not in the config file; 'get --all -o json' prints them)");
  }
  lines.Add("cpus", std::to_string(status.topology().cpus()) + " in " +
                        std::to_string(status.topology().llcs()) + " LLCs, " +
                        std::to_string(status.topology().nodes()) + " nodes");
  if (status.exec_to_enabled_ns() > 0) {
    lines.Add("exec to enabled", TimeText(status.exec_to_enabled_ns()));
  }
  if (const auto& latency = status.write_latency(); latency.count() > 0) {
    lines.Add("writes", std::to_string(latency.count()) + ", p50 " + TimeText(latency.p50_ns()) +
                            ", p99 " + TimeText(latency.p99_ns()) + ", max " +
                            TimeText(latency.max_ns()));
  }
  if (status.has_last_exit()) {
    const v1::ExitInfo& exit = status.last_exit();
    lines.Add("last exit", "kind " + std::to_string(exit.kind()) + ", code " +
                               std::to_string(exit.code()) + ": " + exit.message());
  }
  for (const std::string& hook : status.missing_hooks()) lines.Add("missing", hook);
  uint64_t insns = 0;
  for (const v1::ProgramInfo& program : status.programs()) insns += program.verified_insns();
  if (status.programs_size() > 0) {
    lines.Add("programs", std::to_string(status.programs_size()) + ", " + std::to_string(insns) +
                              " instructions verified");
  }
  return lines.text();
}

absl::Status Run(const Context& context) {
  const auto client = context.Connect();
  if (!client.ok()) return client.status();
  const auto response = (*client)->GetStatus();
  if (!response.ok()) return response.status();
  return Print(context.json() ? ToJson(*response) : Describe(*response));
}

}  // namespace

void AddStatus(CLI::App& app, Context& context) {
  CLI::App* const verb =
      app.add_subcommand("status", "Show the state of the scheduler and of the daemon");
  verb->callback([&context] { context.run = [&context] { return Run(context); }; });
}

}  // namespace layered::ctl
