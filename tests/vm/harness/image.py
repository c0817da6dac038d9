# SPDX-License-Identifier: Apache-2.0
"""The guest's base image: Debian's tools and nothing of ours, built once into the cache.

Holds busybox, bash, stress-ng, rt-tests (cyclictest, hackbench, ...), strace, bpftool and a
Python with its standard library, each with the shared libraries it needs.
"""

import pathlib
import re
import shutil
import subprocess
import tempfile

from harness import cache, cpio, kernels
from harness.errors import HarnessError

# Installed by bazel/scripts/deps; their versions are part of the image's key.
_PACKAGES = [
    "bash", "busybox-static", "libc6", "libpython3.11-stdlib", "libpython3.11-minimal",
    "python3.11-minimal", "rt-tests", "strace", "stress-ng"
]
_BPFTOOL_SUITE = "bookworm-backports"  # bookworm's own is too old for struct_ops links
_PYTHON = "/usr/lib/python3.11"
_PYTHON_SKIP = {
    "__pycache__", "ensurepip", "idlelib", "lib2to3", "pydoc_data", "test", "tests", "tkinter",
    "turtledemo", "dist-packages", "sitecustomize.py", "config-3.11-x86_64-linux-gnu"
}


def _run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _versions():
    try:
        return _run("dpkg-query", "-W", *_PACKAGES)
    except subprocess.CalledProcessError as error:
        raise HarnessError(f"install the packages of bazel/scripts/deps: {error.stderr}") from None


def _guest_path(path):
    """The path as the guest has it: Debian's /bin, /lib, ... are links into /usr."""
    path = str(path)
    return path if path.startswith("/usr/") else "/usr" + path


class _Builder:
    """Collects files and, with each program, the closure of its shared libraries."""

    def __init__(self):
        self.archive = cpio.Archive()

    def program(self, source, target=None):
        self.archive.file(target or _guest_path(source), source)
        self.libraries(source)

    def libraries(self, source):
        result = subprocess.run(["ldd", str(source)], capture_output=True, text=True, check=False)
        for library in re.findall(r"(/\S+\.so\S*)", result.stdout):
            if _guest_path(library) not in self.archive:
                self.archive.file(_guest_path(library), library)

    def package(self, name):
        """The programs of an installed package."""
        for path in _run("dpkg", "-L", name).splitlines():
            if re.match(r"(/usr)?/s?bin/", path) and pathlib.Path(path).is_file():
                with open(path, "rb") as file:
                    if file.read(4) == b"\x7fELF":
                        self.program(path)

    def busybox(self):
        self.program("/bin/busybox")
        for applet in _run("/bin/busybox", "--list-full").split():
            if _guest_path("/" + applet) not in self.archive:
                self.archive.symlink(_guest_path("/" + applet), "/usr/bin/busybox")

    def python(self, scratch):
        """The interpreter and its library, with byte code that needs no look at file times."""
        library = scratch / "python"
        shutil.copytree(_PYTHON, library,
                        ignore=lambda _, names: [n for n in names if n in _PYTHON_SKIP])
        _run("/usr/bin/python3.11", "-m", "compileall", "-q", "-j0", "-s", str(library), "-p",
             _PYTHON, "--invalidation-mode", "unchecked-hash", str(library))
        self.archive.tree(_PYTHON, library)
        for extension in (library / "lib-dynload").glob("*.so"):
            self.libraries(extension)
        self.program("/usr/bin/python3.11")
        self.archive.symlink("/usr/bin/python3", "python3.11")


def _accounts(archive):
    """root and nobody; alice is in no group of ours, bob is in group layered."""
    archive.text("/etc/passwd", "".join(
        f"{name}:x:{uid}:{gid}:{name}:{home}:/bin/sh\n" for name, uid, gid, home in [
            ("root", 0, 0, "/root"), ("alice", 1000, 1000, "/tmp"), ("bob", 1001, 1001, "/tmp"),
            ("nobody", 65534, 65534, "/nonexistent")]))
    archive.text("/etc/group", "root:x:0:\nlayered:x:900:bob\nalice:x:1000:\nbob:x:1001:\n"
                 "nogroup:x:65534:\n")
    archive.text("/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n")
    archive.text("/etc/hosts", "127.0.0.1 localhost\n::1 localhost\n")
    archive.text("/etc/hostname", "guest\n")


def _build(folder):
    with tempfile.TemporaryDirectory() as tmp:
        scratch = pathlib.Path(tmp)
        builder = _Builder()
        archive = builder.archive
        for name in ["bin", "sbin", "lib", "lib64"]:
            archive.symlink(name, f"usr/{name}")
        for name in ["dev", "etc", "proc", "root", "run", "sys", "tmp", "var", "usr/sbin"]:
            archive.folder(name)
        archive.symlink("var/run", "/run")
        _accounts(archive)
        for package in ["stress-ng", "rt-tests", "strace"]:
            builder.package(package)
        builder.program("/bin/bash")
        unpacked = cache.root() / "debs" / f"{_BPFTOOL_SUITE}-bpftool"
        kernels.fetch(_BPFTOOL_SUITE, unpacked, "bpftool")
        builder.program(unpacked / "usr/sbin/bpftool", "/usr/sbin/bpftool")
        builder.python(scratch)
        builder.busybox()
        # glibc loads these by name, so ldd does not show them.
        for library in ["libnss_files.so.2", "libgcc_s.so.1"]:
            path = pathlib.Path("/usr/lib/x86_64-linux-gnu") / library
            if path.exists():
                archive.file(path, path)
        with open(folder / "base.cpio", "wb") as out:
            archive.write(out)


def get(say=lambda text: None):
    """Path of the base image (a cpio archive), built on first use."""

    def build(folder):
        say("building the guest's base image")
        _build(folder)

    sources = b"".join(
        (pathlib.Path(__file__).parent / name).read_bytes() for name in ["image.py", "cpio.py"])
    name = "base-" + cache.key(_versions(), sources)
    return cache.entry("images", name, build, keep=3) / "base.cpio"
