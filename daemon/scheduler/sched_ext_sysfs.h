// SPDX-License-Identifier: Apache-2.0
//
// What the kernel says about sched_ext in /sys/kernel/sched_ext: whether it is there, who is loaded
// and its counters. True whoever loaded the scheduler, which our own maps cannot say.
//
// Thread-safety: immutable; every call reads afresh.
// Ownership: none.
// Failure: a file that is not there reads as empty or 0 (root/ops exists only while one is loaded).

#ifndef LAYERED_DAEMON_SCHEDULER_SCHED_EXT_SYSFS_H_
#define LAYERED_DAEMON_SCHEDULER_SCHED_EXT_SYSFS_H_

#include <cstdint>
#include <string>

namespace layered {

class SchedExtSysfs {
 public:
  // `sysfs_root` is "/sys", or a folder of a test.
  explicit SchedExtSysfs(std::string sysfs_root = "/sys");

  // The kernel was built with CONFIG_SCHED_CLASS_EXT.
  bool Present() const;

  // "disabled", "enabling", "enabled", "disabling".
  std::string State() const;

  // Name of the loaded scheduler; empty if none.
  std::string OpsName() const;

  // Schedulers enabled since boot.
  uint64_t EnableSeq() const;

  // Tasks that a scheduler refused.
  uint64_t NrRejected() const;

  // CPUs that came or went since boot, plus 1. 0 if the kernel does not say.
  uint64_t HotplugSeq() const;

 private:
  std::string ReadLine(const char* name) const;
  uint64_t ReadNumber(const char* name) const;

  std::string folder_;
};

}  // namespace layered

#endif  // LAYERED_DAEMON_SCHEDULER_SCHED_EXT_SYSFS_H_
