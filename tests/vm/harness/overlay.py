# SPDX-License-Identifier: Apache-2.0
"""What one run adds to the base image: init, the command, our programs and the person's files."""

import os
import pathlib
import shlex

from harness import cpio

_GUEST = pathlib.Path(__file__).resolve().parent.parent / "guest"
_WORK = "root"  # the command's working directory in the guest


def _is_file(path):
    try:
        return path.is_file()
    except (OSError, ValueError):  # a shell line longer than a file name can be, or with a NUL
        return False


def command_script(words, archive):
    """Text of the script that runs the command; a host file that it names goes into the guest.

    words: one word is a shell line, or the path of a script file on the host; several are a script
    with its arguments, or a program with its arguments.
    """
    first = pathlib.Path(words[0])
    if _is_file(first) and (len(words) == 1 or "/" in words[0]):
        archive.file(f"{_WORK}/{first.name}", first)
        with open(first, "rb") as file:
            start = f"./{first.name}" if file.read(2) == b"#!" else f"/bin/sh ./{first.name}"
        if start.startswith("./"):
            archive.file(f"{_WORK}/{first.name}", first, mode=0o755)
        line = "exec " + " ".join([start, *map(shlex.quote, words[1:])])
    elif len(words) == 1:
        line = words[0]
    else:
        line = shlex.join(words)
    return f"#!/bin/sh\n{line}\n"


def build(words, extra, programs, configs, offline):
    """The overlay as a cpio.Archive.

    words: the command. extra: host files or folders for its working directory.
    programs: host paths, installed in the guest's PATH. configs: files for /etc/layered.
    offline: CPU numbers that init takes offline.
    """
    archive = cpio.Archive()
    archive.file("init", _GUEST / "init", mode=0o755)
    archive.text("vm/command", command_script(words, archive), mode=0o755)
    archive.text("vm/offline", offline + "\n")
    archive.file("usr/bin/result", _GUEST / "result", mode=0o755)
    archive.folder("etc/layered")
    for path in configs:
        archive.file(f"etc/layered/{path.name}", path, mode=0o644)
    for path in programs:
        archive.file(f"usr/bin/{path.name}", path, mode=0o755)
    for name in extra:
        path = pathlib.Path(name)
        target = f"{_WORK}/{path.resolve().name}"
        if path.is_dir():
            archive.tree(target, path)
        else:
            archive.file(target, path)
    return archive


def write_initramfs(base, archive, target):
    """Joins the base image and the overlay to one initramfs file."""
    with open(target, "wb") as out:
        with open(base, "rb") as source:
            size = os.fstat(source.fileno()).st_size
            sent = 0
            while sent < size:
                sent += os.sendfile(out.fileno(), source.fileno(), sent, size - sent)
        out.seek(size)
        archive.write(out)
