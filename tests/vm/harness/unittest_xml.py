# SPDX-License-Identifier: Apache-2.0
"""Runs the unittest cases of the calling script and tells Bazel each case by name."""

import os
import sys
import time
import unittest

from harness import results


class _Result(unittest.TextTestResult):

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.cases = {}
        self._start = 0.0

    def startTest(self, test):
        super().startTest(test)
        self._start = time.monotonic()
        self.cases[test.id()] = results.Case(results.PASS, "", 0.0)

    def _fail(self, test, error):
        seconds = time.monotonic() - self._start
        text = self._exc_info_to_string(error, test)
        self.cases[test.id()] = results.Case(results.FAIL, text, seconds)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._fail(test, err)

    def addError(self, test, err):
        super().addError(test, err)
        self._fail(test, err)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._fail(test, err)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.cases[test.id()] = results.Case(results.FAIL, f"skipped: {reason}", 0.0)


def main():
    """Like unittest.main(), and writes $XML_OUTPUT_FILE. No tests at all is a failure."""
    tests = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    runner = unittest.TextTestRunner(stream=sys.stdout, verbosity=2, resultclass=_Result)
    outcome = runner.run(tests)
    path = os.environ.get("XML_OUTPUT_FILE")
    if path:
        results.write_xml(path, os.path.basename(sys.argv[0]), outcome.cases)
    failed = any(case.verdict != results.PASS for case in outcome.cases.values())
    sys.exit(1 if failed or not outcome.cases or not outcome.wasSuccessful() else 0)
