// SPDX-License-Identifier: Apache-2.0

#include "daemon/control/kernel_tables.h"

#include <utility>

#include "daemon/compile/plan.h"
#include "daemon/compile/rules.h"

namespace layered {

absl::StatusOr<KernelTables> CompileTables(const DesiredState& desired, const Topology& topology,
                                           uint32_t publish) {
  auto rules =
      CompileRules(desired.revision->layers, *desired.slots, desired.revision->number, publish);
  if (!rules.ok()) return rules.status();
  return KernelTables{.rules = *std::move(rules),
                      .plans = CompileOpenPlan(topology, *desired.slots)};
}

}  // namespace layered
