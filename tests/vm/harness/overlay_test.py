#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Unit tests of overlay."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# pylint: disable=wrong-import-position,missing-function-docstring,missing-class-docstring
from harness import cpio, overlay, unittest_xml


class CommandScriptTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tmp = pathlib.Path(folder.name)

    def output(self, words):
        script = overlay.command_script(words, cpio.Archive())
        return subprocess.run(["sh", "-c", script], stdout=subprocess.PIPE, text=True,
                              check=True).stdout

    def test_one_word_is_a_shell_line(self):
        self.assertEqual(self.output(["echo a; echo 'b  c'"]), "a\nb  c\n")

    def test_a_shell_line_longer_than_any_file_name(self):
        for text in ("x" * 300, "y/" * 3000):
            self.assertEqual(self.output([f"echo {text}"]), text + "\n")

    def test_several_words_keep_their_limits(self):
        self.assertEqual(self.output(["echo", "a  b", "$HOME"]), "a  b $HOME\n")

    def test_a_script_with_its_interpreter(self):
        script = self.tmp / "s.py"
        script.write_text("#!/usr/bin/python3\n")
        archive = cpio.Archive()
        text = overlay.command_script([str(script), "a b"], archive)
        self.assertIn("exec ./s.py 'a b'\n", text)
        self.assertIn("root/s.py", archive)

    def test_a_script_without_interpreter_is_the_shells(self):
        script = self.tmp / "s"
        script.write_text("echo hi\n")
        self.assertIn("exec /bin/sh ./s\n", overlay.command_script([str(script)], cpio.Archive()))


class BuildTest(unittest.TestCase):

    def test_where_things_land(self):
        with tempfile.TemporaryDirectory() as tmp:
            for name in ("layeredd", "demo.json", "data"):
                pathlib.Path(tmp, name).write_text(name)
            pathlib.Path(tmp, "folder").mkdir()
            pathlib.Path(tmp, "folder", "inner").write_text("x")
            path = pathlib.Path(tmp)
            archive = overlay.build(["true"], [f"{tmp}/data", f"{tmp}/folder/"],
                                    [path / "layeredd"], [path / "demo.json"], "1")
        for name in ("init", "vm/command", "usr/bin/layeredd", "etc/layered/demo.json",
                     "root/data", "root/folder/inner"):
            self.assertIn(name, archive)


if __name__ == "__main__":
    unittest_xml.main()
