// SPDX-License-Identifier: Apache-2.0

#include "daemon/control/status_report.h"

#include <optional>
#include <string>
#include <utility>

namespace layered {
namespace {

v1::ExitInfo ToProto(const SchedExit& exit, int64_t time_ns) {
  v1::ExitInfo info;
  info.set_kind(exit.kind);
  info.set_code(exit.code);
  // The message alone may be empty ("disabled by sysrq-S" is a reason).
  const bool both = !exit.reason.empty() && !exit.message.empty();
  info.set_message(exit.reason + (both ? ": " : "") + exit.message);
  info.set_time_ns(static_cast<uint64_t>(time_ns));
  return info;
}

v1::TopologySummary ToProto(const layered_topo& topo) {
  v1::TopologySummary summary;
  summary.set_cpus(OnlineCpus(topo));
  summary.set_llcs(topo.nr_llcs);
  summary.set_nodes(topo.nr_nodes);
  return summary;
}

}  // namespace

v1::GetStatusResponse ReportStatus(const DaemonFacts& facts, const ControlState& state,
                                   const SchedBackend& backend, const SchedExtSysfs& sched_ext) {
  const ControlState::Snapshot now = state.Get();
  v1::GetStatusResponse status;
  status.set_state(now.state);
  status.set_desired_revision(now.desired->number);
  status.set_observed_revision(state.RevisionInForce(backend.LivePublish()));
  status.set_instance_id(facts.instance_id);
  status.set_version(facts.version);
  status.set_kernel(facts.kernel);
  status.set_ops(sched_ext.OpsName());
  status.set_enable_seq(sched_ext.EnableSeq());
  status.set_nr_rejected(sched_ext.NrRejected());
  if (now.last_exit) *status.mutable_last_exit() = ToProto(*now.last_exit, now.last_exit_time_ns);
  for (std::string& hook : backend.MissingHooks()) status.add_missing_hooks(std::move(hook));
  status.set_unsaved_changes(now.unsaved_changes);
  status.set_exec_to_enabled_ns(now.exec_to_enabled_ns);
  for (const BpfProgram& program : backend.Programs()) {
    v1::ProgramInfo& info = *status.add_programs();
    info.set_name(program.name);
    info.set_verified_insns(program.verified_insns);
    info.set_jited_bytes(program.jited_bytes);
    info.set_run_count(program.run_count);
    info.set_run_time_ns(program.run_time_ns);
  }
  if (now.seen != nullptr) *status.mutable_topology() = ToProto(now.seen->kernel);
  status.set_truncated_paths(backend.Events().truncated_paths);
  status.set_pid(facts.pid);
  status.set_config(facts.config);
  return status;
}

}  // namespace layered
