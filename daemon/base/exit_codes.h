// SPDX-License-Identifier: Apache-2.0
//
// Exit codes of all our programs: one table, part of the interface to scripts and units.
//
// Thread-safety: constants.

#ifndef LAYERED_DAEMON_BASE_EXIT_CODES_H_
#define LAYERED_DAEMON_BASE_EXIT_CODES_H_

namespace layered {

enum ExitCode : int {
  kExitOk = 0,
  kExitInternal = 1,      // a fault of ours, or something that has no better code
  kExitUsage = 2,         // unknown flag, surplus or missing argument
  kExitNotFound = 3,      // no layer of that name
  kExitConflict = 4,      // etag mismatch; daemon: another instance holds the lock
  kExitPermission = 5,    // socket not accessible; daemon: not root
  kExitUnreachable = 6,   // no daemon at the socket, or it did not answer in time
  kExitInvalid = 7,       // invalid input or config
  kExitUnsupported = 8,   // no sched_ext or BTF, or another scheduler is loaded
  kExitInterrupted = 130  // SIGINT
};

}  // namespace layered

#endif  // LAYERED_DAEMON_BASE_EXIT_CODES_H_
