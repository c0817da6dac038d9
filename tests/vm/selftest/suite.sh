#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Guest side of the harness's own test. The wanted number of CPUs is on the kernel command line.

same() { # same WANT GOT
  [ "$1" = "$2" ] || {
    echo "want '$1', got '$2'"
    return 1
  }
}

cpu_count() { same "$(sed -n "s/.*layered.cpus=\([0-9]*\).*/\1/p" /proc/cmdline)" "$(nproc)"; }
sched_ext_present() { same disabled "$(cat /sys/kernel/sched_ext/state)"; }
btf_present() { same "9f eb" "$(head -c 2 /sys/kernel/btf/vmlinux | hexdump -e '/1 "%02x "' | xargs)"; }
cgroup_controllers() { same "cpuset cpu memory pids" "$(cat /sys/fs/cgroup/cgroup.subtree_control)"; }
mounts() {
  for want in proc sysfs devtmpfs tmpfs cgroup2 bpf tracefs debugfs devpts; do
    cut -d " " -f 3 /proc/mounts | grep -qx "$want" || { echo "no $want"; return 1; }
  done
}
groups() {
  same "bob layered" "$(id -Gn bob)" && same "alice" "$(id -Gn alice)"
}
unix_socket() { ./peer.py; }
tools() {
  for tool in stress-ng cyclictest hackbench strace bpftool bash; do
    "$tool" --help >/dev/null 2>&1 || "$tool" --version >/dev/null 2>&1 ||
      { echo "$tool does not run"; return 1; }
  done
}
files_in() { same "from the host" "$(cat data.txt)"; }

for name in cpu_count sched_ext_present btf_present cgroup_controllers mounts groups unix_socket \
  tools files_in; do
  if message=$("$name" 2>&1); then
    result "$name" PASS "$message"
  else
    result "$name" FAIL "$message"
  fi
done
uname -r >"$OUT/release"
