# SPDX-License-Identifier: Apache-2.0
"""Runs one guest: QEMU's command line, its output channels, its end.

The guest's channels are pipes that QEMU writes to synchronously: output is live, in order, and
does not disturb deterministic mode as a throttled socket would.
"""

import ctypes
import os
import selectors
import signal
import subprocess
import time
from typing import NamedTuple, Optional

QEMU = "/usr/bin/qemu-system-x86_64"
CHANNELS = ["stdout", "stderr", "control", "files", "cases"]
_PR_SET_PDEATHSIG = 1
_POWER_OFF_SECONDS = 20  # from the guest's "end" to QEMU's exit


class Outcome(NamedTuple):
    """How a run ended. Exactly one of exit_code and reason is set."""
    exit_code: Optional[int]  # of the command
    reason: str  # why there is no exit code
    timed_out: bool
    ready_seconds: Optional[float]  # from start to the command's start
    seconds: float


def command_line(kernel, initramfs, machine, console, accel="tcg", icount=False, append=""):
    """QEMU's arguments without the channels.

    kernel: ELF image; machine: topology.Machine; console: file for the guest's serial console.
    icount is for emulation only.
    """
    if accel == "kvm":
        cpu = ["-accel", "kvm", "-cpu", "host"]
    else:
        # QEMU 7.2's multi-threaded emulation breaks the kernel's text patching (panics as a
        # scheduler is enabled). The default AMD vendor would give wrong LLC ids.
        cpu = ["-accel", "tcg,thread=single", "-cpu", "max,vendor=GenuineIntel"]
    if icount:
        # One clock that advances 2 ns per instruction: equal input, equal run, bit for bit.
        cpu += ["-icount", "shift=1,sleep=off", "-rtc", "base=2026-01-01T00:00:00,clock=vm",
                "-seed", "1"]
    words = [
        "console=ttyS0", "quiet", "panic=-1", "oops=panic", "no_timer_check", "rdinit=/init",
        "init_on_alloc=0", machine.append, append
    ]
    return [
        QEMU, *cpu, *machine.qemu, "-nodefaults", "-no-user-config", "-vga", "none", "-display",
        "none", "-net", "none", "-no-reboot", "-serial", f"file:{console}", "-kernel",
        str(kernel), "-initrd", str(initramfs), "-append", " ".join(w for w in words if w)
    ]


def _die_with_parent():
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _start(arguments, log):
    """Starts QEMU with one pipe per channel; returns (process, {channel: read end})."""
    # Without ioeventfd a write is handled on the spot, not when the host gets around to it.
    flags = ["-device", "virtio-serial-pci,ioeventfd=off"]
    readers, writers = {}, []
    for number, name in enumerate(CHANNELS, start=1):
        readers[name], writer = os.pipe()
        writers.append(writer)
        flags += ["-add-fd", f"fd={writer},set={number}",
                  "-chardev", f"file,id={name},path=/dev/fdset/{number},append=on",
                  "-device", f"virtserialport,chardev={name},name={name}"]
    process = subprocess.Popen(
        arguments + flags, stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=writers,
        start_new_session=True, preexec_fn=_die_with_parent)
    for writer in writers:
        os.close(writer)
    return process, readers


def run(arguments, sinks, timeout, log):
    """Runs the guest to its end and returns the Outcome.

    sinks: {channel: function of bytes} for stdout, stderr, files and cases, called as data
    arrives. timeout: wall seconds. log: binary file for QEMU's own messages.
    """
    start = time.monotonic()
    deadline = start + timeout
    process, readers = _start(arguments, log)
    control, ready, code = b"", None, None
    try:
        with selectors.DefaultSelector() as selector:
            for name, reader in readers.items():
                selector.register(reader, selectors.EVENT_READ, name)
            while selector.get_map():
                events = selector.select(max(0, deadline - time.monotonic()))
                if not events and time.monotonic() >= deadline:
                    break
                for event, _ in events:
                    data = os.read(event.fd, 65536)
                    if not data:
                        selector.unregister(event.fd)
                    elif event.data == "control":
                        control += data
                        if ready is None and b"ready\n" in control:
                            ready = time.monotonic() - start
                        if code is None and b"end " in control and control.endswith(b"\n"):
                            code = int(control.rsplit(b"end ", 1)[1])
                            deadline = time.monotonic() + _POWER_OFF_SECONDS
                    else:
                        sinks[event.data](data)
    finally:
        alive = process.poll() is None and time.monotonic() >= deadline
        try:
            process.wait(timeout=0 if alive else 5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for reader in readers.values():
            os.close(reader)
    seconds = time.monotonic() - start
    if code is not None:
        return Outcome(code, "", False, ready, seconds)
    if alive:
        stage = "the command ran" if ready else "the guest booted"
        return Outcome(None, f"timeout after {timeout:g} s while {stage}", True, ready, seconds)
    reason = f"the guest died (QEMU exit code {process.returncode})"
    return Outcome(None, reason, False, ready, seconds)
