# SPDX-License-Identifier: Apache-2.0
"""The machine shapes that a guest can have, as QEMU flags.

With an Intel CPU model QEMU gives one LLC per socket, so LLCs are made of sockets.
"""

import re
from typing import Callable, NamedTuple

from harness.errors import UsageError


class Machine(NamedTuple):
    """What a topology asks of QEMU, the kernel and the guest's init."""
    qemu: list  # -smp, -m and -numa flags
    append: str = ""  # to the kernel's command line
    offline: str = ""  # CPUs that init takes offline before the command runs


class Topology(NamedTuple):
    """One named shape; make(cpus, memory in MiB) gives the Machine."""
    name: str
    text: str
    multiple: int  # the number of CPUs must be divisible by this
    make: Callable[[int, int], Machine]


def _memory(mib):
    return ["-m", f"{mib}M"]


def _sockets(count, threads=1, append=""):

    def make(cpus, mib):
        cores = cpus // count // threads
        smp = f"{cpus},sockets={count},cores={cores},threads={threads}"
        return Machine(["-smp", smp, *_memory(mib)], append)

    return make


def _nodes(spec):
    """-numa flags of [(cpus or '', MiB)], all nodes 32 away from each other."""
    flags = []
    for node, (cpus, mib) in enumerate(spec):
        cpus = f",cpus={cpus}" if cpus else ""
        flags += ["-object", f"memory-backend-ram,id=m{node},size={mib}M",
                  "-numa", f"node,nodeid={node},memdev=m{node}{cpus}"]
    return flags + ["-numa", "dist,src=0,dst=1,val=32"]


def _two_nodes(cpus, mib):
    half = cpus // 2
    return Machine(["-smp", f"{cpus},sockets=4,cores={cpus // 4},threads=1", *_memory(mib),
                    *_nodes([(f"0-{half - 1}", mib // 2), (f"{half}-{cpus - 1}", mib - mib // 2)])])


def _memory_node(cpus, mib):
    return Machine(["-smp", f"{cpus},sockets=1,cores={cpus},threads=1", *_memory(mib),
                    *_nodes([(f"0-{cpus - 1}", mib - mib // 4), ("", mib // 4)])])


def _hole(cpus, mib):
    return _sockets(1)(cpus, mib)._replace(offline="1")


def _possible(cpus, mib):
    smp = f"{cpus},maxcpus={2 * cpus},sockets=2,cores={cpus},threads=1"
    return Machine(["-smp", smp, *_memory(mib)])


_ALL = [
    Topology("flat", "one LLC, one node", 1, _sockets(1)),
    Topology("2llc", "two LLCs, one node", 2, _sockets(2)),
    Topology("4llc", "four LLCs, one node", 4, _sockets(4)),
    Topology("2n", "two nodes of two LLCs each", 4, _two_nodes),
    Topology("smt", "one LLC, two threads per core", 2, _sockets(1, threads=2)),
    Topology("nosmt", "as smt, but the second threads are offline (nosmt)", 2,
             _sockets(1, threads=2, append="nosmt")),
    Topology("1cpu", "a single CPU, whatever --smp says", 1, lambda _, mib: _sockets(1)(1, mib)),
    Topology("memnode", "one LLC and a second node that has memory but no CPU", 1, _memory_node),
    Topology("hole", "CPU 1 is offline, so that online ids are sparse", 1, _hole),
    Topology("possible", "twice as many possible as present CPUs", 1, _possible),
]
TOPOLOGIES = {topology.name: topology for topology in _ALL}


def parse_memory(text):
    """'2G' or '512M' as MiB."""
    match = re.fullmatch(r"(\d+)([MG])", text)
    if not match or int(match[1]) == 0:
        raise UsageError(f"--mem wants a size such as 2G or 512M, not '{text}'")
    return int(match[1]) * (1024 if match[2] == "G" else 1)


def machine(name, cpus, mib):
    """The Machine of topology `name`, or a UsageError that says what is wrong."""
    if name not in TOPOLOGIES:
        raise UsageError(f"topology '{name}' is not one of {', '.join(TOPOLOGIES)}")
    topology = TOPOLOGIES[name]
    least = max(topology.multiple, 2 if name == "hole" else 1)
    if cpus < least or cpus % topology.multiple:
        raise UsageError(f"topology {name} wants --smp to be a multiple of {topology.multiple}"
                           f" and at least {least}, not {cpus}")
    return topology.make(cpus, mib)
