// SPDX-License-Identifier: Apache-2.0

#include "daemon/system/preflight.h"

#include <unistd.h>

#include <fstream>
#include <sstream>

#include "daemon/scheduler/sched_ext_sysfs.h"

namespace layered {
namespace {

// mountinfo writes space, tab, newline and backslash as \ooo.
std::string Unescape(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      out += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                               (text[i + 3] - '0'));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string ReadAll(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

std::string FindCgroup2Mount(const std::string& mountinfo) {
  std::istringstream lines(mountinfo);
  for (std::string line; std::getline(lines, line);) {
    // "36 35 0:27 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw": optional fields end with " - ".
    const size_t separator = line.find(" - ");
    if (separator == std::string::npos) continue;
    if (line.compare(separator + 3, 8, "cgroup2 ") != 0) continue;
    std::istringstream fields(line);
    std::string id, parent, device, root, mount;
    if (fields >> id >> parent >> device >> root >> mount) return Unescape(mount);
  }
  return "";
}

PreflightReport Preflight(const PreflightEnv& env) {
  PreflightReport report;
  auto fault = [&report](ExitCode code, std::string text) {
    if (report.faults.empty()) report.exit_code = code;
    report.faults.push_back(std::move(text));
  };
  if (env.euid != 0) {
    fault(kExitPermission, "must run as root to load a scheduler (effective uid is " +
                               std::to_string(env.euid) + ")");
  }
  const SchedExtSysfs sched_ext(env.sysfs_root);
  if (!sched_ext.Present()) {
    fault(kExitUnsupported,
          "this kernel has no sched_ext: " + env.sysfs_root +
              "/kernel/sched_ext is missing (needs CONFIG_SCHED_CLASS_EXT=y, Linux 6.16 or newer)");
  } else if (const std::string ops = sched_ext.OpsName(); !ops.empty()) {
    fault(kExitUnsupported, "another sched_ext scheduler is loaded: " + ops);
  }
  if (access(env.kernel_btf.c_str(), R_OK) != 0 && env.euid == 0) {
    fault(kExitUnsupported, "this kernel has no type information: " + env.kernel_btf +
                                " is missing (needs CONFIG_DEBUG_INFO_BTF=y)");
  }
  report.cgroup_mount = FindCgroup2Mount(ReadAll(env.mountinfo));
  if (report.cgroup_mount.empty()) {
    fault(kExitUnsupported,
          "no cgroup v2 hierarchy is mounted (mount -t cgroup2 none /sys/fs/cgroup)");
  }
  return report;
}

}  // namespace layered
