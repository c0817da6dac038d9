# SPDX-License-Identifier: Apache-2.0
"""Guest side: runs layeredd and talks to it through layeredctl, as a person would."""

import json
import pathlib
import subprocess
import time

SCHED_EXT = pathlib.Path("/sys/kernel/sched_ext")
SOCKET = pathlib.Path("/run/layered/layered.sock")


def kernel(name):
    """What /sys/kernel/sched_ext says: state, enable_seq, nr_rejected, or root/ops ("" if none)."""
    try:
        return (SCHED_EXT / name).read_text().strip()
    except FileNotFoundError:
        return ""


def ctl(*words, check=True):
    """Runs layeredctl; returns the finished process with its output as text."""
    done = subprocess.run(["layeredctl", *map(str, words)], capture_output=True, text=True)
    if check and done.returncode != 0:
        raise RuntimeError(f"layeredctl {' '.join(map(str, words))}: exit code "
                           f"{done.returncode}: {done.stderr.strip()}")
    return done


def status():
    """`layeredctl status` as a dict."""
    return json.loads(ctl("status", "-o", "json").stdout)


def wait_for(condition, seconds, what):
    """Polls until condition() is true and returns its value; RuntimeError after `seconds`."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise RuntimeError(f"not within {seconds} s: {what}")
        time.sleep(0.05)


class Daemon:
    """One run of layeredd. Its log is a file, kept for the person who looks for a fault."""

    def __init__(self, config, log):
        """config: path of a layer set, or None. log: path of the log, appended to."""
        words = ["layeredd"] + (["--config", str(config)] if config else [])
        self._log = pathlib.Path(log)
        with open(log, "ab") as file:
            self.process = subprocess.Popen(words, stderr=file, stdin=subprocess.DEVNULL)

    @property
    def pid(self):
        """Process id."""
        return self.process.pid

    def log(self):
        """All that was logged so far."""
        return self._log.read_text(errors="replace")

    def wait_running(self, seconds=30):
        """Waits until our scheduler schedules; RuntimeError with the log if it does not."""

        def running():
            if self.process.poll() is not None:
                raise RuntimeError(f"layeredd ended with {self.process.returncode}: {self.log()}")
            return SOCKET.exists() and '"running"' in ctl("status", "-o", "json",
                                                          check=False).stdout

        wait_for(running, seconds, "layeredd running; log: " + self.log())
        return self

    def stop(self):
        """SIGTERM; returns (exit code, seconds until it had ended)."""
        start = time.monotonic()
        self.process.terminate()
        code = self.process.wait(timeout=30)
        return code, time.monotonic() - start


class Samples:
    """The daemon's own counters: the stream of `layeredctl watch -o json`, newest sample on demand.

    One process for many samples, so that the reader itself costs next to nothing.
    """

    def __init__(self, interval="500ms"):
        self._process = subprocess.Popen(
            ["layeredctl", "watch", "-o", "json", "--interval", interval], stdout=subprocess.PIPE,
            text=True)

    def next(self):
        """The next sample, as a dict. Samples that waited unread are passed over."""
        asked = time.monotonic_ns()
        while True:
            line = self._process.stdout.readline()
            if not line:
                raise RuntimeError("the stream of samples ended")
            sample = json.loads(line)
            if sample.get("time_ns", 0) >= asked:
                return sample

    def close(self):
        """Ends the stream."""
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()


def cpu_ns(sample):
    """CPU time by layer in one sample."""
    return {layer["name"]: layer["cpu_ns"] for layer in sample["layers"]}
