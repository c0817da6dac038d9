# SPDX-License-Identifier: Apache-2.0
"""Takes the uncompressed kernel (an ELF file) out of a bzImage.

QEMU starts the ELF file through its PVH entry, which saves the guest a decompression under
emulation, and its .BTF section can be read before anything is booted.
"""

import struct
import subprocess

from harness.errors import HarnessError

_DECOMPRESSORS = {
    b"\x28\xb5\x2f\xfd": ["zstd", "-dcq"],
    b"\x1f\x8b\x08": ["gzip", "-dc"],
    b"\xfd7zXZ\x00": ["xz", "-dc"],
}


def payload(image):
    """The compressed payload of a bzImage, by the offsets in its boot header (protocol 2.08+)."""
    if image[0x202:0x206] != b"HdrS":
        raise HarnessError("not a bzImage: no boot header")
    setup_sectors = image[0x1F1] or 4
    offset, length = struct.unpack_from("<II", image, 0x248)
    start = (setup_sectors + 1) * 512 + offset
    # The last four bytes are the uncompressed size, not part of the stream.
    return image[start:start + length - 4]


def extract(image):
    """The ELF kernel inside the bzImage `image` (bytes)."""
    data = payload(image)
    for magic, command in _DECOMPRESSORS.items():
        if data.startswith(magic):
            result = subprocess.run(command, input=data, stdout=subprocess.PIPE, check=False)
            if not result.stdout.startswith(b"\x7fELF"):
                raise HarnessError(f"{command[0]} did not give an ELF kernel")
            return result.stdout
    raise HarnessError(f"kernel payload with unknown compression {data[:4].hex()}")


def section(elf, name):
    """The bytes of section `name` of a 64-bit little-endian ELF file, or None."""
    table, = struct.unpack_from("<Q", elf, 0x28)
    entry_size, count, names_index = struct.unpack_from("<HHH", elf, 0x3A)

    def header(index):
        name_offset, = struct.unpack_from("<I", elf, table + index * entry_size)
        offset, size = struct.unpack_from("<QQ", elf, table + index * entry_size + 0x18)
        return name_offset, offset, size

    _, names_offset, _ = header(names_index)
    for index in range(count):
        name_offset, offset, size = header(index)
        start = names_offset + name_offset
        if elf[start:elf.index(b"\0", start)] == name.encode():
            return elf[offset:offset + size]
    return None
