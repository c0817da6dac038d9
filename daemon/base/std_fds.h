// SPDX-License-Identifier: Apache-2.0
//
// Stdin, stdout and stderr that exist. A program may be started with some of them closed
// ("layeredd 2>&-"); the next file that it opens then becomes its stderr, and log lines end up in a
// lock file or on a socket.
//
// Thread-safety: call it first thing in main, while there is one thread.
// Ownership: what it opens stays open until the process ends, and is inherited by children.

#ifndef LAYERED_DAEMON_BASE_STD_FDS_H_
#define LAYERED_DAEMON_BASE_STD_FDS_H_

namespace layered {

// Puts /dev/null on those of the descriptors 0, 1 and 2 that are closed; leaves open ones alone.
// It is opened for reading only: stdin is at its end, and writing to stdout or stderr fails with
// EBADF as before, so that output which nobody gets is still an error to those who check.
//
// False if /dev/null cannot be opened: the caller must end then, without writing anything.
[[nodiscard]] bool OpenStdFds();

}  // namespace layered

#endif  // LAYERED_DAEMON_BASE_STD_FDS_H_
