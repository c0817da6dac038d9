// SPDX-License-Identifier: Apache-2.0

#include "daemon/base/errno_status.h"

#include <cerrno>
#include <system_error>

namespace layered {
namespace {

absl::StatusCode CodeOf(int error) {
  switch (error) {
    case ENOENT:
      return absl::StatusCode::kNotFound;
    case EEXIST:
    case EBUSY:
      return absl::StatusCode::kAlreadyExists;
    case EPERM:
    case EACCES:
      return absl::StatusCode::kPermissionDenied;
    case ENOTDIR:
    case EISDIR:
    case ELOOP:
    case ENAMETOOLONG:
    case EROFS:
      return absl::StatusCode::kFailedPrecondition;
    case ENOMEM:
    case ENOSPC:
    case EMFILE:
    case ENFILE:
      return absl::StatusCode::kResourceExhausted;
    case EOPNOTSUPP:
    case ENOSYS:
      return absl::StatusCode::kUnimplemented;
    default:
      return absl::StatusCode::kInternal;
  }
}

}  // namespace

absl::Status ErrnoStatus(const std::string& step, int error) {
  // Not strerror: it is not thread-safe.
  return absl::Status(CodeOf(error), step + ": " + std::generic_category().message(error));
}

}  // namespace layered
