#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Unit tests of results."""

import os
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# pylint: disable=wrong-import-position,missing-function-docstring,missing-class-docstring
from harness import results, unittest_xml


def judge(names, *chunks, trouble=""):
    collector = results.Collector(names, clock=lambda: 0.0)
    for chunk in chunks:
        collector.feed(chunk)
    return {name: (case.verdict, case.message) for name, case in collector.finish(trouble).items()}


class ListTest(unittest.TestCase):

    def test_first_words(self):
        self.assertEqual(results.read_list("# c\n\nalpha what it shows\nbeta\n"), ["alpha", "beta"])

    def test_double_and_reserved_names_are_refused(self):
        for text in ("a\na\n", "suite_completes\n"):
            with self.assertRaises(ValueError):
                results.read_list(text)


class CollectorTest(unittest.TestCase):

    def test_lines_may_come_in_pieces(self):
        judged = judge(["a", "b"], b"CASE a PA", b"SS\nCASE b FAIL want 1,", b" got 2\n")
        self.assertEqual(judged["a"], ("PASS", ""))
        self.assertEqual(judged["b"], ("FAIL", "want 1, got 2"))
        self.assertEqual(judged["suite_completes"], ("PASS", ""))

    def test_a_dead_guest_fails_what_it_owed_and_keeps_what_it_reported(self):
        judged = judge(["a", "b"], b"CASE a PASS\n", trouble="Kernel panic")
        self.assertEqual(judged, {"a": ("PASS", ""), "b": ("FAIL", "Kernel panic"),
                                  "suite_completes": ("FAIL", "Kernel panic")})

    def test_a_case_left_out_fails(self):
        self.assertEqual(judge(["a"])["a"][0], "FAIL")

    def test_a_case_that_is_not_listed_fails_the_suite(self):
        judged = judge(["a"], b"CASE a PASS\nCASE z PASS\n")
        self.assertEqual(judged["suite_completes"][0], "FAIL")
        self.assertNotIn("z", judged)

    def test_of_two_verdicts_the_failure_stands(self):
        for lines in (b"CASE a PASS\nCASE a FAIL late\n", b"CASE a FAIL late\nCASE a PASS\n"):
            judged = judge(["a"], lines)
            self.assertEqual(judged["a"], ("FAIL", "late"))
            self.assertEqual(judged["suite_completes"][0], "FAIL")

    def test_an_unknown_verdict_is_no_pass(self):
        judged = judge(["a"], b"CASE a pass\n")
        self.assertEqual((judged["a"][0], judged["suite_completes"][0]), ("FAIL", "FAIL"))

    def test_an_incomplete_last_line_does_not_count(self):
        self.assertEqual(judge(["a"], b"CASE a PASS")["a"][0], "FAIL")


class XmlTest(unittest.TestCase):

    def test_one_element_per_case(self):
        cases = {"a": results.Case("PASS", "", 1.5), "b": results.Case("FAIL", "x < y\x1b", 0)}
        with tempfile.NamedTemporaryFile() as file:
            results.write_xml(file.name, "suite", cases, "log\x00")
            root = ET.parse(file.name).getroot()
        found = {case.get("name"): case.find("failure") for case in root.iter("testcase")}
        self.assertIsNone(found["a"])
        self.assertEqual(found["b"].get("message"), "x < y?")
        self.assertEqual(root.find("testsuite").get("failures"), "1")


if __name__ == "__main__":
    unittest_xml.main()
