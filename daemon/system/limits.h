// SPDX-License-Identifier: Apache-2.0
//
// Raises the process limits that a daemon full of BPF maps and connections needs. Locks no memory.
//
// Thread-safety: once, at start.
// Failure: a limit that cannot be raised is left as it is and logged.

#ifndef LAYERED_DAEMON_SYSTEM_LIMITS_H_
#define LAYERED_DAEMON_SYSTEM_LIMITS_H_

namespace layered {

// RLIMIT_MEMLOCK (kernels that charge BPF memory to it) and RLIMIT_NOFILE (two descriptors per
// client) to what the kernel allows.
void RaiseLimits();

}  // namespace layered

#endif  // LAYERED_DAEMON_SYSTEM_LIMITS_H_
