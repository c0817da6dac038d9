// SPDX-License-Identifier: Apache-2.0

#include "daemon/stats/steady_counters.h"

#include <algorithm>

#include "bpf/layered_shared.h"

namespace layered {
namespace {

// Every field that only ever grows while a scheduler is loaded.
constexpr uint64_t SlotCounters::*kSlotFields[] = {
    &SlotCounters::cpu_ns,    &SlotCounters::enqueues, &SlotCounters::direct,
    &SlotCounters::rematches, &SlotCounters::rescued,
};
constexpr u64 layered_cpu_stats::*kMachineFields[] = {
    &layered_cpu_stats::dispatches,   &layered_cpu_stats::empty,
    &layered_cpu_stats::probes,       &layered_cpu_stats::failed_probes,
    &layered_cpu_stats::kept,         &layered_cpu_stats::kicks,
    &layered_cpu_stats::fallbacks,    &layered_cpu_stats::repairs,
    &layered_cpu_stats::reenqueued,   &layered_cpu_stats::clears_undone,
    &layered_cpu_stats::plan_retries,
};

// Calls f(a's field, b's field) for each cumulative counter.
template <typename A, typename F>
void ForEach(A& a, const Counters& b, F f) {
  for (size_t row = 0; row < a.rows.size(); ++row) {
    for (auto field : kSlotFields) f(a.rows[row].*field, b.rows[row].*field);
  }
  for (auto field : kMachineFields) f(a.machine.*field, b.machine.*field);
}

}  // namespace

Counters SteadyCounters::Continue(const Counters& reading) {
  // One counter that fell is enough: they all live and die together.
  bool restarted = false;
  ForEach(reading, last_, [&](uint64_t now, uint64_t before) { restarted |= now < before; });
  if (restarted) ForEach(base_, last_, [](auto& base, uint64_t last) { base += last; });
  last_ = reading;
  Counters sum = reading;
  ForEach(sum, base_, [](auto& counter, uint64_t base) { counter += base; });
  return sum;
}

}  // namespace layered
