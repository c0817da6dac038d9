# SPDX-License-Identifier: Apache-2.0
"""C++ and gRPC code for all .proto files of one package."""

load("@rules_cc//cc:cc_library.bzl", "cc_library")

def layered_protos(name, srcs, **kwargs):
    """Generates and compiles all protos of this package in one go.

    Import and include paths start at this package: `layered/v1/x.proto`, "layered/v1/x.pb.h",
    "layered/v1/x.grpc.pb.h". Also makes `<name>_descriptor.pb`, a FileDescriptorSet with comments.

    Args:
      name: the cc_library; already depends on //third_party:grpcpp.
      srcs: every .proto file, with paths relative to this package.
      **kwargs: handed on to the cc_library (visibility, ...).
    """
    stems = [src[:-len(".proto")] for src in srcs]
    hdrs = [stem + ext for stem in stems for ext in [".pb.h", ".grpc.pb.h"]]
    ccs = [stem + ext for stem in stems for ext in [".pb.cc", ".grpc.pb.cc"]]
    descriptor = name + "_descriptor.pb"
    native.genrule(
        name = name + "_gen",
        srcs = srcs,
        outs = hdrs + ccs + [descriptor],
        cmd = " ".join([
            "/usr/bin/protoc -I%s" % native.package_name(),
            "--cpp_out=$(RULEDIR)",
            "--plugin=protoc-gen-grpc=/usr/bin/grpc_cpp_plugin --grpc_out=$(RULEDIR)",
            "--include_imports --include_source_info --descriptor_set_out=$(RULEDIR)/" + descriptor,
            "$(SRCS)",
        ]),
        message = "Generating protos",
        # Not read: an upgraded protoc has to run again.
        tools = ["@system//:versions.txt"],
    )
    cc_library(
        name = name,
        srcs = ccs,
        hdrs = hdrs,
        includes = ["."],
        deps = ["//third_party:grpcpp"],
        **kwargs
    )
