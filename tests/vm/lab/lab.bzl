# SPDX-License-Identifier: Apache-2.0
"""The modules of this folder, for the data of a vm_test."""

LAB = ["//tests/vm/lab:%s.py" % name for name in ("cases", "daemon", "load", "window")]
