// SPDX-License-Identifier: Apache-2.0

#include "daemon/claim.h"

#include <utility>

#include "daemon/api/socket_file.h"

namespace layered {
namespace {

Refusal SocketRefusal(const absl::Status& status) {
  return {SocketExitCode(status), {std::string(status.message())}};
}

}  // namespace

std::variant<Claimed, Refusal> Claim(const std::string& socket_path, const PreflightEnv& env) {
  absl::Status status = api::CheckSocketPath(socket_path);
  if (!status.ok()) return SocketRefusal(status);
  absl::StatusOr<InstanceLock> lock = InstanceLock::Acquire(socket_path);
  if (absl::IsAlreadyExists(lock.status())) return SocketRefusal(lock.status());
  PreflightReport report = Preflight(env);
  if (!report.faults.empty()) return Refusal{report.exit_code, std::move(report.faults)};
  if (!lock.ok()) return SocketRefusal(lock.status());
  status = api::CheckReplaceable(socket_path);
  if (!status.ok()) return SocketRefusal(status);
  return Claimed{*std::move(lock), std::move(report.cgroup_mount)};
}

ExitCode SocketExitCode(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return kExitOk;
    case absl::StatusCode::kAlreadyExists:
      return kExitConflict;
    case absl::StatusCode::kPermissionDenied:
      return kExitPermission;
    case absl::StatusCode::kInvalidArgument:     // too long
    case absl::StatusCode::kFailedPrecondition:  // something else is there
    case absl::StatusCode::kNotFound:            // no folder
      return kExitInvalid;
    default:
      return kExitInternal;
  }
}

}  // namespace layered
