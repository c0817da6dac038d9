# SPDX-License-Identifier: Apache-2.0
"""vm_test: one Bazel test = one boot of a real kernel = one list of cases.

For the host the list of cases is a file with one case name per line (what follows the name is a
comment, and so are lines that start with #). It is read before the boot: a case that the guest
does not report has failed, whatever the reason. One case is added to every list, suite_completes:
the script exited with 0, and reported nothing twice and nothing that is not on the list.

In the guest the script runs as root in /root, where `data` lies beside it (by base name), with the
programs on PATH. It reports each case once, by one line written to the named pipe $CASES:

    CASE name PASS|FAIL message to the end of the line

Shell scripts use `result NAME PASS|FAIL MESSAGE`, or `result NAME -- COMMAND`, which judges by the
exit code. A case is reported as soon as it is known: what was reported stands, even if the guest
dies later. Standard output and error go to the test's log; files written to $OUT, with
console.log and dmesg.log, to the test's undeclared outputs.
"""

load("@rules_shell//shell:sh_test.bzl", "sh_test")

# What every guest has on its PATH unless a test says otherwise.
PROGRAMS = [
    "//client/ctl:layeredctl",
    "//daemon:layeredd",
]

_HARNESS = "//tests/vm:run_suite"

def vm_test(
        name,
        script,
        cases,
        kernel = "6.18",
        topology = "flat",
        smp = 4,
        mem = "2G",
        icount = False,
        append = "",
        data = [],
        programs = PROGRAMS,
        timeout = "long",
        tags = [],
        **kwargs):
    """Boots one guest and runs a script in it.

    Args:
      name: of the test.
      script: the guest script (a file with a #! line that the guest has: sh, bash, python3).
      cases: the file that lists the cases.
      kernel: a series of tests/vm/kernels.
      topology: as `./run vm --list` names them.
      smp: number of CPUs.
      mem: guest memory.
      icount: deterministic mode (times in the guest can be asserted; about twice as slow).
      append: more of the kernel's command line.
      data: files for the script's folder.
      programs: binaries for the guest's PATH.
      timeout: Bazel's name of the limit; the guest is ended shortly before it.
      tags: further tags.
      **kwargs: handed on to the test (visibility, ...).
    """
    args = [
        "--script=$(rootpath %s)" % script,
        "--cases=$(rootpath %s)" % cases,
        "--kernel=" + kernel,
        "--topology=" + topology,
        "--smp=%d" % smp,
        "--mem=" + mem,
    ]
    if icount:
        args.append("--icount")
    if append:
        args.append("'--append=%s'" % append)
    args += ["--file=$(rootpath %s)" % label for label in data]
    args += ["--program=$(rootpath %s)" % label for label in programs]
    sh_test(
        name = name,
        srcs = [_HARNESS],
        args = args,
        data = [script, cases, "//tests/vm/harness", "//tests/vm:guest"] + data + programs,
        # Alone, or times mean nothing, unless they do not depend on the host; never from the cache;
        # and with the user's cache of kernels.
        tags = ["external", "no-sandbox", "vm"] + ([] if icount else ["exclusive"]) + tags,
        timeout = timeout,
        **kwargs
    )
