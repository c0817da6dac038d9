# SPDX-License-Identifier: Apache-2.0
"""Failed probes of queues per dispatch: by the scheduler's own counters, and by a kretprobe."""

import pathlib
import time

import daemon
from cases import must

DISPATCHES = 10_000
_TRACING = pathlib.Path("/sys/kernel/tracing")
_KFUNC = "scx_bpf_dsq_move_to_local"


class Kretprobe:
    """Counts the returns of the probing kfunc by their value: false is a failed probe."""

    def __init__(self):
        symbols = {line.split()[2] for line in open("/proc/kallsyms") if _KFUNC in line}
        # From 7.1 the old name is a wrapper around ___v2, which is the one that we call.
        self._symbol = f"{_KFUNC}___v2" if f"{_KFUNC}___v2" in symbols else _KFUNC
        (_TRACING / "kprobe_events").write_text(
            f"r:spine/failed {self._symbol} value=$retval:u8\np:spine/all {self._symbol}\n")
        self._event("failed/filter", "value == 0")
        self._event("failed/trigger", "hist:keys=value")
        self._event("all/enable", "1")
        self._event("failed/enable", "1")

    @staticmethod
    def _event(name, text):
        (_TRACING / "events/spine" / name).write_text(text)

    def failed(self):
        """Returns with false so far."""
        text = (_TRACING / "events/spine/failed/hist").read_text()
        return sum(int(line.rsplit(":", 1)[1]) for line in text.splitlines()
                   if line.startswith("{") and line.split()[2].rstrip("}") == "0")

    def calls(self):
        """(calls so far, of these missed by the probes)."""
        rows = [line.split() for line in (_TRACING / "kprobe_profile").read_text().splitlines()]
        counts = {row[0].split("/")[-1]: (int(row[1]), int(row[2])) for row in rows}
        return counts["all"][0], counts["all"][1] + counts["failed"][1]

    def close(self):
        """Takes the probes away."""
        self._event("failed/enable", "0")
        self._event("all/enable", "0")
        self._event("failed/trigger", "!hist:keys=value")
        (_TRACING / "kprobe_events").write_text("")


def check_probes(samples, limit):
    """At most `limit` failed probes per dispatch over DISPATCHES dispatches, by either count."""
    probe = Kretprobe()
    begin = samples.next()["machine"]
    failed, calls = probe.failed(), probe.calls()[0]
    end = time.monotonic() + 120
    while True:
        time.sleep(1)
        now = samples.next()["machine"]
        dispatches = now["dispatches"] - begin["dispatches"]
        if dispatches >= DISPATCHES or time.monotonic() > end:
            break
    failed, (all_calls, missed) = probe.failed() - failed, probe.calls()
    probe.close()
    own = now["failed_probes"] - begin["failed_probes"]
    seen = (f"{dispatches} dispatches, {all_calls - calls} probes; failed: {failed} by kretprobe, "
            f"{own} by the daemon ({failed / max(dispatches, 1):.4f} per dispatch, limit {limit})")
    must(dispatches >= DISPATCHES and all_calls > calls, seen)
    must(missed == 0, f"{seen}; the kprobes missed {missed}")
    must(daemon.status()["state"] == "running", seen)
    return must(max(failed, own) <= limit * dispatches, seen)
