// SPDX-License-Identifier: GPL-2.0-only
/*
 * A foreign scheduler for the test of layeredd's preflight: every op is the kernel's default. Its
 * name must be reported as it is.
 */
#include <linux/bpf.h>

/* After the kernel's types, which it needs. */
#include <bpf/bpf_helpers.h>

struct sched_ext_ops {
  char name[128];
};

SEC(".struct_ops.link")
struct sched_ext_ops other_ops = {
    .name = "someone_elses",
};

char LICENSE[] SEC("license") = "GPL";
