# SPDX-License-Identifier: Apache-2.0
"""Debian's installed libraries as a Bazel repository, described by pkg-config.

Headers are not copied: the compiler searches /usr/include anyway. The version of each module is a
define of its users, and the versions of the code generators are in `versions.txt`, so that an
upgraded package rebuilds what depends on it.
"""

def _run(rctx, command):
    result = rctx.execute(command)
    if result.return_code != 0:
        fail("%s failed, are the packages of bazel/scripts/deps installed?\n%s" %
             (" ".join(command), result.stderr))
    return result.stdout.strip()

def _flags(rctx, module, args):
    output = _run(rctx, ["pkg-config"] + args + [module])
    return [flag for flag in output.split(" ") if flag]

def _version_define(rctx, module):
    name = "".join([c if c.isalnum() else "_" for c in module.elems()]).upper()
    version = _run(rctx, ["pkg-config", "--modversion", module]).replace("~", "_")
    return "SYSTEM_%s=%s" % (name, version)

def _unique(flags):
    return {flag: None for flag in flags}.keys()

def _library(name, defines, linkopts):
    return "cc_library(name = %r, defines = %r, linkopts = %r)" % (name, defines, linkopts)

def _static_defines(name, defines):
    # Debian has no libspdlog.a and libfmt.a: use them header-only.
    drop = ["SPDLOG_SHARED_LIB", "SPDLOG_COMPILED_LIB", "SPDLOG_FMT_EXTERNAL"]
    if name != "spdlog":
        return defines
    return [d for d in defines if d not in drop] + ["SPDLOG_FMT_EXTERNAL", "FMT_HEADER_ONLY"]

def _impl(rctx):
    build = ["package(default_visibility = [\"//visibility:public\"])"]
    for name, modules in rctx.attr.libs.items():
        defines, dynamic, static = [], [], []
        first = rctx.attr.link_first.get(name, [])
        for module in modules:
            defines.append(_version_define(rctx, module))
            defines += [f[2:] for f in _flags(rctx, module, ["--cflags"]) if f.startswith("-D")]
            dynamic += _flags(rctx, module, ["--libs"])
            static += _flags(rctx, module, ["--static", "--libs"])
        static = [f for f in static if not f.startswith("-Wl,")]
        static += rctx.attr.static_extra.get(name, [])

        # --as-needed must come before the libraries it is to judge.
        build.append(_library(name, defines, ["-Wl,--as-needed"] + first + _unique(dynamic)))
        if name == "spdlog":
            static = []
        group = ["-Wl,--start-group"] + first + _unique(static) + ["-Wl,--end-group"]
        build.append(_library(
            name + "_static",
            _static_defines(name, _unique(defines)),
            group if static else [],
        ))
    for name, modules in rctx.attr.header_only.items():
        defines = [_version_define(rctx, module) for module in modules]
        build.append(_library(name, defines, []))
        build.append(_library(name + "_static", defines, []))
    rctx.file("versions.txt", "\n".join([_run(rctx, [t, "--version"]) for t in rctx.attr.tools]))
    build.append("exports_files([\"versions.txt\"])")
    rctx.file("BUILD.bazel", "\n".join(build) + "\n")

system_libs = repository_rule(
    implementation = _impl,
    doc = "For each key of `libs` the targets NAME (dynamic) and NAME_static.",
    configure = True,
    # Looked at again with each start of the server: packages may have been upgraded.
    local = True,
    attrs = {
        "header_only": attr.string_list_dict(doc = "name -> pkg-config modules, nothing to link"),
        "libs": attr.string_list_dict(doc = "name -> pkg-config modules", mandatory = True),
        "link_first": attr.string_list_dict(doc = "name -> flags before those of pkg-config"),
        "static_extra": attr.string_list_dict(doc = "name -> flags that the .pc files lack"),
        "tools": attr.string_list(doc = "code generators whose version goes to versions.txt"),
    },
)
