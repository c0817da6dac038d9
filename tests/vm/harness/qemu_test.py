#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Unit tests of qemu, with a shell script in QEMU's place."""

import collections
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# pylint: disable=wrong-import-position,missing-function-docstring,missing-class-docstring
from harness import qemu, topology, unittest_xml

# Finds the descriptor of each channel as QEMU would, then acts as the guest does.
_FAKE = """#!/bin/bash
declare -A fd
while (($#)); do
  case $1 in
    -add-fd) last=${2#fd=} last=${last%,set=*} ;;
    -device) [[ $2 != *name=* ]] || fd[${2##*name=}]=$last ;;
  esac
  shift
done
say() { printf %b "$2" >&"${fd[$1]}"; }
"""


class RunTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tmp = pathlib.Path(folder.name)

    def guest(self, body, timeout=20):
        program = self.tmp / "qemu"
        program.write_text(_FAKE + body)
        program.chmod(0o755)
        self.out = collections.defaultdict(bytes)

        def sink(name):
            return lambda data: self.out.__setitem__(name, self.out[name] + data)

        sinks = {name: sink(name) for name in qemu.CHANNELS if name != "control"}
        with open(self.tmp / "log", "wb") as log:
            return qemu.run([str(program)], sinks, timeout, log)

    def test_everything_is_passed_through(self):
        outcome = self.guest("say control 'ready\\n'; say stdout out; say stderr err;"
                             "say cases 'CASE a PASS\\n'; say files tar; say control 'end 7\\n'")
        self.assertEqual((outcome.exit_code, outcome.reason, outcome.timed_out), (7, "", False))
        self.assertIsNotNone(outcome.ready_seconds)
        self.assertEqual(dict(self.out), {"stdout": b"out", "stderr": b"err", "files": b"tar",
                                          "cases": b"CASE a PASS\n"})

    def test_much_output_is_complete(self):
        self.guest("head -c 3000000 /dev/zero >&${fd[stdout]}; say control 'end 0\\n'")
        self.assertEqual(len(self.out["stdout"]), 3000000)

    def test_an_end_that_comes_in_pieces(self):
        outcome = self.guest("say control 'ready\\nend 1'; sleep 0.2; say control '3\\n'")
        self.assertEqual(outcome.exit_code, 13)

    def test_a_guest_that_dies_has_no_exit_code(self):
        outcome = self.guest("say control 'ready\\n'; say stdout some; exit 0")
        self.assertIsNone(outcome.exit_code)
        self.assertIn("died", outcome.reason)
        self.assertFalse(outcome.timed_out)
        self.assertEqual(self.out["stdout"], b"some")

    def test_timeout_ends_the_guest(self):
        outcome = self.guest("echo $$ >&${fd[stdout]}; say control 'ready\\n'; exec sleep 100", 1)
        self.assertTrue(outcome.timed_out)
        self.assertIn("while the command ran", outcome.reason)
        self.assertFalse(os.path.exists(f"/proc/{int(self.out['stdout'])}"))

    def test_timeout_before_the_command_says_so(self):
        self.assertIn("while the guest booted", self.guest("exec sleep 100", 1).reason)

    def test_output_after_a_timeout_stays(self):
        self.guest("say stdout early; exec sleep 100", 1)
        self.assertEqual(self.out["stdout"], b"early")


class CommandLineTest(unittest.TestCase):

    def line(self, **options):
        machine = topology.machine("nosmt", 4, 1024)
        return " ".join(qemu.command_line("/k", "/i", machine, "/c", **options))

    def test_emulation_never_uses_more_than_one_thread(self):
        self.assertIn("-accel tcg,thread=single", self.line())
        self.assertIn("-accel tcg,thread=single", self.line(icount=True))

    def test_kvm_only_when_asked_for(self):
        self.assertNotIn("kvm", self.line())
        self.assertIn("-accel kvm", self.line(accel="kvm"))

    def test_kernel_words_of_topology_and_person(self):
        self.assertRegex(self.line(append="a=1 b"), r"-append .*nosmt a=1 b")


if __name__ == "__main__":
    unittest_xml.main()
