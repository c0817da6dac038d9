# SPDX-License-Identifier: Apache-2.0
"""Changes under load: what a client waits for, and that the scheduler stays.

How many: spine.changes (knobs.py).
"""

import time

import daemon
from cases import must
from knobs import knob
from two import settled

MAX_P99 = 0.5  # seconds from request to reply, by the daemon's histogram


def check_writes(two):
    """Weights are set while every CPU is busy; nothing is unloaded, refused or lost."""
    changes = knob("changes", 20)
    before = daemon.status()
    walls = []
    for change in range(changes):
        start = time.monotonic()
        daemon.ctl("set-layer", "b", "--weight", 200 + change % 2 * 100)
        walls.append(time.monotonic() - start)
    after = settled()
    two.set_weights(b=300)
    latency = after["write_latency"]
    walls.sort()
    done = latency["count"] - before["write_latency"]["count"]
    seen = (f"{done} writes; request to reply p50 {latency['p50_ns'] / 1e9:.3f} s, p99 "
            f"{latency['p99_ns'] / 1e9:.3f} s; layeredctl as a whole median "
            f"{walls[len(walls) // 2]:.2f} s, longest {walls[-1]:.2f} s; enable_seq "
            f"{before['enable_seq']} -> {after['enable_seq']}, rejected {after['nr_rejected']}")
    must(done == changes, seen)
    must(latency["p99_ns"] <= MAX_P99 * 1e9, f"{seen}: limit {MAX_P99} s")
    # The set had weight 300, so that every change but none is one: 200, 300, 200 ...
    must(int(after["desired_revision"]) - int(before["desired_revision"]) == changes, seen)
    must(after["state"] == "running" and after["enable_seq"] == before["enable_seq"], seen)
    return must(after["nr_rejected"] == 0, seen)
