// SPDX-License-Identifier: Apache-2.0

#include "daemon/compile/plan.h"

namespace layered {

std::vector<layered_plan_buf> CompileOpenPlan(const Topology& topology, const SlotTable& slots) {
  layered_plan_buf plan{};
  plan.owner = LAYERED_MAX_SLOTS;
  for (int list = 0; list < LAYERED_NR_STAGE_LISTS; ++list) {
    plan.nr_stages[list] = 1;
    for (const auto* group : {&slots.Live(), &slots.Draining()}) {
      for (const Slot& slot : *group) {
        plan.stage[list][0][slot.slot / 64] |= u64{1} << (slot.slot % 64);
      }
    }
  }
  return std::vector<layered_plan_buf>(static_cast<size_t>(topology.NrCpuIds()), plan);
}

}  // namespace layered
