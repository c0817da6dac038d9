#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Unit tests of cpio."""

import io
import os
import pathlib
import stat
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# pylint: disable=wrong-import-position,missing-function-docstring,missing-class-docstring
from harness import cpio, unittest_xml


def read(data):
    """[(name, mode, inode, mtime, content)] of a newc archive."""
    entries, position = [], 0
    while True:
        assert data[position:position + 6] == b"070701", position
        fields = [int(data[position + 6 + 8 * i:position + 14 + 8 * i], 16) for i in range(13)]
        start = position + 110
        name = data[start:start + fields[11] - 1].decode()
        start += fields[11]
        start += -start % 4
        content = data[start:start + fields[6]]
        position = start + fields[6]
        position += -position % 4
        if name == "TRAILER!!!":
            assert not data[position:].strip(b"\0")
            return entries
        entries.append((name, fields[1], fields[0], fields[5], content))


def written(archive):
    out = io.BytesIO()
    archive.write(out)
    return out.getvalue()


class ArchiveTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tmp = pathlib.Path(folder.name)

    def test_contents_modes_and_parents(self):
        program = self.tmp / "program"
        program.write_bytes(b"code")
        program.chmod(0o755)
        archive = cpio.Archive()
        archive.file("/usr/bin/program", program)
        archive.text("etc/hostname", "guest\n")
        archive.symlink("bin", "usr/bin")
        entries = {name: (mode, data) for name, mode, _, _, data in read(written(archive))}
        self.assertEqual(entries["usr/bin/program"], (stat.S_IFREG | 0o755, b"code"))
        self.assertEqual(entries["etc/hostname"], (stat.S_IFREG | 0o644, b"guest\n"))
        self.assertEqual(entries["bin"], (stat.S_IFLNK | 0o777, b"usr/bin"))
        self.assertEqual(entries["usr"], (stat.S_IFDIR | 0o755, b""))

    def test_a_parent_comes_before_what_it_holds(self):
        archive = cpio.Archive()
        for path in ["b/c/d", "a-b", "a/x", "b.x"]:
            archive.text(path, path)
        names = [entry[0] for entry in read(written(archive))]
        for name in names:
            if "/" in name:
                self.assertLess(names.index(os.path.dirname(name)), names.index(name))

    def test_equal_content_gives_equal_bytes(self):
        first, second = self.tmp / "first", self.tmp / "second"
        for path, mtime in [(first, 1), (second, 2)]:
            path.write_text("same")
            os.utime(path, (mtime, mtime))
        one, two = cpio.Archive(), cpio.Archive()
        one.file("x", first)
        one.text("y", "text")
        two.text("y", "text")
        two.file("x", second)
        self.assertEqual(written(one), written(two))
        self.assertEqual([entry[3] for entry in read(written(one))], [0, 0])

    def test_archives_join(self):
        one, two = cpio.Archive(), cpio.Archive()
        one.text("a", "1")
        two.text("b", "2")
        self.assertEqual(len(written(one)) % 512, 0)
        self.assertEqual(read(written(two))[0][0], "b")

    def test_tree_follows_links_and_skips_names(self):
        (self.tmp / "d" / "sub").mkdir(parents=True)
        (self.tmp / "d" / "sub" / "file").write_text("x")
        (self.tmp / "d" / "link").symlink_to("sub/file")
        (self.tmp / "d" / "skipped").write_text("x")
        archive = cpio.Archive()
        archive.tree("t", self.tmp / "d", skip=lambda name: name == "skipped")
        entries = {name: data for name, _, _, _, data in read(written(archive))}
        self.assertEqual(entries, {"t": b"", "t/link": b"x", "t/sub": b"", "t/sub/file": b"x"})


if __name__ == "__main__":
    unittest_xml.main()
