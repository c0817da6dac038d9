#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Unit tests of count_cases."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "tests", "vm")]
# pylint: disable=wrong-import-position,missing-function-docstring,missing-class-docstring
import count_cases
from harness import unittest_xml


def configured(label):
    return {"id": {"targetConfigured": {"label": label}}, "configured": {"testSize": "SMALL"}}


def result(label, status="PASSED", xml="<s><testcase name='a'/></s>", shard=0):
    return {"id": {"testResult": {"label": label, "shard": shard}},
            "testResult": {"status": status, "xml": xml}}


def tally(*events):

    def read(event):
        if event["xml"] is None:
            raise OSError("no test.xml")
        return event["xml"]

    return count_cases.tally(events, read)


class CountTest(unittest.TestCase):

    def test_kinds_of_case(self):
        xml = """<s><testcase name='pass' status='run'/><testcase name='off' status='notrun'/>
          <testcase name='gtest' result='skipped'/><testcase name='junit'><skipped/></testcase>
          <testcase name='bad'><failure/></testcase><testcase name='worse'><error/></testcase></s>"""
        self.assertEqual(count_cases.count(xml), (5, 4))


class TallyTest(unittest.TestCase):

    def test_passed(self):
        self.assertEqual(tally(configured("//a"), result("//a")), (1, 0))

    def test_shards_add_up(self):
        self.assertEqual(tally(configured("//a"), result("//a"), result("//a", shard=1)), (2, 0))

    def test_a_later_attempt_replaces_the_earlier(self):
        self.assertEqual(tally(configured("//a"), result("//a", "FAILED"), result("//a")), (1, 0))

    def test_a_target_that_did_not_build_is_one_failed(self):
        self.assertEqual(tally(configured("//a"), configured("//b"), result("//a")), (1, 1))

    def test_a_target_without_xml_is_one_failed(self):
        self.assertEqual(tally(configured("//a"), result("//a", "TIMEOUT", None)), (0, 1))
        self.assertEqual(tally(configured("//a"), result("//a", "TIMEOUT", "<s><test")), (0, 1))

    def test_a_failed_target_whose_cases_all_passed_is_one_failed(self):
        self.assertEqual(tally(configured("//a"), result("//a", "FAILED")), (1, 1))

    def test_other_targets_do_not_count(self):
        library = {"id": {"targetConfigured": {"label": "//l"}}, "configured": {"targetKind": "x"}}
        self.assertEqual(tally(library, configured("//a"), result("//a")), (1, 0))


if __name__ == "__main__":
    unittest_xml.main()
