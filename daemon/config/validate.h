// SPDX-License-Identifier: Apache-2.0
//
// The rules that a whole set of layers must obey, and the values of what it leaves out. Whatever
// the way in (file, API, command line), nothing reaches the compiler without passing here.
//
// Thread-safety: pure functions.

#ifndef LAYERED_DAEMON_CONFIG_VALIDATE_H_
#define LAYERED_DAEMON_CONFIG_VALIDATE_H_

#include <cstdint>
#include <string>

#include "daemon/config/path_set.h"
#include "daemon/config/violation.h"
#include "layered/v1/layer.pb.h"

namespace layered {

// All faults at once, with paths like "layers[2].weight"; empty if the set can be compiled. Every
// limit of layered_shared.h that a set can exceed is checked and told with number and limit.
//
// `faulty`: paths that an earlier step has already reported and left unset. What lies inside them,
// or is missing because of them, is not reported a second time.
Violations ValidateLayerSet(const v1::LayerSet& set, const PathSet& faulty = {});

// The block list is that of a catch-all: one block of the one term `all`, not negated.
bool IsCatchAll(const v1::Layer& layer);

// With the default for what is absent. For a valid layer.
int64_t EffectiveSliceNs(const v1::Layer& layer);
uint32_t EffectiveWeight(const v1::Layer& layer);
v1::LayerKind EffectiveKind(const v1::Layer& layer);

// The set with kind, weight and slice filled in, so that what is shown is what is in force.
v1::Layer WithDefaults(const v1::Layer& layer);
v1::LayerSet WithDefaults(const v1::LayerSet& set);

}  // namespace layered

#endif  // LAYERED_DAEMON_CONFIG_VALIDATE_H_
