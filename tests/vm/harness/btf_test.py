#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Unit tests of btf."""

import os
import struct
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# pylint: disable=wrong-import-position,missing-function-docstring,missing-class-docstring
from harness import btf, unittest_xml
from harness.errors import HarnessError

_INT, _PTR, _STRUCT, _ENUM, _FUNC, _PROTO, _TAG, _ENUM64 = 1, 2, 4, 6, 12, 13, 17, 19


class Blob:
    """Writes BTF type by type."""

    def __init__(self):
        self._strings = b"\0"
        self._types = []

    def _text(self, name):
        if not name:
            return 0
        offset = len(self._strings)
        self._strings += name.encode() + b"\0"
        return offset

    def add(self, kind, name="", ref=0, count=0, tail=b""):
        info = kind << 24 | count
        self._types.append(struct.pack("<III", self._text(name), info, ref) + tail)
        return len(self._types)

    def function(self, name, params):
        tail = b"".join(struct.pack("<II", self._text(p), 1) for p in params)
        return self.add(_FUNC, name, self.add(_PROTO, count=len(params), tail=tail))

    def bytes(self):
        types = b"".join(self._types)
        head = struct.pack("<HBBIIIII", 0xEB9F, 1, 0, 24, 0, len(types), len(types),
                           len(self._strings))
        return head + types + self._strings


class FunctionsTest(unittest.TestCase):

    def test_finds_functions_between_types_of_every_size(self):
        blob = Blob()
        blob.add(_INT, "int", tail=b"\0" * 4)
        blob.add(_PTR, ref=1)
        blob.add(_STRUCT, "s", count=2, tail=b"\0" * 24)
        blob.function("first", ["a", "b"])
        blob.add(_ENUM, "e", count=3, tail=b"\0" * 24)
        blob.add(_ENUM64, "e64", count=2, tail=b"\0" * 24)
        blob.add(_TAG, "kfunc", tail=b"\0" * 4)
        blob.function("last", [])
        self.assertEqual(btf.functions(blob.bytes()), {"first": ["a", "b"], "last": []})

    def test_refuses_other_data(self):
        with self.assertRaisesRegex(HarnessError, "not BTF"):
            btf.functions(b"\x7fELF" + b"\0" * 40)


class UnusableKfuncsTest(unittest.TestCase):

    def test_an_implicit_argument_without_its_twin(self):
        funcs = {"scx_bpf_create_dsq": ["dsq_id", "node", "aux"]}
        self.assertEqual(btf.unusable_kfuncs(funcs), ["scx_bpf_create_dsq"])

    def test_a_twin_makes_it_usable(self):
        funcs = {"scx_bpf_create_dsq": ["dsq_id", "node"],
                 "scx_bpf_create_dsq_impl": ["dsq_id", "node", "aux"]}
        self.assertEqual(btf.unusable_kfuncs(funcs), [])

    def test_only_sched_ext_and_only_the_last_parameter_count(self):
        funcs = {"bpf_wq_start": ["aux"], "scx_bpf_now": [], "scx_bpf_x": ["aux", "flags"]}
        self.assertEqual(btf.unusable_kfuncs(funcs), [])


if __name__ == "__main__":
    unittest_xml.main()
