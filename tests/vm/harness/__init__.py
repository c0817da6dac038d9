# SPDX-License-Identifier: Apache-2.0
"""Boots a real sched_ext kernel under QEMU with our binaries and runs a command in it."""
