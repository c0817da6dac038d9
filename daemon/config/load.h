// SPDX-License-Identifier: Apache-2.0
//
// The way of a text or a file to a valid LayerSet: text -> tree -> proto -> rules. One path for the
// daemon's --config and SIGHUP and for the clients' -f and check.
//
// Thread-safety: pure functions, and one that reads a file.
// Failure: INVALID_ARGUMENT that carries all violations (FromStatus), each with path, line and
// column as far as known; no layer set is half read.

#ifndef LAYERED_DAEMON_CONFIG_LOAD_H_
#define LAYERED_DAEMON_CONFIG_LOAD_H_

#include <string>

#include "absl/status/statusor.h"
#include "layered/v1/layer.pb.h"

namespace layered {

// The set that a text describes: valid, and without defaults filled in. Texts over 1 MiB are
// refused unread.
absl::StatusOr<v1::LayerSet> ParseLayerSet(const std::string& text);

// The same for a regular file; the message of a failure begins with its path. NOT_FOUND if there is
// no such file; a directory, another kind of file, one that may not be read or is too large are
// INVALID_ARGUMENT, each with its own words.
absl::StatusOr<v1::LayerSet> LoadLayerSetFile(const std::string& path);

// What runs without a config: one Open catch-all named "default".
v1::LayerSet DefaultLayerSet();

}  // namespace layered

#endif  // LAYERED_DAEMON_CONFIG_LOAD_H_
