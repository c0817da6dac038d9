# SPDX-License-Identifier: Apache-2.0
"""No task without progress: in no window of at least 5 s in which that much CPU time was given out.

How long each case runs: spine.seconds (knobs.py).
"""

import os
import time

import daemon
from cases import must
from knobs import knob

WINDOW = 5  # seconds, and seconds of CPU time per CPU


def starved(history):
    """Faults in a list of (monotonic seconds, {task: CPU ns}): one text per task and window."""
    faults = []
    for i, (start, before) in enumerate(history):
        for now, after in history[i + 1:]:
            given = sum(after[task] - before[task] for task in before)
            if now - start >= WINDOW and given >= WINDOW * 1e9 * os.cpu_count():
                faults += [f"task {task} got nothing in {now - start:.1f} s"
                           for task in before if after[task] == before[task]]
                break
    return faults


def check_progress(groups):
    """Watches all tasks of these groups; each gets some CPU time in every window."""
    end = time.monotonic() + knob("seconds", 20)
    history = []
    while time.monotonic() < end:
        history.append((time.monotonic(), {task: ns for group in groups
                                           for task, ns in group.cpu_ns().items()}))
        time.sleep(0.5)
    got = {task: (ns - history[0][1][task]) / 1e9 for task, ns in history[-1][1].items()}
    seen = (f"{history[-1][0] - history[0][0]:.0f} s, CPU seconds by task: " +
            ", ".join(f"{seconds:.2f}" for seconds in sorted(got.values())))
    faults = starved(history)
    must(not faults, f"{len(faults)} faults, such as: {faults[0] if faults else ''}; {seen}")
    status = daemon.status()
    must(status["state"] == "running" and "last_exit" not in status, f"ejected: {status}")
    # A history that is too short to hold one window would show nothing.
    given = sum(got.values())
    return must(given >= WINDOW * os.cpu_count(), seen)
