#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Unit tests of topology."""

import os
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# pylint: disable=wrong-import-position,missing-function-docstring,missing-class-docstring
from harness import topology, unittest_xml
from harness.errors import UsageError


def smp(machine):
    """{key: number} of the machine's -smp option; key "cpus" for its first field."""
    fields = machine.qemu[machine.qemu.index("-smp") + 1].split(",")
    rest = dict(field.split("=") for field in fields[1:])
    return {"cpus": int(fields[0]), **{key: int(value) for key, value in rest.items()}}


class MachineTest(unittest.TestCase):

    def test_sockets_cores_threads_multiply_to_the_cpus(self):
        for name in topology.TOPOLOGIES:
            with self.subTest(name):
                shape = smp(topology.machine(name, 8, 2048))
                product = shape["sockets"] * shape["cores"] * shape["threads"]
                self.assertEqual(product, shape.get("maxcpus", shape["cpus"]))
                self.assertEqual(shape["cpus"], 1 if name == "1cpu" else 8)

    def test_node_memory_adds_up(self):
        for name in ("2n", "memnode"):
            flags = " ".join(topology.machine(name, 4, 2049).qemu)
            sizes = [int(size) for size in re.findall(r"size=(\d+)M", flags)]
            self.assertEqual((len(sizes), sum(sizes)), (2, 2049))

    def test_cpus_that_do_not_divide_are_refused(self):
        for name, cpus in [("2llc", 3), ("4llc", 6), ("2n", 2), ("smt", 5), ("hole", 1),
                           ("flat", 0)]:
            with self.subTest(name), self.assertRaisesRegex(UsageError, name):
                topology.machine(name, cpus, 2048)

    def test_unknown_name_lists_the_known(self):
        with self.assertRaisesRegex(UsageError, "'ring' is not one of flat, 2llc"):
            topology.machine("ring", 4, 2048)

    def test_hole_takes_a_cpu_in_the_middle_offline(self):
        self.assertEqual(topology.machine("hole", 4, 2048).offline, "1")


class MemoryTest(unittest.TestCase):

    def test_units(self):
        self.assertEqual(topology.parse_memory("2G"), 2048)
        self.assertEqual(topology.parse_memory("512M"), 512)

    def test_refused(self):
        for text in ("2", "0G", "G", "-1G", "2g", "1.5G"):
            with self.subTest(text), self.assertRaises(UsageError):
                topology.parse_memory(text)


if __name__ == "__main__":
    unittest_xml.main()
