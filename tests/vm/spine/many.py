# SPDX-License-Identifier: Apache-2.0
"""64 layers, half of them with work: hogs in some, a lonely sleeper in others.

Lonely sleepers are the worst case for failed probes: their queue holds one task, which every CPU wants
to take as soon as it is counted.
"""

import json
import os

import daemon
import load

LAYERS = 64


class Many:
    """The daemon with layers m0..m62 by comm, and the catch-all."""

    def __init__(self):
        layers = [{"name": f"m{i}", "match": [f"comm=m{i}"], "weight": 100 + 50 * (i % 5)}
                  for i in range(LAYERS - 1)]
        # The weight is for this script, which has to get through beside all the hogs.
        layers.append({"name": "default", "match": ["all"], "weight": 10000})
        path = "/tmp/many.json"
        with open(path, "w") as file:
            json.dump({"layers": layers}, file)
        self.layeredd = daemon.Daemon(path, os.environ["OUT"] + "/layeredd.log").wait_running()
        self.samples = daemon.Samples()
        self._group = load.Group("/spine/many")
        for i in range(0, LAYERS - 1, 4):
            self._group.run("hog", "--comm", f"m{i}", "--processes", 2)
            self._group.run("hog", "--comm", f"m{i + 1}", "--sleep-ms", 5)

    def end(self):
        """Ends the load and the daemon."""
        self.samples.close()
        self._group.kill()
        self.layeredd.stop()
