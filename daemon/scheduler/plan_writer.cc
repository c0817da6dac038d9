// SPDX-License-Identifier: Apache-2.0

#include "daemon/scheduler/plan_writer.h"

#include <algorithm>

namespace layered {

void WritePlan(const layered_plan_buf& buf, layered_cpu_plan& plan) {
  const uint64_t seq = __atomic_load_n(&plan.seq, __ATOMIC_RELAXED);
  // A reader that took `seq` while we filled this buffer the last time but one still finds out: it
  // compares seq again before it acts on what it read. The fence keeps the fill after the previous
  // raise in every CPU's eyes.
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  plan.buf[(seq + 1) & 1] = buf;
  __atomic_store_n(&plan.seq, seq + 1, __ATOMIC_RELEASE);
}

void WriteAllPlans(std::span<const layered_plan_buf> bufs, std::span<layered_cpu_plan> plans) {
  const size_t count = std::min(bufs.size(), plans.size());
  for (size_t cpu = 0; cpu < count; ++cpu) WritePlan(bufs[cpu], plans[cpu]);
}

}  // namespace layered
