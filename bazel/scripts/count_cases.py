#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""count_cases.py EVENTS: prints "N passed, N failed" for a `bazel test` run, in test cases.

EVENTS is Bazel's --build_event_json_file. Cases come from each target's test.xml, cached ones
included; a skipped case counts as failed, and so does, once, a target without a readable test.xml
(it did not build, or was killed). Exits with 1 if anything failed or nothing ran.
"""

import json
import sys
import urllib.parse
import xml.etree.ElementTree as ET


def count(xml):
    """(cases, failed cases) of the text of one test.xml."""
    cases = failed = 0
    for case in ET.fromstring(xml).iter("testcase"):
        if case.get("status") == "notrun":
            continue
        cases += 1
        failed += case.get("result") == "skipped" or any(
            case.find(tag) is not None for tag in ("failure", "error", "skipped"))
    return cases, failed


def _xml_of(result):
    for output in result.get("testActionOutput", []):
        if output["name"] == "test.xml":
            path = urllib.parse.unquote(urllib.parse.urlparse(output["uri"]).path)
            with open(path, encoding="utf-8", errors="replace") as file:
                return file.read()
    raise OSError("no test.xml")


def tally(events, read=_xml_of):
    """(passed, failed) of an iterable of build events (dicts)."""
    wanted, last = set(), {}
    for event in events:
        ident = event.get("id", {})
        if "configured" in event and event["configured"].get("testSize"):
            wanted.add(ident["targetConfigured"]["label"])
        elif "targetCompleted" in ident and "aborted" in event:
            wanted.add(ident["targetCompleted"]["label"])
        elif "testResult" in event:
            name = ident["testResult"]
            # A later attempt of the same run replaces the earlier one.
            last[name["label"], name.get("run"), name.get("shard")] = event["testResult"]
    cases = failed = 0
    for result in last.values():
        passed = result.get("status") == "PASSED"
        try:
            some, bad = count(read(result))
        except (OSError, ET.ParseError):
            some, bad = 1, 1
        if not passed and not bad:
            some, bad = some + 1, 1
        cases += some
        failed += bad
    silent = wanted - {label for label, _, _ in last}
    return cases - failed, failed + len(silent)


def main():
    """See the top of the file."""
    with open(sys.argv[1], encoding="utf-8") as file:
        passed, failed = tally(json.loads(line) for line in file)
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
