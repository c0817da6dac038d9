# SPDX-License-Identifier: Apache-2.0
"""Reads kernel BTF just far enough to tell whether its sched_ext kfuncs can be called.

Some Debian builds have kfuncs whose BTF prototype still shows the kernel's implicit argument
`aux` while the twin `<name>_impl`, which such a prototype belongs to, is missing. No BPF program
can call those: without scx_bpf_create_dsq, for example, no scheduler has a queue of its own.
"""

import struct

from harness.errors import HarnessError

_MAGIC = 0xEB9F
_FUNC, _FUNC_PROTO = 12, 13
# Bytes that follow a type's 12-byte header: fixed, or per element (vlen).
_FIXED = {1: 4, 3: 12, 14: 4, 17: 4}  # INT, ARRAY, VAR, DECL_TAG
_PER_ELEMENT = {4: 12, 5: 12, 6: 8, _FUNC_PROTO: 8, 15: 12, 19: 12}


def functions(btf):
    """{function name: [parameter names]} of raw BTF bytes."""
    magic, _, _, header_len, type_off, type_len, str_off, _ = struct.unpack_from("<HBBIIIII", btf)
    if magic != _MAGIC:
        raise HarnessError("not BTF")
    strings = header_len + str_off

    def text(offset):
        start = strings + offset
        return btf[start:btf.index(b"\0", start)].decode()

    funcs, protos = [], {}
    position, end, type_id = header_len + type_off, header_len + type_off + type_len, 0
    while position < end:
        type_id += 1
        name, info, ref = struct.unpack_from("<III", btf, position)
        kind, count = info >> 24 & 0x1F, info & 0xFFFF
        position += 12
        if kind == _FUNC:
            funcs.append((name, ref))
        elif kind == _FUNC_PROTO:
            protos[type_id] = (position, count)
        position += _FIXED.get(kind, 0) + _PER_ELEMENT.get(kind, 0) * count
    result = {}
    for name, proto in funcs:
        start, count = protos[proto]
        result[text(name)] = [
            text(struct.unpack_from("<I", btf, start + 8 * i)[0]) for i in range(count)
        ]
    return result


def unusable_kfuncs(funcs):
    """The sched_ext kfuncs among `funcs` (see functions()) that no BPF program can call."""
    return sorted(
        name for name, params in funcs.items()
        if name.startswith("scx_bpf_") and not name.endswith("_impl") and params and
        params[-1] == "aux" and name + "_impl" not in funcs)
