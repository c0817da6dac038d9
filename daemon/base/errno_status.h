// SPDX-License-Identifier: Apache-2.0
//
// A failed system call as a Status that names the step: "open /x: No such file or directory".
//
// Thread-safety: a pure function. Failure: none; an unknown errno becomes INTERNAL.

#ifndef LAYERED_DAEMON_BASE_ERRNO_STATUS_H_
#define LAYERED_DAEMON_BASE_ERRNO_STATUS_H_

#include <string>

#include "absl/status/status.h"

namespace layered {

// `error` is a positive errno value.
absl::Status ErrnoStatus(const std::string& step, int error);

}  // namespace layered

#endif  // LAYERED_DAEMON_BASE_ERRNO_STATUS_H_
