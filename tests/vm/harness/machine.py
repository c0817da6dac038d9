# SPDX-License-Identifier: Apache-2.0
"""One run from start to end: kernel, image, overlay, guest, and what comes back."""

import os
import pathlib
import re
import shutil
import tarfile
import tempfile
from typing import NamedTuple

from harness import image, kernels, overlay, qemu, topology
from harness.errors import UsageError

_DMESG = "dmesg.log"  # the guest sends dmesg and out/
_MARKS = re.compile(rb"Kernel panic|Oops|BUG:|general protection")


class Plan(NamedTuple):
    """What to boot and run. Paths are the host's."""
    command: list  # words, see overlay.command_script
    kernel: str = "6.18"
    topology: str = "flat"
    cpus: int = 4
    memory: str = "2G"
    accel: str = "tcg"
    icount: bool = False
    append: str = ""
    timeout: float = 300
    files: list = []  # for the command's working directory
    programs: list = []  # for the guest's PATH
    configs: list = []  # for /etc/layered


class Result(NamedTuple):
    """The Outcome, and what a person should read if the guest died."""
    outcome: qemu.Outcome
    release: str
    last_words: str  # the console from the first sign of trouble on, or its end
    files: list  # names of files that came back from $OUT


def _last_words(console, lines=30):
    data = console.read_bytes() if console.exists() else b""
    trouble = _MARKS.search(data)
    text = data[trouble.start() if trouble else 0:].decode(errors="replace").replace("\r", "")
    chosen = text.splitlines()[:lines] if trouble else text.splitlines()[-lines:]
    return "\n".join(chosen)


def _unpack(tar, out):
    """Unpacks what the guest sent (regular files and folders only); returns the files' names."""
    names = []
    with tarfile.open(tar) as archive:
        for member in archive:
            path = os.path.normpath(member.name)
            path = _DMESG if path == "dmesg" else os.path.relpath(path, "out")
            if path.startswith("..") or not (member.isfile() or member.isdir()):
                continue
            target = out / path
            if member.isdir():
                target.mkdir(parents=True, exist_ok=True)
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.extractfile(member) as source, open(target, "wb") as file:
                shutil.copyfileobj(source, file)
            target.chmod(0o755 if member.mode & 0o111 else 0o644)
            names.append(path)
    return [name for name in names if name != _DMESG]


def check(plan):
    """Raises UsageError for what can be known to be wrong before anything is built or fetched."""
    kernels.series(plan.kernel)
    topology.machine(plan.topology, plan.cpus, topology.parse_memory(plan.memory))
    if plan.icount and plan.accel != "tcg":
        raise UsageError("--icount needs --accel tcg")
    for name in plan.files:
        if not pathlib.Path(name).exists():
            raise UsageError(f"--with {name}: no such file")


def run(plan, out, sinks, say=lambda text: None):
    """Boots the plan's guest, runs its command, and leaves console.log, dmesg.log, qemu.log and
    the files of $OUT in the folder `out`.

    sinks: {"stdout", "stderr", "cases": function of bytes}. say: progress for a person.
    """
    check(plan)
    shape = topology.machine(plan.topology, plan.cpus, topology.parse_memory(plan.memory))
    kernel = kernels.get(plan.kernel, say)
    base = image.get(say)
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    console = out / "console.log"
    archive = overlay.build(plan.command, plan.files, plan.programs, plan.configs, shape.offline)
    with tempfile.TemporaryDirectory(prefix="layered-vm.") as tmp:
        scratch = pathlib.Path(tmp)
        initramfs = scratch / "initramfs"
        overlay.write_initramfs(base, archive, initramfs)
        say(f"booting {kernel.release}, {plan.topology}, {plan.cpus} CPUs, {plan.memory},"
            f" {plan.accel}{' icount' if plan.icount else ''}")
        arguments = qemu.command_line(kernel.path, initramfs, shape, console, plan.accel,
                                      plan.icount, plan.append)
        tar = scratch / "files.tar"
        with open(tar, "wb") as files, open(out / "qemu.log", "wb") as log:
            outcome = qemu.run(arguments, {**sinks, "files": files.write}, plan.timeout, log)
        names = _unpack(tar, out) if outcome.exit_code is not None else []
    if outcome.exit_code is not None:
        return Result(outcome, kernel.release, "", names)
    words = _last_words(console)
    causes = [line for line in words.splitlines()[:1] if _MARKS.match(line.encode())]
    causes += (out / "qemu.log").read_text(errors="replace").splitlines()[:1]
    outcome = outcome._replace(reason=": ".join([outcome.reason, *causes]))
    return Result(outcome, kernel.release, words, names)
