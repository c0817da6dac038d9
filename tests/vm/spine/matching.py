# SPDX-License-Identifier: Apache-2.0
"""Which layer takes a task: every key of a rule, negated ones, and tasks that change."""

import json
import os
import pathlib
import signal
import subprocess
import time

import daemon
import load
from cases import must

UID = 1234
SECONDS = 4
TOLERANCE = 0.10  # of the CPU time of a hog, by the daemon and by schedstat
PF_KTHREAD = 0x00200000
# Layer, its rules, and a hog that only they take. The first that matches wins.
ROWS = [
    ("k-cgroup", ["cgroup=/match/c/*"], "/match/c", []),
    ("k-and-not", ["comm=x* and not comm=xy"], "/match/d", ["--comm", "xz"]),
    ("k-comm", ["comm=exactly"], "/match/d", ["--comm", "exactly"]),
    ("k-prefix", ["comm=pre*"], "/match/d", ["--comm", "prefixed"]),
    ("k-contains", ["comm=*mid*"], "/match/d", ["--comm", "amidst"]),
    ("k-uid", [f"uid={UID}"], "/match/d", ["--uid", UID]),
    ("k-nice", ["nice in 7..9"], "/match/d", ["--nice", 8]),
    ("k-or", ["comm=never", "comm=second"], "/match/d", ["--comm", "second"]),
    ("k-leader", ["leader=lead and comm=follow"], "/match/d",
     ["--comm", "lead", "--thread-comm", "follow", "--threads", 2]),
    ("k-rest", ["cgroup=/match/* and not kthread"], "/match/d", ["--comm", "xy"]),
    ("k-kthread", ["kthread"], None, None),
]


def rules_of_each_key():
    """A config with the layers of ROWS, for check_matches."""
    layers = [{"name": name, "match": match} for name, match, _, _ in ROWS]
    return json.dumps({"layers": layers + [{"name": "default", "match": ["all"]}]})


def _kernel_threads():
    """Threads of the kernel that a scheduler of ours may see: those with an ordinary policy."""
    count = 0
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        count += bool(int(fields[6]) & PF_KTHREAD) and int(fields[38]) in (0, 3, 5)
    return count


def _layer_of(name, task):
    """The layer of one of the hogs of row `name`: the first thread of k-leader has another name."""
    comm = pathlib.Path(f"/proc/{task}/comm").read_text().strip()
    return "k-rest" if name == "k-leader" and comm == "lead" else name


def _cpu_ns(groups):
    """CPU time by (layer, task) by the kernel's books."""
    return {(_layer_of(name, task), task): ns for name, group in groups.items()
            for task, ns in group.cpu_ns().items()}


def check_matches():
    """Each layer gets its own hogs and nothing else: by the tasks, and by the CPU time.

    The daemon runs with rules_of_each_key() since before the hogs, and has seen every kernel thread.
    """
    groups = {name: load.Group(f"{path}/{name}") for name, _, path, _ in ROWS if path is not None}
    for name, _, path, words in ROWS:
        if path is not None:
            groups[name].run("hog", *words)
    time.sleep(1)
    samples = daemon.Samples()
    own, books = daemon.cpu_ns(samples.next()), _cpu_ns(groups)
    time.sleep(SECONDS * len(groups) / os.cpu_count())
    sample, after = samples.next(), _cpu_ns(groups)
    samples.close()
    layers = {layer["name"]: layer for layer in sample["layers"]}
    faults = []
    for name in groups:
        mine = (layers[name]["cpu_ns"] - own[name]) / 1e9
        tasks = [key for key in books if key[0] == name]
        kernels = sum(after[key] - books[key] for key in tasks) / 1e9
        if abs(mine - kernels) > TOLERANCE * kernels:
            faults.append(f"{name}: {mine:.2f} s by the daemon, {kernels:.2f} by schedstat")
        if layers[name]["tasks"] != len(tasks):
            faults.append(f"{name}: {layers[name]['tasks']} tasks, not {len(tasks)}")
    threads = _kernel_threads()
    if layers["k-kthread"]["tasks"] != threads:
        faults.append(f"k-kthread: {layers['k-kthread']['tasks']} tasks, not {threads}")
    for group in groups.values():
        group.kill()
    must(not faults, "; ".join(faults))
    return f"{len(groups)} hogs, {threads} kernel threads"


def check_moves():
    """A task is matched anew when its cgroup, name or nice value changes, and when rules do.

    Leaves its layers behind.
    """
    for name, match in (("m-cgroup", "cgroup=/moves/in"), ("m-comm", "comm=renamed"),
                        ("m-nice", "nice >= 5 and not kthread"), ("m-home", "cgroup=/moves/home")):
        daemon.ctl("set-layer", name, "--match", match, "--before", "default")
    home, inside = load.Group("/moves/home"), load.Group("/moves/in")
    hog = home.run("hog", "--sleep-ms", 5, "--rename", "renamed")
    samples = daemon.Samples("200ms")

    def where():
        return [layer["name"] for layer in samples.next()["layers"]
                if layer["name"].startswith("m-") and layer["tasks"]]

    def arrives(name, what):
        daemon.wait_for(lambda: where() == [name], 20, f"{what}: the task in {name}")

    arrives("m-home", "start")
    subprocess.run(["renice", "-n", "6", "-p", str(hog.pid)], check=True, stdout=subprocess.DEVNULL)
    arrives("m-nice", "nice value")
    hog.send_signal(signal.SIGUSR1)
    arrives("m-comm", "new name")
    inside.move_in(hog.pid)
    arrives("m-cgroup", "other cgroup")
    daemon.ctl("set-layer", "m-cgroup", "--match", "comm=nothing")
    arrives("m-comm", "changed rule")
    daemon.ctl("delete-layer", "m-comm")
    arrives("m-nice", "deleted layer")
    samples.close()
    inside.kill()
    home.kill()
    return "start, nice value, name, cgroup, changed rule, deleted layer"
