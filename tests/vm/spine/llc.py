#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Suite for machines with more than one LLC: all that holds on a flat one, on the newest kernel."""

import time

import daemon
from cases import must, report
from many import Many
from probes import check_probes
from two import Two, share_cases
from writes import check_writes

two = Two()
report("topology", lambda: must(daemon.status()["topology"]["llcs"] == 2,
                                f"{daemon.status()['topology']}"))
share_cases(two)
report("set_layer_under_load", check_writes, two)
two.end()

many = Many()
time.sleep(2)
report("failed_probes_64_layers", check_probes, many.samples, 0.02)
many.end()
