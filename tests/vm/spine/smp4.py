#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Suite for 4 CPUs: shares, changes under load, failed probes."""

import time

from cases import report
from many import Many
from probes import check_probes
from two import Two, share_cases
from writes import check_writes

PROBES_PER_DISPATCH = 0.02

two = Two()
share_cases(two)
report("set_layer_under_load", check_writes, two)
for group in two.groups.values():
    group.run("hog", "--processes", 8, "--sleep-ms", 2)  # wake-ups: CPUs race for the same tasks
time.sleep(2)
report("failed_probes_2_layers", check_probes, two.samples, PROBES_PER_DISPATCH)
two.end()

many = Many()
time.sleep(2)
report("failed_probes_64_layers", check_probes, many.samples, PROBES_PER_DISPATCH)
many.end()
