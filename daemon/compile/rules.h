// SPDX-License-Identifier: Apache-2.0
//
// LayerSet -> the kernel's table of rules and policies (struct layered_revision).
//
// Rules become blocks in match order; each block is an AND of terms. Distinct predicates are
// numbered once over the whole set, those of cgroups first: their results are cached per cgroup in
// a bitmap that is a prefix of the bitmap of predicates. Per predicate, `need` holds the blocks
// that want it true and `forbid` those that want it false, so that one walk over the predicates
// leaves exactly the blocks that match; the first of them is the rule.
//
// A block keeps its number even if it can never match (`not all`): numbers equal the position of
// the block in the set, which is what hit counts and `explain` speak of.
//
// Thread-safety: pure functions.
// Failure: a validated set compiles; statuses are for sets that were not. INVALID_ARGUMENT with
// number and limit, or naming the layer; FAILED_PRECONDITION for a layer that has no slot.

#ifndef LAYERED_DAEMON_COMPILE_RULES_H_
#define LAYERED_DAEMON_COMPILE_RULES_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "bpf/layered_shared.h"
#include "daemon/compile/slot_table.h"
#include "layered/v1/layer.pb.h"

namespace layered {

// The table of `layers`, whose slots `slots` must hold (SlotTable::Update with the same set).
// `revision` is the daemon's number, `publish` the number of the table in the kernel (not 0).
absl::StatusOr<std::unique_ptr<layered_revision>> CompileRules(const v1::LayerSet& layers,
                                                               const SlotTable& slots,
                                                               uint64_t revision, uint32_t publish);

}  // namespace layered

#endif  // LAYERED_DAEMON_COMPILE_RULES_H_
