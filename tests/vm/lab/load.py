# SPDX-License-Identifier: Apache-2.0
"""Guest side: workloads in cgroups, and the CPU time that the kernel's own books give them."""

import os
import pathlib
import subprocess
import time

ROOT = pathlib.Path("/sys/fs/cgroup")


class Group:
    """A cgroup with what was started in it."""

    def __init__(self, path):
        """path: as in /proc/PID/cgroup ("/demo/web"); made if it is not there."""
        self.path = path
        self._folder = ROOT / path.lstrip("/")
        self._folder.mkdir(parents=True, exist_ok=True)
        self._started = []

    def run(self, *words):
        """Starts a program in this cgroup; its output is thrown away."""

        def enter():
            (self._folder / "cgroup.procs").write_text(str(os.getpid()))

        process = subprocess.Popen(list(map(str, words)), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   preexec_fn=enter)
        self._started.append(process)
        return process

    def move_in(self, pid):
        """Moves a process here."""
        (self._folder / "cgroup.procs").write_text(str(pid))

    def tasks(self):
        """Ids of the threads in it."""
        return [int(word) for word in (self._folder / "cgroup.threads").read_text().split()]

    def cpu_ns(self):
        """CPU time so far by thread, ns: /proc/TID/schedstat, which no scheduler writes."""
        return {task: task_cpu_ns(task) for task in self.tasks()}

    def kill(self):
        """Ends everything in it and waits until it is empty."""
        (self._folder / "cgroup.kill").write_text("1")
        for process in self._started:
            process.wait()
        self._started.clear()
        end = time.monotonic() + 20
        while self.tasks():
            if time.monotonic() > end:
                raise RuntimeError(f"cgroup {self.path} does not empty")
            time.sleep(0.05)


def task_cpu_ns(task):
    """CPU time of one thread so far, ns; 0 if it is gone."""
    try:
        return int(pathlib.Path(f"/proc/{task}/schedstat").read_text().split()[0])
    except (FileNotFoundError, ProcessLookupError):
        return 0


def used(before, after):
    """CPU time between two results of Group.cpu_ns, summed over the threads in both, ns."""
    return sum(after[task] - before[task] for task in before if after.get(task, 0) > 0)


def shares(amounts):
    """Each amount of a dict as its part of the sum."""
    total = sum(amounts.values())
    return {name: amount / total if total else 0.0 for name, amount in amounts.items()}
