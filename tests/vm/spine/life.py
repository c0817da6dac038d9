#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Suite of the daemon's life, in deterministic mode: starts, reloads, ends of every kind."""

import json
import os
import pathlib
import signal
import subprocess
import time

import daemon
import load
from cases import must, report
from matching import check_matches, check_moves, rules_of_each_key
from verified import check_verified

MAX_START = 1.0  # seconds from exec to enabled, the second start of a boot
MAX_STOP = 2.0
CONFIG = pathlib.Path("/tmp/life.json")
LOG = os.environ["OUT"] + "/layeredd.log"
NOBODY = 65534
EXIT_SYSRQ = 67  # the kernel's exit kind
# Exit codes: docs/operations.md.
CONFLICT, PERMISSION, INVALID, UNSUPPORTED = 4, 5, 7, 8


def config(*layers):
    """Writes the config: these layers (name, match, weight), then the catch-all."""
    rows = [{"name": name, "match": [match], "weight": weight} for name, match, weight in layers]
    CONFIG.write_text(json.dumps({"layers": rows + [{"name": "default", "match": ["all"]}]}))
    return CONFIG


def start():
    """The daemon over the config as it is."""
    return daemon.Daemon(CONFIG, LOG).wait_running()


def refused(code, *words, uid=None):
    """A start that must fail with this code; returns what it said."""
    done = subprocess.run(["layeredd", *words], stderr=subprocess.PIPE, text=True, timeout=60,
                          user=uid)
    return must(done.returncode == code, f"exit code {done.returncode} (want {code}): "
                f"{done.stderr.strip()}")


def check_not_root():
    """An ordinary user is told so."""
    text = refused(PERMISSION, "--socket", "/tmp/nobody.sock", uid=NOBODY)
    return must("root" in text, text)


def check_bad_config():
    """All faults of a config, and nothing is loaded."""
    bad = pathlib.Path("/tmp/bad.json")
    bad.write_text('{"layers": [{"name": "a", "weight": 0, "match": ["com=x"]}]}')
    text = refused(INVALID, "--config", str(bad))
    for part in ("weight", "did you mean 'comm'", "/tmp/bad.json"):
        must(part in text, f"no '{part}' in: {text}")
    return must(daemon.kernel("state") == "disabled", text)


def check_foreign_scheduler():
    """Another scheduler is loaded: it is named, and left alone."""
    pins = pathlib.Path("/sys/fs/bpf/other")
    pins.mkdir()
    subprocess.run(["bpftool", "struct_ops", "register", "other.bpf.o", str(pins)], check=True,
                   stdout=subprocess.DEVNULL)
    daemon.wait_for(lambda: daemon.kernel("root/ops") == "someone_elses", 20, "the other scheduler")
    text = refused(UNSUPPORTED)
    must("someone_elses" in text, text)
    must(daemon.kernel("root/ops") == "someone_elses", "it was put out")
    for pin in pins.iterdir():
        pin.unlink()
    daemon.wait_for(lambda: daemon.kernel("state") == "disabled", 20, "the end of the other")
    return text


def check_second_start():
    """The first start of a boot reads much from disk; the second is what a restart costs."""
    first = start()
    before = int(daemon.status()["exec_to_enabled_ns"]) / 1e9
    first.stop()
    again = start()
    seconds = int(daemon.status()["exec_to_enabled_ns"]) / 1e9
    again.stop()
    return must(seconds <= MAX_START, f"{seconds:.3f} s from exec to enabled (at most {MAX_START}; "
                f"the first start of the boot: {before:.3f} s)")


def check_second_instance():
    """Is refused, and told who is there."""
    text = refused(CONFLICT, "--config", str(CONFIG))
    must(str(layeredd.pid) in text, f"no pid {layeredd.pid} in: {text}")
    return must(daemon.status()["state"] == "running", text)


def revisions():
    """(desired, observed) revision."""
    status = daemon.status()
    return int(status["desired_revision"]), int(status["observed_revision"])


def check_reload():
    """SIGHUP: one revision with everything that the file says; a fault in it changes nothing."""
    before, seq = revisions()[0], daemon.kernel("enable_seq")
    config(("web", "comm=web*", 300), ("db", "comm=db", 200))
    layeredd.process.send_signal(signal.SIGHUP)
    daemon.wait_for(lambda: revisions() == (before + 1, before + 1), 20, "the revision of the file")
    names = [layer["name"] for layer in json.loads(daemon.ctl("list", "-o", "json").stdout)["layers"]]
    must(names == ["web", "db", "default"], f"layers {names}")
    CONFIG.write_text('{"layers": [{"name": "a", "wait": 1}]}')
    layeredd.process.send_signal(signal.SIGHUP)
    daemon.wait_for(lambda: "config not taken" in layeredd.log(), 20, "word of the fault")
    must(revisions() == (before + 1, before + 1), f"revisions {revisions()} after a faulty file")
    return must(daemon.kernel("enable_seq") == seq, f"one revision, enable_seq {seq} as before")


def check_round_trip():
    """What `get --all -o json` prints starts a daemon with the same layers."""
    daemon.ctl("set-layer", "web", "--weight", 700, "--slice", "3ms")
    text = daemon.ctl("get", "--all", "-o", "json").stdout
    CONFIG.write_text(text)
    layeredd.stop()
    again = start()
    after = daemon.ctl("get", "--all", "-o", "json").stdout
    return again, must(json.loads(text)["layers"] == json.loads(after)["layers"],
                       f"before {text} after {after}") and "the same layers"


def check_kill():
    """kill -9: the kernel's own scheduler is back, and the next start says how things are."""
    begin = time.monotonic()
    layeredd.process.kill()
    layeredd.process.wait()
    daemon.wait_for(lambda: daemon.kernel("state") == "disabled", 5, "the default scheduler")
    seconds = time.monotonic() - begin
    gone = daemon.ctl("status", check=False)
    must(gone.returncode == 6, f"layeredctl status without a daemon: exit code {gone.returncode}")
    again = start()
    status = daemon.status()
    must(status["state"] == "running" and status["ops"] == daemon.kernel("root/ops") and
         status["enable_seq"] == int(daemon.kernel("enable_seq")), f"status {status}")
    return again, f"default scheduler {seconds:.3f} s after the signal; next start runs"


def check_ejected():
    """The kernel takes the scheduler out: the daemon stays and says so."""
    pathlib.Path("/proc/sysrq-trigger").write_text("S")
    status = daemon.wait_for(lambda: daemon.status()["state"] == "failed" and daemon.status(), 20,
                             "state failed")
    must(status["last_exit"]["kind"] == EXIT_SYSRQ and status["ops"] == "", f"status {status}")
    text = daemon.ctl("status").stdout
    return must("sysrq" in text, text)


def check_stop():
    """SIGTERM with every CPU busy: exit 0, in time, and the kernel as before."""
    busy = load.Group("/life/busy")
    busy.run("hog", "--processes", 4 * os.cpu_count())
    time.sleep(2)
    code, seconds = layeredd.stop()
    state = daemon.kernel("state")
    busy.kill()
    return must(code == 0 and seconds <= MAX_STOP and state == "disabled" and
                not daemon.SOCKET.exists(),
                f"exit code {code} after {seconds:.2f} s (at most {MAX_STOP}), sched_ext {state}")


def replaced(name, check):
    """A case that starts the daemon anew; the new one is the daemon from here on."""
    global layeredd  # pylint: disable=global-statement
    outcome = []

    def case():
        again, text = check()
        outcome.append(again)
        return text

    report(name, case)
    if outcome:
        layeredd = outcome[0]
    else:
        layeredd.process.kill()
        layeredd.process.wait()
        layeredd = start()


report("not_root", check_not_root)
report("bad_config", check_bad_config)
report("foreign_scheduler", check_foreign_scheduler)
config(("a", "comm=a", 100))
report("second_start", check_second_start)

CONFIG.write_text(rules_of_each_key())
layeredd = start()
report("match_each_key", check_matches)
layeredd.stop()

config(("a", "comm=a", 100))
layeredd = start()
report("verified_insns", check_verified)
report("second_instance", check_second_instance)
report("match_again", check_moves)
report("reload", check_reload)
replaced("get_all_starts_the_same", check_round_trip)
replaced("kill_9", check_kill)
report("ejected", check_ejected)
layeredd.stop()
layeredd = start()
report("stop_under_load", check_stop)
