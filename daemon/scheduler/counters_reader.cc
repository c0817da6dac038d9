// SPDX-License-Identifier: Apache-2.0

#include "daemon/scheduler/counters_reader.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "daemon/scheduler/mapped_area.h"

namespace layered {
namespace {

// layered_cpu_stats is nothing but u64 counters: added up as words, a new counter is never missed.
static_assert(std::is_standard_layout_v<layered_cpu_stats> &&
              sizeof(layered_cpu_stats) % sizeof(uint64_t) == 0);

void AddMachine(const layered_cpu_stats& from, layered_cpu_stats& to) {
  const auto* in = reinterpret_cast<const u64*>(&from);
  auto* out = reinterpret_cast<u64*>(&to);
  for (size_t i = 0; i < sizeof(from) / sizeof(u64); ++i) out[i] += LoadShared(in[i]);
}

void AddRow(const layered_slot_stats& from, SlotCounters& to, int64_t& tasks) {
  to.cpu_ns += LoadShared(from.cpu_ns);
  tasks += LoadShared(from.tasks);
  to.enqueues += LoadShared(from.enqueues);
  to.direct += LoadShared(from.direct);
  to.rematches += LoadShared(from.rematches);
  to.rescued += LoadShared(from.rescued);
}

}  // namespace

Counters SumCounters(uint64_t time_ns, std::span<const layered_cpu_ctx> cpus,
                     std::span<const layered_llc_ctx> llcs) {
  Counters sum;
  sum.time_ns = time_ns;
  std::array<int64_t, LAYERED_NR_ROWS> tasks{};
  for (const layered_cpu_ctx& cpu : cpus) {
    AddMachine(cpu.stats, sum.machine);
    for (size_t row = 0; row < sum.rows.size(); ++row) {
      AddRow(cpu.slot[row], sum.rows[row], tasks[row]);
    }
    const uint32_t running = LoadShared(cpu.running_slot);  // slot + 1, 0: none of ours
    if (running >= 1 && running <= LAYERED_MAX_SLOTS) ++sum.rows[running - 1].running;
  }
  for (const layered_llc_ctx& llc : llcs) {
    for (size_t row = 0; row < sum.rows.size(); ++row) {
      // n passes through "below zero" while a leave overtakes its enqueue on another CPU.
      const auto n = static_cast<int32_t>(LoadShared(llc.q[row].n));
      if (n > 0) sum.rows[row].queued += static_cast<uint64_t>(n);
    }
  }
  for (size_t row = 0; row < sum.rows.size(); ++row) {
    sum.rows[row].tasks = static_cast<uint64_t>(std::max<int64_t>(tasks[row], 0));
  }
  return sum;
}

}  // namespace layered
