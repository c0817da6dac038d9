// SPDX-License-Identifier: Apache-2.0
//
// What the daemon makes sure of before it touches the machine: a socket path that can be served,
// the lock beside it, a kernel that can. Everything that can be wrong with these is told here,
// while the default scheduler still runs.
//
// Thread-safety: one thread.
// Ownership: the caller holds the lock as long as it serves.
// Failure: a Refusal with words for people and the exit code of the cause. Nothing is left behind
// but the lock file (and the socket's folder), which are harmless.

#ifndef LAYERED_DAEMON_CLAIM_H_
#define LAYERED_DAEMON_CLAIM_H_

#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "daemon/base/exit_codes.h"
#include "daemon/system/instance_lock.h"
#include "daemon/system/preflight.h"

namespace layered {

struct Claimed {
  InstanceLock lock;
  std::string cgroup_mount;  // of the v2 hierarchy
};

struct Refusal {
  ExitCode code = kExitInternal;
  std::vector<std::string> faults;  // one line each
};

// A second daemon hears of the first, not of "another scheduler". Who may not even make the lock
// file hears what the machine lacks.
std::variant<Claimed, Refusal> Claim(const std::string& socket_path, const PreflightEnv& env);

// The exit code of a socket that cannot be served: 4 if somebody else does, 5 if we may not, 7 if
// the path is at fault.
ExitCode SocketExitCode(const absl::Status& status);

}  // namespace layered

#endif  // LAYERED_DAEMON_CLAIM_H_
