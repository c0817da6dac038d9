# SPDX-License-Identifier: Apache-2.0
"""Results of a guest test suite: the fixed list of cases, the guest's lines, the XML for Bazel.

The list is known before the boot. A case of the list that the guest never reported has failed,
so a guest that dies is as many failed cases as it still owed.
"""

import time
import xml.etree.ElementTree as ET
from typing import NamedTuple

PASS, FAIL = "PASS", "FAIL"
# Every suite has this case: the script ran to its end and exited with 0.
COMPLETES = "suite_completes"


class Case(NamedTuple):
    """One reported case."""
    verdict: str
    message: str
    seconds: float  # since the report before


def read_list(text):
    """Names of the cases in `text`: the first word of each line that is no comment."""
    names = [line.split()[0] for line in text.splitlines() if line.strip() and line[0] != "#"]
    double = {name for name in names if names.count(name) > 1}
    if double or COMPLETES in names:
        raise ValueError(f"case names must be unique and not {COMPLETES}: {sorted(double)}")
    return names


class Collector:
    """Takes the bytes of the guest's cases channel as they come."""

    def __init__(self, names, clock=time.monotonic):
        self._names = names
        self._clock = clock
        self._last = clock()
        self._pending = b""
        self._cases = {}
        self._complaints = []

    def feed(self, data):
        """Adds data; complete lines are read at once."""
        *lines, self._pending = (self._pending + data).split(b"\n")
        for line in lines:
            self._read(line.decode(errors="replace"))

    def _read(self, line):
        words = line.split(maxsplit=3)
        if len(words) < 3 or words[0] != "CASE" or words[2] not in (PASS, FAIL):
            self._complaints.append(f"not a result: {line}")
            return
        name, verdict, message = words[1], words[2], words[3] if len(words) > 3 else ""
        now = self._clock()
        seconds, self._last = now - self._last, now
        if name not in self._names:
            self._complaints.append(f"not on the list of cases: {line}")
        elif name in self._cases:
            self._complaints.append(f"reported twice: {line}")
            if verdict == FAIL:
                self._cases[name] = Case(verdict, message, seconds)
        else:
            self._cases[name] = Case(verdict, message, seconds)

    def finish(self, trouble):
        """{name: Case} of every case owed, in the list's order.

        trouble: why the script did not end with 0, or "".
        """
        absent = Case(FAIL, trouble or "the script did not report this case", 0.0)
        result = {name: self._cases.get(name, absent) for name in self._names}
        complaints = "; ".join(filter(None, [trouble, *self._complaints]))
        result[COMPLETES] = Case(FAIL if complaints else PASS, complaints, 0.0)
        return result


def _printable(text):
    """Without the control characters that XML 1.0 cannot hold."""
    return "".join(c if c >= " " or c in "\t\n" else "?" for c in text)


def write_xml(path, suite, cases, log=""):
    """Writes {name: Case} as a JUnit file; `log` goes to the suite's output."""
    failed = sum(case.verdict != PASS for case in cases.values())
    root = ET.Element("testsuites")
    element = ET.SubElement(root, "testsuite", name=suite, tests=str(len(cases)),
                            failures=str(failed), errors="0")
    for name, case in cases.items():
        item = ET.SubElement(element, "testcase", name=name, classname=suite,
                             time=f"{case.seconds:.3f}", status="run")
        if case.verdict != PASS:
            message = _printable(case.message)
            ET.SubElement(item, "failure", message=message).text = message
    if log:
        ET.SubElement(element, "system-out").text = _printable(log)
    ET.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)
