// SPDX-License-Identifier: Apache-2.0
//
// Looks at the machine before anything is loaded, so that a start that cannot work ends with words
// that help, all at once: not root, a kernel without sched_ext or type information, no cgroup v2,
// another scheduler that is loaded already.
//
// Thread-safety: reads files only; any thread.
// Ownership: none.
// Failure: the answer is the list of faults; it does not fail itself.

#ifndef LAYERED_DAEMON_SYSTEM_PREFLIGHT_H_
#define LAYERED_DAEMON_SYSTEM_PREFLIGHT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "daemon/base/exit_codes.h"

namespace layered {

// Where to look; a test points it at folders of its own.
struct PreflightEnv {
  uint32_t euid = 0;
  std::string sysfs_root = "/sys";
  std::string kernel_btf = "/sys/kernel/btf/vmlinux";
  std::string mountinfo = "/proc/self/mountinfo";
};

struct PreflightReport {
  std::vector<std::string> faults;  // one line each; empty: go on
  ExitCode exit_code = kExitOk;     // of the first fault
  std::string cgroup_mount;         // of the v2 hierarchy
};

PreflightReport Preflight(const PreflightEnv& env);

// Mount point of the cgroup v2 hierarchy in the text of /proc/self/mountinfo; empty if none.
std::string FindCgroup2Mount(const std::string& mountinfo);

}  // namespace layered

#endif  // LAYERED_DAEMON_SYSTEM_PREFLIGHT_H_
