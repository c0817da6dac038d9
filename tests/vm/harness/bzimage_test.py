#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Unit tests of bzimage."""

import gzip
import os
import struct
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# pylint: disable=wrong-import-position,missing-function-docstring,missing-class-docstring
from harness import bzimage, unittest_xml
from harness.errors import HarnessError


def make_elf(sections):
    """A 64-bit ELF file with nothing but these sections {name: bytes} and the names' section."""
    names = b"\0" + b"".join(name.encode() + b"\0" for name in [*sections, ".shstrtab"])
    blobs = [*sections.items(), (".shstrtab", names)]
    body, headers = b"", [b"\0" * 64]
    for name, data in blobs:
        headers.append(struct.pack("<IIQQQQIIQQ", names.index(name.encode() + b"\0"), 1, 0, 0,
                                   64 + len(body), len(data), 0, 0, 1, 0))
        body += data
    head = b"\x7fELF\x02\x01\x01".ljust(0x28, b"\0") + struct.pack("<Q", 64 + len(body))
    head = head.ljust(0x3A, b"\0") + struct.pack("<HHH", 64, len(headers), len(headers) - 1)
    return head + body + b"".join(headers)


def make_bzimage(payload, setup_sectors=3):
    """A bzImage with this (compressed) payload 16 bytes into its protected-mode part."""
    stream = payload + struct.pack("<I", 0x1234)
    boot = bytearray((setup_sectors + 1) * 512)
    boot[0x1F1] = setup_sectors
    boot[0x202:0x206] = b"HdrS"
    struct.pack_into("<II", boot, 0x248, 16, len(stream))
    return bytes(boot) + b"x" * 16 + stream + b"tail"


class ExtractTest(unittest.TestCase):

    def test_finds_and_decompresses_the_payload(self):
        elf = make_elf({".BTF": b"types"})
        self.assertEqual(bzimage.extract(make_bzimage(gzip.compress(elf))), elf)

    def test_other_number_of_setup_sectors(self):
        elf = make_elf({})
        self.assertEqual(bzimage.extract(make_bzimage(gzip.compress(elf), 27)), elf)

    def test_refuses_what_is_no_bzimage(self):
        with self.assertRaisesRegex(HarnessError, "no boot header"):
            bzimage.extract(b"\0" * 4096)

    def test_names_an_unknown_compression(self):
        with self.assertRaisesRegex(HarnessError, "cafebabe"):
            bzimage.extract(make_bzimage(b"\xca\xfe\xba\xbe rest"))

    def test_refuses_a_payload_that_is_no_elf(self):
        with self.assertRaisesRegex(HarnessError, "ELF"):
            bzimage.extract(make_bzimage(gzip.compress(b"not a kernel")))


class SectionTest(unittest.TestCase):

    def test_by_name(self):
        elf = make_elf({".text": b"code", ".BTF": b"types", ".BTF_ids": b"ids"})
        self.assertEqual(bzimage.section(elf, ".BTF"), b"types")
        self.assertEqual(bzimage.section(elf, ".BTF_ids"), b"ids")

    def test_absent(self):
        self.assertIsNone(bzimage.section(make_elf({".text": b"code"}), ".BTF"))


if __name__ == "__main__":
    unittest_xml.main()
