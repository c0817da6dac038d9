# SPDX-License-Identifier: Apache-2.0
"""Packages of another Debian suite as a Bazel repository, without installing them."""

def _impl(rctx):
    # The user's cache serves all clones, and a warm cache needs no network.
    cache = rctx.os.environ.get("XDG_CACHE_HOME") or rctx.os.environ["HOME"] + "/.cache"
    unpacked = "%s/layered/debs/%s-%s" % (cache, rctx.attr.suite, "-".join(rctx.attr.packages))
    fetch = rctx.path(Label("//bazel/scripts:fetch-debs"))
    for command in [
        [fetch, rctx.attr.suite, unpacked] + rctx.attr.packages,
        ["cp", "-a", unpacked + "/usr", "usr"],
    ]:
        result = rctx.execute(command)
        if result.return_code != 0:
            fail("%s failed:\n%s" % (" ".join([str(word) for word in command]), result.stderr))
    rctx.symlink(rctx.attr.build_file, "BUILD.bazel")

debian_packages = repository_rule(
    implementation = _impl,
    doc = "Unpacks `packages` of `suite` (newest versions served) under usr/.",
    environ = ["XDG_CACHE_HOME"],
    attrs = {
        "build_file": attr.label(mandatory = True, allow_single_file = True),
        "packages": attr.string_list(mandatory = True),
        "suite": attr.string(mandatory = True),
    },
)
