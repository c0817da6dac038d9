// SPDX-License-Identifier: Apache-2.0
//
// How long ago this process was started, measured by the kernel: what "exec to enabled" counts
// from. The kernel notes the fork, in ticks of 10 ms; exec follows within that.
//
// Thread-safety: any thread. Failure: 0 if /proc does not tell.

#ifndef LAYERED_DAEMON_SYSTEM_START_TIME_H_
#define LAYERED_DAEMON_SYSTEM_START_TIME_H_

#include <cstdint>
#include <string>

namespace layered {

// ns since the process whose /proc/PID/stat text this is was started. `boottime_ns` is
// CLOCK_BOOTTIME now, `ticks_per_second` the unit of the file.
uint64_t AgeFromStat(const std::string& stat, uint64_t boottime_ns, uint64_t ticks_per_second);

// The same for this process, now.
uint64_t ProcessAgeNs();

}  // namespace layered

#endif  // LAYERED_DAEMON_SYSTEM_START_TIME_H_
