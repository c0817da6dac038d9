#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A client of uid 1000 connects to a unix socket; the server reads that uid from the kernel."""

import os
import socket
import struct

PATH = "/tmp/peer.sock"
server = socket.socket(socket.AF_UNIX)
server.bind(PATH)
os.chmod(PATH, 0o666)
server.listen()
child = os.fork()
if child == 0:
    os.setgid(1000)
    os.setuid(1000)
    socket.socket(socket.AF_UNIX).connect(PATH)
    os._exit(0)
peer, _ = server.accept()
_, uid, _ = struct.unpack("3i", peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
os.waitpid(child, 0)
assert uid == 1000, uid
