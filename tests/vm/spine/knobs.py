# SPDX-License-Identifier: Apache-2.0
"""Lengths of runs, from the kernel's command line: spine.NAME=VALUE (vm_test's append)."""

import re


def knob(name, default):
    """The value of spine.NAME, an integer."""
    found = re.search(rf"\bspine\.{name}=(\d+)", open("/proc/cmdline").read())
    return int(found[1]) if found else default
