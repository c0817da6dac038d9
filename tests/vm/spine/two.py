# SPDX-License-Identifier: Apache-2.0
"""Two Open layers, a and b, that share the machine by weight with hogs in both.

How long each window is: spine.window (knobs.py).
"""

import json
import os
import time

import daemon
import load
import window
from cases import must, report
from knobs import knob

SETTLE = 2
RATIO_TOLERANCE = 0.10
BOOKS_TOLERANCE = 3  # percentage points


def layer_set(weights):
    """The set as text: layer NAME takes cgroup /spine/NAME; weights by name."""
    layers = [{"name": name, "match": [f"cgroup=/spine/{name}/*"], "weight": weight}
              for name, weight in weights.items()]
    return json.dumps({"layers": layers + [{"name": "default", "match": ["all"]}]})


class Two:
    """The daemon with layers a and b, and their cgroups."""

    def __init__(self, weight_a=100, weight_b=300):
        path = "/tmp/two.json"
        with open(path, "w") as file:
            file.write(layer_set({"a": weight_a, "b": weight_b}))
        self.layeredd = daemon.Daemon(path, os.environ["OUT"] + "/layeredd.log").wait_running()
        self.groups = {name: load.Group(f"/spine/{name}") for name in "ab"}
        self.samples = daemon.Samples()

    def add_hogs(self, per_cpu):
        """So many more hogs per CPU in each of both; returns when all of them are there."""
        more = per_cpu * os.cpu_count()
        for group in self.groups.values():
            want = len(group.tasks()) + more
            group.run("hog", "--processes", more)
            daemon.wait_for(lambda g=group, n=want: len(g.tasks()) == n, 60, f"{want} hogs")

    def set_weights(self, **weights):
        """Live; returns when the kernel works with them."""
        for name, weight in weights.items():
            daemon.ctl("set-layer", name, "--weight", weight)
        settled()

    def end(self):
        """Ends the hogs and the daemon."""
        self.samples.close()
        for group in self.groups.values():
            group.kill()
        self.layeredd.stop()


def settled():
    """Waits until the newest revision is in force; returns the status."""

    def observed():
        status = daemon.status()
        return status["observed_revision"] == status["desired_revision"] and status

    return daemon.wait_for(observed, 30, "the newest revision in force")


def check_ratio(two, want):
    """Over one window b gets `want` times what a gets, and the daemon's figures say so too."""
    time.sleep(SETTLE)
    measured = window.Window(two.samples, two.groups)
    time.sleep(knob("window", 10))
    own, books = measured.close()
    ratio, apart = books["b"] / books["a"], window.points_apart(own, books)
    seen = (f"b/a = {ratio:.3f}, weights say {want:.3f}; b has {100 * books['b']:.1f} % by "
            f"schedstat, {100 * own['b']:.1f} % by the daemon")
    must(abs(ratio / want - 1) <= RATIO_TOLERANCE, seen)
    return must(apart <= BOOKS_TOLERANCE, f"{seen}: {apart:.1f} points apart")


def share_cases(two):
    """The four cases of every topology; leaves 4 hogs per CPU in each, weights 100 and 300."""
    two.add_hogs(1)
    report("shares_1_hog", check_ratio, two, 3)
    two.set_weights(a=300, b=100)
    report("shares_1_hog_swapped", check_ratio, two, 1 / 3)
    two.add_hogs(3)
    report("shares_4_hogs_swapped", check_ratio, two, 1 / 3)
    two.set_weights(a=100, b=300)
    report("shares_4_hogs", check_ratio, two, 3)
