# SPDX-License-Identifier: Apache-2.0
"""Guest side: the cases of a suite that is written in Python (tests/vm/vm_test.bzl)."""

import os
import traceback


class Failed(Exception):
    """A case did not hold; the text says what was seen."""


def must(holds, text):
    """Fails the case with `text` unless holds; returns the text, for the message of a pass."""
    if not holds:
        raise Failed(text)
    return text


def report(name, function, *arguments):
    """Runs one case: what the function returns is the message. An exception fails this case only."""
    try:
        verdict, message = "PASS", function(*arguments) or ""
    except Exception as error:  # pylint: disable=broad-except
        if not isinstance(error, Failed):
            traceback.print_exc()
        verdict, message = "FAIL", f"{type(error).__name__}: {error}"
    line = " ".join(f"CASE {name} {verdict} {message}".split())
    print(line, flush=True)
    with open(os.environ["CASES"], "w") as cases:
        cases.write(line + "\n")
