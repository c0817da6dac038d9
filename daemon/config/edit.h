// SPDX-License-Identifier: Apache-2.0
//
// What a write request makes of a set of layers. Pure: who asks, etags, revisions and publishing
// are the control loop's.
//
// Thread-safety: pure functions.
// Failure: the status carries violations whose paths are those of the request ("layer.weight",
// "before"); all that is wrong with a request is told at once. Nothing is half applied.

#ifndef LAYERED_DAEMON_CONFIG_EDIT_H_
#define LAYERED_DAEMON_CONFIG_EDIT_H_

#include <string>

#include "absl/status/statusor.h"
#include "layered/v1/layer.pb.h"
#include "layered/v1/layer_service.pb.h"

namespace layered {

struct EditResult {
  v1::LayerSet layers;
  // The request asks for what already is in force (an absent weight equals the default written
  // out): `layers` equals the current set and no revision is needed.
  bool unchanged = false;
};

// Creates or changes the layer of the request's name. `current` must be valid.
//
//  - update_mask names the fields to take (kind, match, weight, slice); one that is absent in the
//    layer goes back to its default. Without a mask: the fields that are set.
//  - A new layer needs a match and goes right before the catch-all, unless told otherwise. A known
//    one stays where it is, unless told otherwise.
//  - The catch-all takes no other match and no position; nothing goes behind it.
//
// INVALID_ARGUMENT: a fault of the request, or the set as a whole would break a rule.
// NOT_FOUND: all is well, but there is no layer of the name in `before` or `after`.
absl::StatusOr<EditResult> ApplySet(const v1::LayerSet& current,
                                    const v1::SetLayerRequest& request);

// Removes a layer; never "unchanged". NOT_FOUND: no such layer; FAILED_PRECONDITION: the catch-all.
absl::StatusOr<EditResult> ApplyDelete(const v1::LayerSet& current,
                                       const v1::DeleteLayerRequest& request);

// Index of the layer of this name, -1 if there is none.
int FindLayer(const v1::LayerSet& set, const std::string& name);

}  // namespace layered

#endif  // LAYERED_DAEMON_CONFIG_EDIT_H_
