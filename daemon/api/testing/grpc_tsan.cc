// SPDX-License-Identifier: Apache-2.0
//
// Debian's gRPC is not instrumented: ThreadSanitizer does not see its locks, and reports what its
// headers' templates do under them. Linked into tests that run gRPC under it; means nothing
// elsewhere.

extern "C" const char* __tsan_default_suppressions();

extern "C" const char* __tsan_default_suppressions() {
  return "race:^grpc::\n"
         "race:^grpc_\n"
         "race:google::protobuf::\n"
         "called_from_lib:libgrpc++.so\n"
         "called_from_lib:libgrpc.so\n";
}
