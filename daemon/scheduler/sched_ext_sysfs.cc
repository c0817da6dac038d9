// SPDX-License-Identifier: Apache-2.0

#include "daemon/scheduler/sched_ext_sysfs.h"

#include <sys/stat.h>

#include <charconv>
#include <fstream>
#include <utility>

namespace layered {

SchedExtSysfs::SchedExtSysfs(std::string sysfs_root)
    : folder_(std::move(sysfs_root) + "/kernel/sched_ext/") {}

bool SchedExtSysfs::Present() const {
  struct stat st {};
  return stat(folder_.c_str(), &st) == 0 && S_ISDIR(st.st_mode);
}

std::string SchedExtSysfs::State() const { return ReadLine("state"); }

std::string SchedExtSysfs::OpsName() const { return ReadLine("root/ops"); }

uint64_t SchedExtSysfs::EnableSeq() const { return ReadNumber("enable_seq"); }

uint64_t SchedExtSysfs::NrRejected() const { return ReadNumber("nr_rejected"); }

uint64_t SchedExtSysfs::HotplugSeq() const { return ReadNumber("hotplug_seq"); }

std::string SchedExtSysfs::ReadLine(const char* name) const {
  std::ifstream file(folder_ + name);
  std::string line;
  std::getline(file, line);
  return line;
}

uint64_t SchedExtSysfs::ReadNumber(const char* name) const {
  const std::string line = ReadLine(name);
  uint64_t value = 0;
  std::from_chars(line.data(), line.data() + line.size(), value);
  return value;
}

}  // namespace layered
