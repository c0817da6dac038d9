# SPDX-License-Identifier: Apache-2.0
"""Instructions that the verifier walked, by program, beside the recorded ones (verified_insns.txt)."""

import os

import daemon
from cases import must

MAX_TOTAL = 12_000
MAX_GROWTH = 1.20
_PREFIX = "layered_"


def _recorded(series):
    """{program: instructions} from the column of this kernel series."""
    lines = [line.split() for line in open("verified_insns.txt") if not line.startswith("#")]
    column = lines[0].index(series)
    return {words[0]: int(words[column]) for words in lines[1:]}


def check_verified():
    """No program is more than a fifth above its record; all together stay under the limit."""
    programs = {program["name"]: int(program["verified_insns"])
                for program in daemon.status()["programs"]}
    series = ".".join(os.uname().release.split(".")[:2])
    recorded = _recorded(series)
    total = sum(programs.values())
    now = " ".join(f"{name.removeprefix(_PREFIX)}={count}" for name, count in programs.items())
    must(programs.keys() == recorded.keys(),
         f"verified_insns.txt records {sorted(recorded)}, loaded are {sorted(programs)}")
    grown = [f"{name} {recorded[name]} -> {count}" for name, count in programs.items()
             if count > recorded[name] * MAX_GROWTH]
    must(not grown, f"more than a fifth above the record: {', '.join(grown)}")
    return must(total <= MAX_TOTAL, f"{total} in all (at most {MAX_TOTAL}): {now}")
