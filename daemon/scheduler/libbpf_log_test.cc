// SPDX-License-Identifier: Apache-2.0

#include "daemon/scheduler/libbpf_log.h"

#include <bpf/libbpf.h>

#include "gtest/gtest.h"

namespace layered {
namespace {

TEST(LastWords, NamesTheFirstProgramAndTheVerifiersReason) {
  const char* text =
      "libbpf: prog 'layered_dispatch': BPF program load failed: Permission denied\n"
      "libbpf: prog 'layered_dispatch': -- BEGIN PROG LOAD LOG --\n"
      "0: R1=ctx() R10=fp0\n"
      "; int x = y; @ dispatch.bpf.h:12\n"
      "7: (79) r1 = *(u64 *)(r1 +8)\n"
      "R1 invalid mem access 'scalar'\n"
      "processed 7 insns (limit 1000000) max_states_per_insn 0\n"
      "-- END PROG LOAD LOG --\n"
      "libbpf: prog 'layered_dispatch': failed to load: -13\n"
      "libbpf: failed to load object 'layered'\n";
  EXPECT_EQ(LastWords(text),
            "prog 'layered_dispatch': ; int x = y; @ dispatch.bpf.h:12 | "
            "7: (79) r1 = *(u64 *)(r1 +8) | R1 invalid mem access 'scalar'");
}

TEST(LastWords, WithoutAVerifierLogTheLastWarning) {
  EXPECT_EQ(LastWords("libbpf: first\nlibbpf: map 'x': failed to create: -7\n"),
            "map 'x': failed to create: -7");
  EXPECT_EQ(LastWords(""), "");
}

TEST(LibbpfCapture, CollectsWarningsOfItsTime) {
  RouteLibbpfLog();
  const char junk[] = "this is no ELF file";
  LibbpfCapture capture;
  EXPECT_EQ(bpf_object__open_mem(junk, sizeof(junk), nullptr), nullptr);
  EXPECT_NE(capture.text().find("libbpf"), std::string::npos) << capture.text();
}

}  // namespace
}  // namespace layered
