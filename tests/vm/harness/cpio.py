# SPDX-License-Identifier: Apache-2.0
"""Writes newc cpio archives for an initramfs, byte-identical for equal content.

Under QEMU's deterministic mode a changed inode number or mtime changes every figure, so all times
are 0, owners are root, entries are sorted and inodes count up from 1. Archives concatenate: later
ones replace files of earlier ones.
"""

import os
import pathlib
import stat


class Archive:
    """A tree of entries in memory, written with write()."""

    def __init__(self):
        self._entries = {}

    def __contains__(self, path):
        return self._key(path) in self._entries

    @staticmethod
    def _key(path):
        return str(path).strip("/")

    def _put(self, path, mode, data):
        key = self._key(path)
        for parent in reversed(pathlib.PurePosixPath(key).parents):
            if str(parent) != ".":
                self._entries.setdefault(str(parent), (stat.S_IFDIR | 0o755, b""))
        self._entries[key] = (mode, data)

    def folder(self, path, mode=0o755):
        """Adds a directory; parents come by themselves."""
        self._put(path, stat.S_IFDIR | mode, b"")

    def symlink(self, path, target):
        """Adds a symbolic link."""
        self._put(path, stat.S_IFLNK | 0o777, os.fsencode(str(target)))

    def text(self, path, content, mode=0o644):
        """Adds a file with this content."""
        self._put(path, stat.S_IFREG | mode, content.encode())

    def file(self, path, source, mode=None):
        """Adds the host's file `source` (links followed), 0755 if executable there, else 0644."""
        source = pathlib.Path(source).resolve()
        if mode is None:
            mode = 0o755 if os.access(source, os.X_OK) else 0o644
        self._put(path, stat.S_IFREG | mode, source)

    def tree(self, path, source, skip=lambda name: False):
        """Adds the host's folder `source` and all below it, except names for which skip is true."""
        self.folder(path)
        for item in sorted(pathlib.Path(source).iterdir()):
            target = f"{path}/{item.name}"
            if skip(item.name):
                continue
            if item.is_dir():
                self.tree(target, item, skip)
            elif item.is_symlink() and not item.exists():
                self.symlink(target, os.readlink(item))
            else:
                self.file(target, item)

    def write(self, out):
        """Writes the archive to the binary file `out`, with its trailer, padded to 512 bytes."""
        size = 0
        for inode, key in enumerate(sorted(self._entries), start=1):
            mode, data = self._entries[key]
            if isinstance(data, pathlib.Path):
                data = data.read_bytes()
            size += _write_entry(out, key, inode, mode, data)
        size += _write_entry(out, "TRAILER!!!", 0, 0, b"")
        out.write(b"\0" * (-size % 512))


def _write_entry(out, name, inode, mode, data):
    links = 2 if stat.S_ISDIR(mode) else 1
    path = os.fsencode(name) + b"\0"
    # magic, then ino mode uid gid nlink mtime size devmajor devminor rdevmajor rdevminor
    # namesize check, each as eight hex digits.
    fields = [inode, mode, 0, 0, links, 0, len(data), 0, 0, 0, 0, len(path), 0]
    head = b"070701" + b"".join(b"%08X" % field for field in fields) + path
    head += b"\0" * (-len(head) % 4)
    out.write(head)
    out.write(data)
    padding = -len(data) % 4
    out.write(b"\0" * padding)
    return len(head) + len(data) + padding
