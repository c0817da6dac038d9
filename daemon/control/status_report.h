// SPDX-License-Identifier: Apache-2.0
//
// Puts the status together: what the control side wants, what the kernel says now (whoever loaded
// the scheduler), what BPF confirms.
//
// Thread-safety: pure over its arguments; contacts the kernel without any lock.
// Failure: what cannot be read stays empty or 0.

#ifndef LAYERED_DAEMON_CONTROL_STATUS_REPORT_H_
#define LAYERED_DAEMON_CONTROL_STATUS_REPORT_H_

#include <string>

#include "daemon/control/control_state.h"
#include "daemon/scheduler/sched_backend.h"
#include "daemon/scheduler/sched_ext_sysfs.h"
#include "layered/v1/scheduler_service.pb.h"

namespace layered {

// Facts about this process that do not change.
struct DaemonFacts {
  std::string instance_id;
  std::string version;
  std::string kernel;  // uname -r
  std::string config;  // file; empty if none
  uint32_t pid = 0;
};

// Everything but write_latency.
v1::GetStatusResponse ReportStatus(const DaemonFacts& facts, const ControlState& state,
                                   const SchedBackend& backend, const SchedExtSysfs& sched_ext);

}  // namespace layered

#endif  // LAYERED_DAEMON_CONTROL_STATUS_REPORT_H_
