#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Unit tests of kernels (without fetching any)."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# pylint: disable=wrong-import-position,missing-function-docstring,missing-class-docstring
from harness import kernels, unittest_xml
from harness.errors import UsageError

_SERIES = kernels.Series("6.19", "trixie-backports", "linux-*-6.19.*+deb13-cloud-amd64")


class CandidatesTest(unittest.TestCase):

    def test_newest_first_by_number_not_by_letter(self):
        offered = [f"linux-image-6.19.{n}+deb13-cloud-amd64" for n in (6, 14, 8)]
        self.assertEqual([kernels.release_of(p) for p in kernels.candidates(_SERIES, offered)],
                         [f"6.19.{n}+deb13-cloud-amd64" for n in (14, 8, 6)])

    def test_the_binary_package_wins(self):
        offered = ["linux-binary-6.19.6+deb13-cloud-amd64", "linux-image-6.19.6+deb13-cloud-amd64"]
        for order in (offered, offered[::-1]):
            self.assertEqual(kernels.candidates(_SERIES, order), offered[:1])

    def test_other_packages_are_none(self):
        offered = ["linux-image-6.19.6+deb13-cloud-amd64-dbg", "linux-base-6.19.6+deb13-cloud-amd64",
                   "linux-image-6.19.6+deb13-amd64", "linux-image-7.0.4+deb13-cloud-amd64",
                   "linux-binary-unsigned-6.19.6+deb13-cloud-amd64"]
        self.assertEqual(kernels.candidates(_SERIES, offered), [])


class ListTest(unittest.TestCase):

    def test_rows_and_comments(self):
        read = kernels.read_list("# text\n\n6.19 sid linux-*\n7.0  sid  x-*\n")
        self.assertEqual(list(read), ["6.19", "7.0"])
        self.assertEqual(read["7.0"], kernels.Series("7.0", "sid", "x-*"))

    def test_an_unknown_series_names_the_known_ones(self):
        with self.assertRaisesRegex(UsageError, r"5\.10 is not one of .*6\.18.*7\.3"):
            kernels.get("5.10")


if __name__ == "__main__":
    unittest_xml.main()
