// SPDX-License-Identifier: Apache-2.0
//
// Two evaluators of layer sets in plain C++, to judge the compiler and the BPF code by: one walks
// the compiled tables exactly as BPF does, the other reads the proto and knows nothing of tables.
//
// Thread-safety: pure functions.

#ifndef LAYERED_DAEMON_COMPILE_REFERENCE_MATCH_H_
#define LAYERED_DAEMON_COMPILE_REFERENCE_MATCH_H_

#include <cstdint>
#include <string>

#include "bpf/layered_shared.h"
#include "layered/v1/layer.pb.h"

namespace layered {

// What the rules can see of a task.
struct TaskAttrs {
  std::string cgroup = "/";  // as in /proc/PID/cgroup
  std::string comm = "";     // at most 15 bytes
  std::string leader = "";   // at most 15 bytes
  uint32_t uid = 0;
  int32_t nice = 0;
  bool kthread = false;
};

// Slot of the first block of the table that takes the task; LAYERED_MAX_SLOTS if none does.
uint8_t MatchByTable(const layered_revision& table, const TaskAttrs& task);

// The first layer that takes the task; null if none does. Points into `layers`.
const v1::Layer* MatchByRules(const v1::LayerSet& layers, const TaskAttrs& task);

}  // namespace layered

#endif  // LAYERED_DAEMON_COMPILE_REFERENCE_MATCH_H_
