#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Suite for machines with more than one LLC: the shares are the same as on a flat one."""

from cases import must, report
from two import Two, share_cases
import daemon

two = Two()
report("topology", lambda: must(daemon.status()["topology"]["llcs"] == 2,
                                f"{daemon.status()['topology']}"))
share_cases(two)
two.end()
