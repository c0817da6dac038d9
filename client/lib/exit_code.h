// SPDX-License-Identifier: Apache-2.0
//
// From an error to the exit code of a program: one table for all clients.
//
// Thread-safety: pure functions.

#ifndef LAYERED_CLIENT_LIB_EXIT_CODE_H_
#define LAYERED_CLIENT_LIB_EXIT_CODE_H_

#include "absl/status/status.h"
#include "daemon/base/exit_codes.h"

namespace layered::client {

// kExitOk for OK. A limit that was reached is a conflict (try later), what the state of the layers
// forbids is invalid input, a daemon without the method is an internal error.
ExitCode ExitCodeOf(const absl::Status& status);

}  // namespace layered::client

#endif  // LAYERED_CLIENT_LIB_EXIT_CODE_H_
