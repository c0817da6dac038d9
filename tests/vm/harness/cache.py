# SPDX-License-Identifier: Apache-2.0
"""The cache below ~/.cache/layered: entries are built once, by content key, and never changed.

Safe for concurrent use by several processes: one builds under a lock, the others wait; an entry
appears by rename, so a half-built one is never seen.
"""

import contextlib
import fcntl
import hashlib
import os
import pathlib
import pwd
import shutil
import tempfile


def root():
    """The cache folder: layered/ in the user's cache. A Bazel test's HOME is not the user's."""
    home = os.environ.get("HOME") if "TEST_TMPDIR" not in os.environ else None
    home = home or pwd.getpwuid(os.getuid()).pw_dir
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or home + "/.cache") / "layered"


def key(*parts):
    """A short hash of strings or bytes; equal parts give an equal key."""
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()[:16]


@contextlib.contextmanager
def _lock(path):
    with open(path, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def entry(kind, name, build, keep=0):
    """Returns the folder root()/kind/name; if absent, build(folder) fills it first.

    keep > 0 removes all but the newest that many entries of this kind after a build.
    """
    folder = root() / kind
    path = folder / name
    if path.is_dir():
        return path
    folder.mkdir(parents=True, exist_ok=True)
    with _lock(folder / (".lock-" + name)):
        if path.is_dir():
            return path
        fresh = pathlib.Path(tempfile.mkdtemp(prefix=".new-", dir=folder))
        try:
            build(fresh)
            os.rename(fresh, path)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    if keep:
        entries = [e for e in folder.iterdir() if not e.name.startswith(".")]
        for old in sorted(entries, key=lambda e: e.stat().st_mtime)[:-keep]:
            shutil.rmtree(old, ignore_errors=True)
    return path
