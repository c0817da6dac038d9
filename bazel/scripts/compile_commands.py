#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""compile_commands.py [TARGETS]: writes compile_commands.json and prints the sources in it.

Run in the workspace after a build (generated headers must exist). Generated code is left out.
"""

import json
import os
import subprocess
import sys

# Flags of GCC that clang's tools do not know.
_DROP = {"-fno-canonical-system-headers", "-Wno-free-nonheap-object", "-Wunused-but-set-parameter",
         "-Wno-restrict", "-MD", "-Werror"}
# The toolchain redefines __DATE__ and the like; a random seed differs from file to file.
_DROP_PREFIXES = ("-frandom-seed", "-D__DATE__", "-D__TIME")


def main():
    """See the top of the file."""
    targets = sys.argv[1] if len(sys.argv) > 1 else "//..."
    result = subprocess.run(
        ["bazel/scripts/bazel", "aquery", "--output=jsonproto", "--include_artifacts=false",
         f'mnemonic("CppCompile", deps({targets}))'], capture_output=True, check=False)
    if result.returncode != 0:
        sys.exit(result.stderr.decode())
    database = {}
    for action in json.loads(result.stdout).get("actions", []):
        arguments = [a for a in action["arguments"]
                     if a not in _DROP and not a.startswith(_DROP_PREFIXES)]
        if "-MF" in arguments:
            index = arguments.index("-MF")
            del arguments[index:index + 2]
        source = arguments[arguments.index("-c") + 1]
        if not source.startswith(("external/", "bazel-out/")):
            database[source] = {
                "directory": os.getcwd(), "file": source, "arguments": arguments}
    with open("compile_commands.json", "w", encoding="utf-8") as file:
        json.dump([database[source] for source in sorted(database)], file, indent=1)
    print("\n".join(sorted(database)))


if __name__ == "__main__":
    main()
