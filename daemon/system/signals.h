// SPDX-License-Identifier: Apache-2.0
//
// Signals as events of the main thread: SIGTERM and SIGINT end the daemon, SIGHUP reads the config
// again. They are blocked in all threads and taken with sigwait, so no handler interrupts anything.
// SIGPIPE is ignored: writes to clients that left return an error instead.
//
// Thread-safety: Block runs on the main thread before any other thread exists (they inherit the
// mask); Wait is called by one thread.
// Ownership: changes process-wide signal state for good.
// Failure: none that could be acted on.

#ifndef LAYERED_DAEMON_SYSTEM_SIGNALS_H_
#define LAYERED_DAEMON_SYSTEM_SIGNALS_H_

namespace layered {

enum class SignalEvent { kStop, kReload };

// Blocks the signals that Wait waits for.
void BlockSignals();

// Waits for the next of them. `signal` receives its number if it is not null.
SignalEvent WaitForSignal(int* signal = nullptr);

}  // namespace layered

#endif  // LAYERED_DAEMON_SYSTEM_SIGNALS_H_
