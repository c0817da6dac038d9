// SPDX-License-Identifier: Apache-2.0
//
// The CPU plan of a machine whose layers are all Open: every CPU serves every slot in one stage and
// belongs to nobody; weights alone decide.
//
// Thread-safety: pure functions.

#ifndef LAYERED_DAEMON_COMPILE_PLAN_H_
#define LAYERED_DAEMON_COMPILE_PLAN_H_

#include <vector>

#include "bpf/layered_shared.h"
#include "daemon/compile/slot_table.h"
#include "daemon/topology/topology.h"

namespace layered {

// One entry per CPU id from 0 to the highest possible one, also for ids that no CPU has and for
// offline CPUs, which may come online with the plan that they find. Live and draining slots are in
// the stage: a removed layer's tasks are served until they have moved.
std::vector<layered_plan_buf> CompileOpenPlan(const Topology& topology, const SlotTable& slots);

}  // namespace layered

#endif  // LAYERED_DAEMON_COMPILE_PLAN_H_
