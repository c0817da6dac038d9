// SPDX-License-Identifier: Apache-2.0
//
// The one line that `systemctl status` shows: what the daemon does now, not what it once did.
//
// Thread-safety: a pure function. Failure: none.

#ifndef LAYERED_DAEMON_STATUS_LINE_H_
#define LAYERED_DAEMON_STATUS_LINE_H_

#include <string>

#include "layered/v1/scheduler_service.pb.h"

namespace layered {

// "scheduling 3 layers, API on PATH" or "not scheduling: the kernel took the scheduler out (why),
// API on PATH".
std::string StatusLine(const v1::GetStatusResponse& status, int layers,
                       const std::string& socket_path);

}  // namespace layered

#endif  // LAYERED_DAEMON_STATUS_LINE_H_
