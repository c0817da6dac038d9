// SPDX-License-Identifier: Apache-2.0

#include "daemon/scheduler/program_info.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>

namespace layered {

std::vector<BpfProgram> ReadPrograms(const bpf_object* object) {
  std::vector<BpfProgram> programs;
  bpf_program* program = nullptr;
  bpf_object__for_each_program(program, object) {
    const int fd = bpf_program__fd(program);
    bpf_prog_info info{};
    __u32 size = sizeof(info);
    if (fd < 0 || bpf_prog_get_info_by_fd(fd, &info, &size) != 0) continue;
    programs.push_back({.name = bpf_program__name(program),
                        .verified_insns = info.verified_insns,
                        .jited_bytes = info.jited_prog_len,
                        .run_count = info.run_cnt,
                        .run_time_ns = info.run_time_ns});
  }
  return programs;
}

}  // namespace layered
