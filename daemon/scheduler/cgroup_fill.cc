// SPDX-License-Identifier: Apache-2.0

#include "daemon/scheduler/cgroup_fill.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "daemon/base/errno_status.h"
#include "daemon/base/unique_fd.h"

namespace layered {

absl::Status FillCgroups(const bpf_program* iterator, int cgroup_fd) {
  bpf_iter_link_info info{};
  info.cgroup.order = BPF_CGROUP_ITER_DESCENDANTS_PRE;
  info.cgroup.cgroup_fd = static_cast<__u32>(cgroup_fd);
  LIBBPF_OPTS(bpf_link_create_opts, options, .iter_info = &info, .iter_info_len = sizeof(info));
  UniqueFd link(bpf_link_create(bpf_program__fd(iterator), 0, BPF_TRACE_ITER, &options));
  if (!link.valid()) return ErrnoStatus("create the cgroup iterator", errno);
  UniqueFd walk(bpf_iter_create(link.get()));
  if (!walk.valid()) return ErrnoStatus("start the cgroup iterator", errno);
  // It prints nothing: one read does the whole walk and ends at once.
  char none[64];
  for (;;) {
    const ssize_t n = read(walk.get(), none, sizeof(none));
    if (n == 0) return absl::OkStatus();
    if (n < 0 && errno != EINTR && errno != EAGAIN) {
      return ErrnoStatus("run the cgroup iterator", errno);
    }
  }
}

}  // namespace layered
