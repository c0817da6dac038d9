# SPDX-License-Identifier: Apache-2.0
"""Unit tests in Debian's Python, without Bazel's Python toolchains."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")

def py_unit_test(name, src, data = [], **kwargs):
    """Runs an executable unittest script that ends with harness.unittest_xml.main().

    Args:
      name: of the test.
      src: the script, with a #!/usr/bin/python3 line.
      data: the modules and files that it reads.
      **kwargs: handed on to the test (size, tags, ...).
    """
    sh_test(
        name = name,
        srcs = [src],
        data = data + ["//tests/vm/harness"],
        **kwargs
    )
