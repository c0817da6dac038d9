// SPDX-License-Identifier: Apache-2.0
//
// The life of the daemon: start in order, serve until told to stop, end cleanly.
//
// Start: config, claim (socket path, lock, preflight), machine (hot-plug count before topology),
// load, plans and first revision, attach, API, READY. What needs no root comes first, what changes
// the machine last; a step that fails undoes nothing but itself, for everything taken is given back
// by destructors. Stop: API and control threads end, then the scheduler is detached and tasks
// return to the default one.
//
// Thread-safety: Run is called by the main thread.
// Ownership: everything that runs in the daemon hangs on the Daemon.
// Failure: Run returns the exit code, the reason is logged.

#ifndef LAYERED_DAEMON_DAEMON_H_
#define LAYERED_DAEMON_DAEMON_H_

#include "daemon/base/exit_codes.h"
#include "daemon/options.h"

namespace layered {

// Serves until SIGTERM or SIGINT. Logging is set up and signals are blocked by the caller.
ExitCode RunDaemon(const Options& options);

}  // namespace layered

#endif  // LAYERED_DAEMON_DAEMON_H_
