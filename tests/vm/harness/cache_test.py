#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Unit tests of cache."""

import os
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# pylint: disable=wrong-import-position,missing-function-docstring,missing-class-docstring
from harness import cache, unittest_xml


class CacheTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        before = os.environ.get("XDG_CACHE_HOME")
        os.environ["XDG_CACHE_HOME"] = folder.name
        self.addCleanup(lambda: os.environ.pop("XDG_CACHE_HOME"))
        if before is not None:
            self.addCleanup(lambda: os.environ.__setitem__("XDG_CACHE_HOME", before))

    def test_builds_once(self):
        built = []

        def build(folder):
            built.append(folder)
            (folder / "x").write_text("content")

        first = cache.entry("kind", "name", build)
        self.assertEqual(cache.entry("kind", "name", build), first)
        self.assertEqual((first / "x").read_text(), "content")
        self.assertEqual(len(built), 1)

    def test_a_failed_build_leaves_nothing(self):

        def fail(folder):
            (folder / "half").write_text("x")
            raise RuntimeError("no")

        with self.assertRaises(RuntimeError):
            cache.entry("kind", "name", fail)
        left = [p.name for p in (cache.root() / "kind").iterdir() if not p.name.startswith(".lock")]
        self.assertEqual(left, [])

    def test_concurrent_builders_build_once(self):
        built, gate = [], threading.Barrier(4)

        def ask():
            gate.wait()
            cache.entry("kind", "name", built.append)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(built), 1)

    def test_keeps_the_newest(self):
        for number in range(4):
            path = cache.entry("kind", str(number), lambda folder: None)
            os.utime(path, (number, number))
        cache.entry("kind", "new", lambda folder: None, keep=2)
        left = {p.name for p in (cache.root() / "kind").iterdir() if not p.name.startswith(".")}
        self.assertEqual(left, {"3", "new"})

    def test_key_knows_where_a_part_ends(self):
        self.assertNotEqual(cache.key("ab", "c"), cache.key("a", "bc"))
        self.assertEqual(cache.key("a", b"b"), cache.key("a", "b"))


if __name__ == "__main__":
    unittest_xml.main()
