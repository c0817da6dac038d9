#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Suite for one CPU: shares, no failed probe at all, and progress under the worst weights."""

import time

from cases import report
from many import Many
from probes import check_probes
from progress import check_progress
from two import Two, share_cases

two = Two()
share_cases(two)
for group in two.groups.values():
    group.run("hog", "--processes", 4, "--sleep-ms", 2)
time.sleep(2)
report("failed_probes_2_layers", check_probes, two.samples, 0)
for group in two.groups.values():
    group.kill()

# The default layer is this script's, which has to read the books beside all that.
two.set_weights(a=1, b=10000, default=10000)
two.groups["a"].run("hog")
two.groups["b"].run("hog", "--processes", 4)
time.sleep(1)
report("progress_weights_1_and_10000", check_progress, two.groups.values())
for group in two.groups.values():
    group.kill()

nice = two.groups["a"]
nice.run("hog", "--nice", 19)
nice.run("hog", "--nice", -20, "--processes", 4)
time.sleep(1)
report("progress_nice_19_beside_minus_20", check_progress, [nice])
two.end()

many = Many()
time.sleep(2)
report("failed_probes_64_layers", check_probes, many.samples, 0)
many.end()
