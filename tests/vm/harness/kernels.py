# SPDX-License-Identifier: Apache-2.0
"""Fetches the kernels listed in tests/vm/kernels into the cache, newest usable version first."""

import fnmatch
import os
import pathlib
import re
import subprocess
import tempfile
from typing import NamedTuple

from harness import btf, bzimage, cache
from harness.errors import HarnessError, UsageError

_HERE = pathlib.Path(__file__).resolve().parent
LIST = _HERE.parent / "kernels"
FETCH = _HERE.parent.parent.parent / "bazel" / "scripts" / "fetch-debs"


class Series(NamedTuple):
    """One line of the list."""
    name: str
    suite: str
    pattern: str


class Kernel(NamedTuple):
    """A kernel ready to boot."""
    release: str  # as uname -r says it
    path: pathlib.Path  # ELF, for QEMU's -kernel


def read_list(text):
    """{series: Series} of the text of tests/vm/kernels, in its order."""
    rows = [line.split() for line in text.splitlines() if line.strip() and line[0] != "#"]
    return {row[0]: Series(*row) for row in rows}


def release_of(package):
    """linux-image-6.18.15+deb13-cloud-amd64 -> 6.18.15+deb13-cloud-amd64."""
    return re.sub(r"^linux-(image|binary)-", "", package)


def candidates(wanted, offered):
    """Packages of the Series `wanted` that hold a kernel, newest first, one per release.

    offered: package names of the suite. From 6.19 on Debian splits the kernel itself into
    linux-binary; linux-image is then an empty package, so binary wins where both exist.
    """
    best = {}
    for package in offered:
        if not fnmatch.fnmatchcase(package, wanted.pattern):
            continue
        if not re.match(r"linux-(image|binary)-\d", package):
            continue
        release = release_of(package)
        if release not in best or package.startswith("linux-binary-"):
            best[release] = package

    def version(release):
        return [int(n) for n in re.findall(r"\d+", release)]

    return [best[release] for release in sorted(best, key=version, reverse=True)]


def fetch(*args):
    """Runs fetch-debs; returns what it printed."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache.root().parent)}
    result = subprocess.run([str(FETCH), *map(str, args)], capture_output=True, text=True,
                            env=environment, check=False)
    if result.returncode != 0:
        raise HarnessError(f"fetching from Debian failed:\n{result.stderr.strip()}")
    return result.stdout


def _offered(suite):
    return [line.split()[0] for line in fetch("--list", suite).splitlines() if line]


def _build(wanted, folder, say):
    refused = []
    for package in candidates(wanted, _offered(wanted.suite)):
        release = release_of(package)
        say(f"fetching kernel {release} from {wanted.suite}")
        with tempfile.TemporaryDirectory(dir=folder) as tmp:
            unpacked = pathlib.Path(tmp) / "root"
            fetch(wanted.suite, unpacked, package)
            images = [*unpacked.glob("boot/vmlinuz-*"), *unpacked.glob("**/modules/*/vmlinuz")]
            if not images:
                raise HarnessError(f"{package} holds no kernel image")
            elf = bzimage.extract(images[0].read_bytes())
        types = bzimage.section(elf, ".BTF")
        if types is None:
            refused.append(f"{release}: no BTF")
            continue
        funcs = btf.functions(types)
        broken = btf.unusable_kfuncs(funcs)
        if "scx_bpf_create_dsq" not in funcs or broken:
            refused.append(f"{release}: {', '.join(broken) or 'no sched_ext'}")
            continue
        (folder / "vmlinux").write_bytes(elf)
        (folder / "release").write_text(release + "\n")
        return
    raise HarnessError(f"no usable kernel of series {wanted.name} in {wanted.suite}"
                       f" (unusable kfuncs: {'; '.join(refused) or 'no version offered'})")


def series(name):
    """The Series called `name`; raises UsageError, naming the known ones, if there is none."""
    known = read_list(LIST.read_text())
    if name not in known:
        raise UsageError(f"kernel series {name} is not one of {', '.join(known)}")
    return known[name]


def get(name, say=lambda text: None):
    """The Kernel of series `name`, fetched if it is not in the cache.

    What is in the cache stays (runs on one machine are comparable) until the line in the list or
    the cache is changed. Raises UsageError for an unknown series.
    """
    wanted = series(name)
    folder = cache.entry("kernels", f"{name}-{cache.key(*wanted)}",
                         lambda fresh: _build(wanted, fresh, say))
    return Kernel((folder / "release").read_text().strip(), folder / "vmlinux")
